import { z } from 'zod';
import { Failure, type FailureCode, isFailure } from '../domain/failure/failures.ts';
import type { RecordMode } from '../domain/session/session.ts';
import type { ScreencastFrame, ScreencastOptions } from '../domain/session/takeOver.ts';
import type { OperationContext } from './operation.ts';
import { readSession } from './sessions.ts';

/** Default maximum width of an image, in pixels: half the width of the viewport (1280), enough to follow the session. */
export const DEFAULT_FRAME_WIDTH = 640;
export const MIN_FRAME_WIDTH = 64;
export const MAX_FRAME_WIDTH = 4_096;
/** Default JPEG quality: text is readable, and an image has a third of the bytes of quality 90. */
export const DEFAULT_FRAME_QUALITY = 60;

export const frameWidth = z
  .int('must be a whole number')
  .min(MIN_FRAME_WIDTH, `must be at least ${MIN_FRAME_WIDTH}`)
  .max(MAX_FRAME_WIDTH, `must be at most ${MAX_FRAME_WIDTH}`);
export const frameQuality = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(100, 'must be at most 100');

/** A picture of a session. `tabId` is null for the last picture of a session that has ended. */
export type SessionFrame = Omit<ScreencastFrame, 'tabId'> & { readonly tabId: string | null };

const ENDED: readonly FailureCode[] = ['SESSION_CLOSED', 'SESSION_TIMED_OUT', 'SESSION_ERROR'];

/**
 * Yields pictures of the active tab until the session ends or `signal` aborts; of a session that has ended, the last picture of its record.
 * @throws Failure SESSION_NOT_FOUND, SCOPE_DENIED, RATE_LIMITED; RECORD_EXPIRED if the record was removed; that of the ended session, with
 * the reason, if it has no picture
 */
export async function watchFrames(
  context: Pick<OperationContext, 'service' | 'viewer'>,
  sessionId: string,
  options: ScreencastOptions,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<SessionFrame>> {
  const { service, viewer } = context;
  try {
    return await service.frames(viewer, sessionId, options, signal);
  } catch (error) {
    if (!isFailure(error) || !ENDED.includes(error.code)) throw error;
    const { id, record } = await readSession(context, sessionId);
    const last = await lastPicture(context, id);
    if (last === null)
      throw new Failure(error.code, `${error.message} ${whyNoPicture(record)}`, error.context);
    return (async function* () {
      yield last;
    })();
  }
}

const whyNoPicture = (record: RecordMode | undefined): string =>
  record === undefined
    ? 'What it showed last is not known: its `record` was `off`, so no picture was kept.'
    : 'What it showed last is not known: its record has no picture.';

/** Returns a picture of the record of a session, JPEG. @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND, NOT_FOUND, RECORD_EXPIRED */
export async function readPicture(
  context: Pick<OperationContext, 'service' | 'viewer'>,
  sessionId: string,
  kind: 'picture' | 'frame',
  number: number,
): Promise<Uint8Array> {
  const { id } = await readSession(context, sessionId);
  const entry = await context.service.recordedEntry(id, kind, number);
  if (entry === null) throw new Failure('NOT_FOUND', `This session has no ${kind} ${number} in its record.`);
  return Buffer.from(entry.body, 'base64');
}

async function lastPicture(
  { service }: Pick<OperationContext, 'service'>,
  sessionId: string,
): Promise<SessionFrame | null> {
  const newest = async (kind: 'picture' | 'frame') =>
    (await service.recordEntries(sessionId, { kind, after: 0, limit: 1, newest: true }))[0] ?? null;
  const [picture, frame] = await Promise.all([newest('picture'), newest('frame')]);
  const last = (frame?.at ?? 0) > (picture?.at ?? 0) ? frame : picture;
  if (last === null) {
    // A record that was removed says so.
    await service.recordedEntry(sessionId, 'picture', 1);
    return null;
  }
  const entry = await service.recordedEntry(sessionId, last.kind, last.number);
  if (entry === null) return null;
  // A picture of an operation has the size of the viewport; a frame of a video is smaller.
  const sized =
    picture === null || picture === last
      ? entry
      : await service.recordedEntry(sessionId, 'picture', picture.number);
  const { width, height } = jpegSize((sized ?? entry).body);
  return { tabId: null, image: entry.body, width, height, at: entry.at };
}

/** Returns the size of a JPEG in Base64, in pixels: its frame header has it (ITU-T T.81, B.2.2). */
function jpegSize(base64: string): { readonly width: number; readonly height: number } {
  const bytes = Buffer.from(base64, 'base64');
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    // SOF0 to SOF15, without the tables DHT, JPG and DAC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return { width: 0, height: 0 };
}
