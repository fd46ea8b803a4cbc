/*! The source of mediabunny (MPL-2.0): https://github.com/Vanilagy/mediabunny */
/** A film of a session: the pictures of its record with what happened, encoded in this browser. */
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Output,
  Quality,
  WebMOutputFormat,
} from 'mediabunny';
import { request } from '../connection/http.ts';
import type { DashPicturesQuery, DashVideoQuery } from '../generated/operations.ts';
import { clockText } from '../parts/format.ts';
import { eventText } from './eventText.ts';
import type { EventData } from './useSession.ts';

/** How long the moment of an event stays, in milliseconds. */
const MOMENT_MS = 1_200;
/** A frame of the video stays until the next picture: at least for this time and at most for that, so that long waits pass quickly. */
const MIN_FRAME_MS = 40;
const MAX_FRAME_MS = 1_000;
/** Height of the line below the picture that says what happened, in pixels. */
const LINE_HEIGHT = 48;
const QUALITY = new Quality({ bitrate: 2_000_000 });
const MS_PER_SECOND = 1_000;
const PAGE_SIZE = 100;

interface Picture {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly url: string;
  readonly isMoment: boolean;
}

/** A picture with what is said below it, and its place in the film in milliseconds. */
interface Shot {
  readonly url: string;
  readonly event: EventData;
  readonly start: number;
  readonly end: number;
}

/** Makes a film of the events with pictures, and of the record's video. @param onProgress gets the part that is done, from 0 to 1 @throws Error without pictures, or if this browser encodes no video */
export async function makeFilm(
  sessionId: string,
  events: readonly EventData[],
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const pictures = [...(await momentsOf(sessionId, signal)), ...(await framesOf(sessionId, signal))];
  // Frames of the video are smaller.
  const [first] = pictures;
  if (first === undefined)
    throw new Error(
      'The record of this session has no pictures. Start a session with pictures in its record.',
    );
  const { width, height } = await sizeOf(first.url, signal);
  const canvas = new OffscreenCanvas(width, height + LINE_HEIGHT);
  const codec = await getFirstEncodableVideoCodec(['vp9', 'vp8'], {
    width: canvas.width,
    height: canvas.height,
    quality: QUALITY,
  });
  if (codec === null)
    throw new Error('This browser encodes no video. Open the dashboard in a newer one, such as Chrome.');
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new CanvasSource(canvas, {
    codec,
    quality: QUALITY,
    keyFrameInterval: MOMENT_MS / MS_PER_SECOND,
  });
  output.addVideoTrack(source);
  try {
    await output.start();
    const shots = shotsOf(pictures, events);
    for (const [index, shot] of shots.entries()) {
      await draw(canvas, shot, signal);
      await source.add(shot.start / MS_PER_SECOND, (shot.end - shot.start) / MS_PER_SECOND);
      onProgress((index + 1) / shots.length);
    }
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  return new Blob([target.buffer ?? ''], { type: 'video/webm' });
}

/** Puts the pictures in their order, each with the last event before it. */
function shotsOf(pictures: readonly Picture[], events: readonly EventData[]): readonly Shot[] {
  const sorted = pictures.toSorted((one, other) => one.at - other.at);
  let end = 0;
  return sorted.flatMap(({ at, url, isMoment }, index) => {
    const event = events.findLast(each => Date.parse(each.at) <= at) ?? events[0];
    if (event === undefined) return [];
    const gap = (sorted[index + 1]?.at ?? at) - at;
    const start = end;
    end += isMoment ? MOMENT_MS : Math.min(MAX_FRAME_MS, Math.max(MIN_FRAME_MS, gap));
    return [{ url, event, start, end }];
  });
}

async function momentsOf(sessionId: string, signal: AbortSignal): Promise<readonly Picture[]> {
  const moments: Picture[] = [];
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted();
    const { session }: DashPicturesQuery = await request('DashPictures', {
      sessionId,
      first: PAGE_SIZE,
      after,
    });
    if (session === null) return moments;
    for (const { node } of session.events.edges) {
      const url = node.performed?.picture?.url;
      if (url !== undefined) moments.push({ at: Date.parse(node.at), url, isMoment: true });
    }
    if (!session.events.pageInfo.hasNextPage) return moments;
    after = session.events.pageInfo.endCursor;
  }
}

async function framesOf(sessionId: string, signal: AbortSignal): Promise<readonly Picture[]> {
  const frames: Picture[] = [];
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const { session }: DashVideoQuery = await request('DashVideo', { sessionId, after });
    const page = session?.pictures ?? [];
    frames.push(...page.map(({ at, url }) => ({ at: Date.parse(at), url, isMoment: false })));
    const last = page.at(-1);
    if (last === undefined) return frames;
    after = last.number;
  }
}

async function read(url: string, signal: AbortSignal): Promise<ImageBitmap> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`A picture cannot be read: status ${response.status}.`);
  return createImageBitmap(await response.blob());
}

/** The size of a picture, made even: the encoders need that. */
async function sizeOf(url: string, signal: AbortSignal): Promise<{ width: number; height: number }> {
  const picture = await read(url, signal);
  const size = { width: picture.width & ~1, height: picture.height & ~1 };
  picture.close();
  return size;
}

async function draw(canvas: OffscreenCanvas, { event, url }: Shot, signal: AbortSignal): Promise<void> {
  const picture = await read(url, signal);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws on no canvas.');
  const top = canvas.height - LINE_HEIGHT;
  context.fillStyle = '#14181c';
  context.fillRect(0, 0, canvas.width, canvas.height);
  const scale = Math.min(canvas.width / picture.width, top / picture.height);
  context.drawImage(picture, 0, 0, picture.width * scale, picture.height * scale);
  picture.close();
  const { title, detail } = eventText(event);
  const middle = top + LINE_HEIGHT / 2;
  context.textBaseline = 'middle';
  context.font = '600 18px system-ui, sans-serif';
  context.fillStyle = '#56cbb0';
  context.fillText(`${event.seq}  ${title}`, 16, middle);
  const left = 32 + context.measureText(`${event.seq}  ${title}`).width;
  context.font = '18px system-ui, sans-serif';
  context.fillStyle = '#9aa6a2';
  const time = clockText(event.at);
  const right = canvas.width - 16 - context.measureText(time).width;
  context.fillText(time, right, middle);
  context.fillStyle = '#e6ebe9';
  context.save();
  context.beginPath();
  context.rect(left, top, Math.max(0, right - 16 - left), LINE_HEIGHT);
  context.clip();
  context.fillText(detail, left, middle);
  context.restore();
}
