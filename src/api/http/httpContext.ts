import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { afterMs, race } from '../../async/race.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { RequestRecord } from './requestRecord.ts';

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

/** Null if the body is not compressed. @throws Failure UNSUPPORTED_MEDIA_TYPE */
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

/**
 * Returns the caller's network, which limits count callers by: an IPv4 address or an IPv6 /64.
 * @param trustedProxies number of proxies in front of the service. The caller's address is then the entry that the
 * outermost of them wrote into X-Forwarded-For. With 0 the header is ignored, because any caller can send it.
 */
export function callerAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const peer = networkAddress(request.socket.remoteAddress ?? 'unknown');
  if (trustedProxies === 0) return peer;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = forwarded.at(-trustedProxies)?.trim();
  return address === undefined || address === '' ? peer : networkAddress(address);
}

/**
 * Returns an IPv4 address unchanged, and the /64 network of an IPv6 address, because one customer usually has a whole
 * /64. Returns other text unchanged, cut to 100 characters.
 * @param address an address as sockets and proxies write it: also IPv4-mapped, in brackets, with a port or a zone
 */
export function networkAddress(address: string): string {
  if (isIPv4(address)) return address;
  const withoutPort = (/^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address).replace(
    /^([\d.]+):\d+$/,
    '$1',
  );
  const withoutZone = withoutPort.split('%')[0] ?? '';
  if (isIP(withoutZone) === 0) return address.slice(0, 100);
  const parsed = ipaddr.process(withoutZone);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network}/64`;
}

export interface HttpContext {
  /** The method in upper case. GET for a HEAD request; node:http drops the body of its response. */
  readonly method: string;
  /** The path as the caller sent it, not decoded, without the query and without a leading `/v1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The id of the request; the response contains it as `X-Request-Id`. */
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** The network that limits count the caller by: an IPv4 address or an IPv6 /64. */
  readonly callerNetwork: string;
  /** True when the request comes from this machine, not through a proxy, and its Host is a loopback name or address. */
  readonly isLocal: boolean;
  /** True when the request comes from a page of an origin that the operator has allowed. */
  readonly isAllowedOrigin: boolean;
  readonly record: RequestRecord;
  /** Reads the whole body; call it once. @throws Failure BODY_TOO_LARGE (also if decompressed), UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT, INVALID_JSON */
  readText(maxBytes?: number): Promise<string>;
  /** Yields the body without a size limit; call it once. @throws Failure UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT; INVALID_JSON if the connection breaks */
  readChunks(): AsyncIterable<Uint8Array>;
}

const VALID_REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
// A web page can point its own domain at 127.0.0.1 (DNS rebinding); the browser then sends that name as Host.
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])?(?::\d+)?$/i;
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

export interface HttpContextOptions {
  readonly maxBodyBytes: number;
  /** Maximum time without a byte of a body, in milliseconds. Default 30,000. */
  readonly bodyIdleTimeoutMs?: number | undefined;
  /** Number of proxies in front of the service that write X-Forwarded-For. */
  readonly trustedProxies: number;
  /** Exact origins whose pages may call the service. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/** The reason of every abort: creating one for each request takes longer than the rest of its end. */
const RESPONSE_CLOSED = new DOMException('The response has closed.', 'AbortError');

/** Creates the `HttpContext` for a request of node:http. Its `signal` aborts when `response` closes. */
export function createHttpContext(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBodyBytes, bodyIdleTimeoutMs, trustedProxies, allowedOrigins }: HttpContextOptions,
): HttpContext {
  const url = request.url ?? '/';
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  const requestId = requestIdOf(request);
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort(RESPONSE_CLOSED));
  return {
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    path: path.startsWith('/v1/') ? path.slice(3) : path,
    query: new URLSearchParams(queryStart === -1 ? '' : url.slice(queryStart + 1)),
    headers: request.headers,
    requestId,
    signal: disconnected.signal,
    callerNetwork: callerAddress(request, trustedProxies),
    isLocal:
      LOOPBACK.has(request.socket.remoteAddress ?? '') &&
      PROXY_HEADERS.every(name => request.headers[name] === undefined) &&
      LOOPBACK_HOST.test(request.headers.host ?? ''),
    isAllowedOrigin: allowedOrigins.has(request.headers.origin ?? ''),
    record: new RequestRecord(requestId),
    readText: (maxBytes = maxBodyBytes) =>
      readTextBody(request, response, Math.min(maxBytes, maxBodyBytes), bodyIdleTimeoutMs),
    readChunks: () => readBodyChunks(request, response, bodyIdleTimeoutMs),
  };
}

/** Returns the caller's `X-Request-Id` if it is safe to log and to return, else a new UUID. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && VALID_REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
}

/** Maximum nesting of lists and objects in JSON from callers: code that reads JSON often recurses for each level. */
const MAX_JSON_DEPTH = 100;
/** Maximum number of values in JSON from callers. Validating takes microseconds for each: those of a megabyte would hold up other callers. */
const MAX_JSON_VALUES = 10_000;

/** Matches escaped backslashes, and escapes of surrogates in JSON: pairs and halves. */
const SURROGATE_ESCAPES =
  /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}/g;
const HALF_ESCAPE_LENGTH = 6;

/** Replaces each escape of half a surrogate pair by U+FFFD: strict parsers of our responses would refuse it. */
export const replaceHalfCharacters = (json: string): string =>
  /\\u[dD][89a-fA-F]/.test(json)
    ? json.replace(SURROGATE_ESCAPES, found => (found.length === HALF_ESCAPE_LENGTH ? '\\ufffd' : found))
    : json;

/** Parses JSON from a caller, without halves of surrogate pairs. @throws Failure INVALID_JSON; VALIDATION_ERROR if it is too deep or has too many values */
export function parseJson(text: string, name = 'The body'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(replaceHalfCharacters(text));
  } catch (cause) {
    throw new Failure('INVALID_JSON', `${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
  assertJsonSize(value);
  return value;
}

/** @throws Failure VALIDATION_ERROR if JSON from a caller is nested too deeply or has too many values */
export function assertJsonSize(value: unknown): void {
  const error = jsonSizeError(value);
  if (error !== null) throw new Failure('VALIDATION_ERROR', error);
}

/** Returns the limit that JSON from a caller exceeds, as a sentence; null for none. */
export function jsonSizeError(value: unknown): string | null {
  let level = [value].filter(isContainer);
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_JSON_DEPTH) return `JSON may be nested ${MAX_JSON_DEPTH} levels deep.`;
    const inner: object[] = [];
    for (const container of level) {
      const own = Object.values(container);
      values += own.length;
      if (values > MAX_JSON_VALUES)
        return `The lists and objects in JSON may have ${MAX_JSON_VALUES.toLocaleString('en')} values together.`;
      for (const one of own) if (isContainer(one)) inner.push(one);
    }
    level = inner;
  }
  return null;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @throws Failure UNSUPPORTED_MEDIA_TYPE unless the type is `application/json` or one such as `application/graphql+json` */
export function assertJsonType({ headers }: Pick<HttpContext, 'headers'>): void {
  if (/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as JSON, with "Content-Type: application/json".',
  );
}

/** @throws Failure UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, REQUEST_TIMEOUT, INVALID_JSON, VALIDATION_ERROR */
export async function readJsonBody(http: HttpContext, maxBytes?: number): Promise<unknown> {
  assertJsonType(http);
  return parseJson(await http.readText(maxBytes));
}
