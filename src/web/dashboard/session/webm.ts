/** Writes WebM: the frames of one video track, each a key frame, in one file (RFC 8794 and RFC 9559). */

/** A frame that the encoder has made. */
export interface EncodedFrame {
  /** Time from the start in milliseconds. */
  readonly at: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The picture's size in pixels, the codec of its frames, and its duration in milliseconds. */
export interface WebmTrack {
  readonly width: number;
  readonly height: number;
  readonly codec: 'V_VP8' | 'V_VP9';
  readonly durationMs: number;
}

type Part = Uint8Array<ArrayBuffer>;

/** Element ids of Matroska, as they are written (RFC 9559, 5.1). */
const ID = {
  head: 0x1a45dfa3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

/** Nanoseconds of one tick: the times of the file are milliseconds. */
const TICK_NS = 1_000_000;

/** Returns the file. Each frame has a cluster of its own, so that players can go to every one. */
export function writeWebm(
  { width, height, codec, durationMs }: WebmTrack,
  frames: readonly EncodedFrame[],
): Blob {
  const head = element(ID.head, [
    element(ID.docType, text('webm')),
    element(ID.docTypeVersion, number(2)),
    element(ID.docTypeReadVersion, number(2)),
  ]);
  const info = element(ID.info, [
    element(ID.timestampScale, number(TICK_NS)),
    element(ID.duration, float(durationMs)),
    element(ID.muxingApp, text('pagespace')),
    element(ID.writingApp, text('pagespace')),
  ]);
  const track = element(ID.trackEntry, [
    element(ID.trackNumber, number(1)),
    element(ID.trackUid, number(1)),
    element(ID.trackType, number(1)),
    element(ID.codecId, text(codec)),
    element(ID.video, [element(ID.pixelWidth, number(width)), element(ID.pixelHeight, number(height))]),
  ]);
  // A block: the number of its track, its time within the cluster, and the flag of a key frame.
  const blockHead = Uint8Array.of(0x81, 0, 0, 0x80);
  const clusters = frames.flatMap(({ at, bytes }) =>
    element(ID.cluster, [
      element(ID.timestamp, number(Math.round(at))),
      element(ID.simpleBlock, [[blockHead, bytes]]),
    ]),
  );
  const segment = element(ID.segment, [info, element(ID.tracks, [track]), clusters]);
  return new Blob([...head, ...segment], { type: 'video/webm' });
}

/** An element: its id, the size of its contents in eight bytes, its contents. */
function element(id: number, contents: Part | readonly (readonly Part[])[]): readonly Part[] {
  const parts = contents instanceof Uint8Array ? [contents] : contents.flat();
  const size = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = new DataView(new ArrayBuffer(8));
  head.setBigUint64(0, (1n << 56n) | BigInt(size));
  return [number(id), new Uint8Array(head.buffer), ...parts];
}

/** A whole number in as few bytes as it needs. */
function number(value: number): Part {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

function float(value: number): Part {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return new Uint8Array(view.buffer);
}

const text = (words: string): Part => new Uint8Array(new TextEncoder().encode(words));
