/** Reads a request's body within bounds, unpacked where it comes packed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { afterMs, race } from '../../async/race.ts';
import { Failure, isFailure } from '../../domain/failures.ts';

/** The memory that unpacking may ask for, as a power of two: 8 MB (RFC 9659). */
const MAX_ZSTD_WINDOW_LOG = 23;

/** What bodies may be packed with (RFC 9110, 8.4.1; RFC 8878). */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG } }),
};

/** Codings of bodies, as `Accept-Encoding` tells them to who sent another (RFC 7694). */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** Slow lines may take their time, silent ones not: a body may pause for this long. Milliseconds. */
const BODY_IDLE_TIMEOUT_MS = 30_000;
/** A text as a whole, which is held in memory meanwhile, and whose caller nobody may know yet: so many pauses. */
const MAX_IDLE_PERIODS = 10;

/**
 * @param maxBytes bounds the body as it is sent, and as it is unpacked
 * @param pauseMs how long it may pause; as a whole it may take ten times as long
 * @throws Failure BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT, INVALID_JSON when it breaks off or does not unpack
 */
export async function readTextBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  pauseMs = BODY_IDLE_TIMEOUT_MS,
): Promise<string> {
  const tooLarge = () => new Failure('BODY_TOO_LARGE', `A body may have at most ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const decoder = createDecoder(request.headers['content-encoding']);
  // A caller that asks first (`Expect: 100-continue`) sends its body only now.
  if (request.headers.expect !== undefined) response.writeContinue();
  using pause = startIdleTimer(pauseMs);
  const wholeMs = pauseMs * MAX_IDLE_PERIODS;
  using whole = startIdleTimer(wholeMs, () => wholeBodyFailure(wholeMs));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const bytes = { sent: 0, unpacked: 0 };
  const stop = (failure: Failure) => {
    request.off('data', countSent).unpipe();
    request.pause();
    source.off('data', take);
    decoder?.destroy();
    reject(failure);
  };
  const countSent = (chunk: Buffer) => {
    pause.restart();
    bytes.sent += chunk.length;
    if (bytes.sent > maxBytes) stop(tooLarge());
  };
  const take = (chunk: Buffer) => {
    bytes.unpacked += chunk.length;
    if (bytes.unpacked > maxBytes) stop(tooLarge());
    else chunks.push(chunk);
  };
  const source = decoder === null ? request : request.pipe(decoder);
  request.on('data', countSent);
  source.on('data', take);
  source.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  pause.expired.catch(stop);
  whole.expired.catch(stop);
  request.once('error', cause => stop(new Failure('INVALID_JSON', 'The body broke off.', { cause })));
  decoder?.once('error', cause =>
    stop(new Failure('INVALID_JSON', 'The body is not packed as its Content-Encoding says.', { cause })),
  );
  return await promise;
}

/** @returns null where nothing is to be unpacked @throws Failure UNSUPPORTED_MEDIA_TYPE */
function createDecoder(encoding: string | undefined): Transform | null {
  const coding = encoding?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return null;
  const make = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (make !== undefined) return make();
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    `Bodies may come with one Content-Encoding of ${ACCEPTED_ENCODINGS}, not "${coding.slice(0, 100)}".`,
  );
}

/**
 * The body as it comes, unbounded: who reads it bounds it.
 * @param pauseMs how long it may pause while somebody waits for it
 * @throws Failure UNSUPPORTED_MEDIA_TYPE when it is packed, REQUEST_TIMEOUT, INVALID_JSON when it breaks off
 */
export async function* readBodyChunks(
  request: IncomingMessage,
  response: ServerResponse,
  pauseMs = BODY_IDLE_TIMEOUT_MS,
): AsyncGenerator<Uint8Array, void, undefined> {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send a file as it is, without Content-Encoding.');
  if (request.headers.expect !== undefined) response.writeContinue();
  // Who stops reading still gets an answer on this connection.
  const pieces = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value } = await race(
        pieces.next(),
        afterMs(pauseMs, () => {
          throw idleFailure(pauseMs);
        }),
      );
      if (done === true) return;
      yield value;
    }
  } catch (cause) {
    if (isFailure(cause)) throw cause;
    throw new Failure('INVALID_JSON', 'The body broke off.', { cause });
  } finally {
    // Unheard: it may wait for a piece that never comes.
    void pieces.return?.();
  }
}

interface IdleTimer extends Disposable {
  /** Rejects with REQUEST_TIMEOUT when nothing ends the pause in time. */
  readonly expired: Promise<never>;
  /** Something came: the next pause begins. */
  restart(): void;
}

const idleFailure = (ms: number): Failure =>
  new Failure('REQUEST_TIMEOUT', `No byte of the body came for ${ms / 1_000} seconds.`);

const wholeBodyFailure = (ms: number): Failure =>
  new Failure('REQUEST_TIMEOUT', `The body did not come within ${ms / 1_000} seconds.`);

function startIdleTimer(ms: number, failure = () => idleFailure(ms)): IdleTimer {
  const { promise: tooLong, reject } = Promise.withResolvers<never>();
  tooLong.catch(() => undefined);
  const timer = setTimeout(() => reject(failure()), ms);
  return {
    expired: tooLong,
    restart: () => void timer.refresh(),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
