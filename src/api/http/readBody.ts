/**
 * Reads request bodies with limits on size and time. Own code, because raw-body and co-body have no timeouts and limit only
 * the decompressed size; they would replace the few lines around `pipeline`.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { afterMs, race } from '../../async/race.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { cutText } from '../../domain/space/pageText.ts';

/** Maximum memory for the decompression of zstd, as base-2 logarithm of bytes: 8 MB (RFC 9659). */
const MAX_ZSTD_WINDOW_LOG = 23;

/** Creates the decoder for each Content-Encoding that a body may have (RFC 9110, 8.4.1; RFC 8878). */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG } }),
};

/** The encodings that a request body may have: the value of `Accept-Encoding` in a 415 response (RFC 7694). */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** Maximum time without a byte of a body, in milliseconds; then the body is refused. The whole body may take longer. */
const BODY_IDLE_TIMEOUT_MS = 30_000;
/** Maximum time for a whole text body, as a multiple of the idle timeout: its text is in memory while it arrives. */
const MAX_IDLE_PERIODS = 10;

/**
 * Reads a whole request body, decompresses it and decodes it as UTF-8.
 * @param maxBytes maximum size, before and after decompression
 * @param idleTimeoutMs maximum time without a byte; the whole body may take ten times as long
 * @throws Failure BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT; INVALID_JSON when the connection breaks or
 * the body does not match its Content-Encoding
 */
export async function readTextBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  idleTimeoutMs = BODY_IDLE_TIMEOUT_MS,
): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const createDecoder = decoderOf(request.headers['content-encoding']);
  inviteBody(request, response);
  const body = await collectBody(request, maxBytes, idleTimeoutMs);
  if (createDecoder === null) return body.toString('utf8');
  const collect = async (chunks: AsyncIterable<Buffer>): Promise<string> =>
    Buffer.concat(await Array.fromAsync(limitBytes(chunks, maxBytes))).toString('utf8');
  try {
    return await pipeline([body], createDecoder(), collect);
  } catch (cause) {
    if (isFailure(cause)) throw cause;
    throw new Failure('INVALID_JSON', 'The body does not match its Content-Encoding.', { cause });
  }
}

/**
 * Collects a request body as it was sent. Without iterators, whose promises for each chunk take longer than all else for the short bodies
 * of most requests. Leaves the connection open for the response.
 * @throws Failure BODY_TOO_LARGE, REQUEST_TIMEOUT, INVALID_JSON
 */
async function collectBody(
  request: IncomingMessage,
  maxBytes: number,
  idleTimeoutMs: number,
): Promise<Buffer> {
  const totalMs = idleTimeoutMs * MAX_IDLE_PERIODS;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const idle = setTimeout(() => reject(idleTimeout(idleTimeoutMs)), idleTimeoutMs);
  const total = setTimeout(() => reject(totalTimeout(totalMs)), totalMs);
  const onData = (chunk: Buffer): void => {
    idle.refresh();
    bytes += chunk.length;
    if (bytes > maxBytes) reject(tooLarge(maxBytes));
    else chunks.push(chunk);
  };
  const onEnd = (): void => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  // A complete request closes as well, before its body is handed on.
  const onBreak = (cause?: Error): void => {
    if (!request.readableEnded) reject(broken(cause));
  };
  request.on('data', onData).once('end', onEnd).once('error', onBreak).once('close', onBreak);
  // Closed already: it has no events any more.
  if (request.destroyed) onBreak(request.errored ?? undefined);
  try {
    return await promise;
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
    request.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak).pause();
  }
}

/**
 * Yields a request body in chunks without a size limit; the consumer applies its own.
 * @param idleTimeoutMs maximum wait for the next chunk; runs only while the consumer waits
 * @throws Failure UNSUPPORTED_MEDIA_TYPE when the body is compressed, REQUEST_TIMEOUT; INVALID_JSON when the connection
 * breaks
 */
export async function* readBodyChunks(
  request: IncomingMessage,
  response: ServerResponse,
  idleTimeoutMs = BODY_IDLE_TIMEOUT_MS,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send a file as it is, without Content-Encoding.');
  inviteBody(request, response);
  yield* receiveChunks(request, idleTimeoutMs);
}

/** Sends `100 Continue` to a client that waits for it before it sends the body (`Expect: 100-continue`). */
function inviteBody({ headers }: IncomingMessage, response: ServerResponse): void {
  if (/\b100-continue\b/i.test(headers.expect ?? '')) response.writeContinue();
}

/** Yields the chunks of a request body as they arrive. Leaves the connection open for the response. */
async function* receiveChunks(
  request: IncomingMessage,
  idleTimeoutMs: number,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = request.iterator({ destroyOnReturn: false });
  const idle = afterMs(idleTimeoutMs, () => {
    throw idleTimeout(idleTimeoutMs);
  });
  try {
    for (;;) {
      const { done, value } = await race(chunks.next(), idle);
      if (done === true) return;
      yield value;
    }
  } catch (cause) {
    if (isFailure(cause)) throw cause;
    throw broken(cause);
  } finally {
    // Do not await: it may wait for a chunk that never arrives.
    void chunks.return?.();
  }
}

async function* limitBytes(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/**
 * Returns what creates the decoder for a Content-Encoding; null if the body is not compressed.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE
 */
function decoderOf(contentEncoding: string | undefined): (() => Transform) | null {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return null;
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (create !== undefined) return create;
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body may have one Content-Encoding of ${ACCEPTED_ENCODINGS}, not "${cutText(encoding, 100)}".`,
  );
}

const broken = (cause: unknown): Failure =>
  new Failure('INVALID_JSON', 'The connection broke before the body was complete.', { cause });

const tooLarge = (maxBytes: number): Failure =>
  new Failure('BODY_TOO_LARGE', `A body may have at most ${maxBytes} bytes.`);

const idleTimeout = (ms: number): Failure =>
  new Failure('REQUEST_TIMEOUT', `No byte of the body arrived for ${ms / 1_000} seconds.`);

const totalTimeout = (ms: number): Failure =>
  new Failure('REQUEST_TIMEOUT', `The body did not arrive within ${ms / 1_000} seconds.`);
