import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { afterMs, race } from '../../async/race.ts';
import { toWellFormedJson } from '../../domain/space/pageText.ts';
import { ACCEPTED_ENCODINGS, type HttpContext } from './httpContext.ts';

type Headers = Readonly<Record<string, string>>;

export interface HttpResponse {
  readonly status: number;
  /** Headers by name; the names are in lower case. */
  readonly headers: Headers;
  /** The body; null for an empty body. Server-sent events and downloads are streams. */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** Creates a response with a JSON body, which caches must not store. `headers` replace the default ones. */
export const jsonResponse = (status: number, body: unknown, headers: Headers = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: toWellFormedJson(body),
});

/** Returns a copy of the response with these headers, which replace headers of the same name. */
export const withHeaders = (response: HttpResponse, headers: Headers): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

/** The headers of a failure: `WWW-Authenticate` (401), `Accept-Encoding` (415), `Retry-After` (429, 503, and with `retryAfterSeconds`). */
export function failureHeaders(failure: {
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
}): Record<string, string> {
  const headers: Record<string, string> = {};
  if (failure.status === 401) headers['www-authenticate'] = 'Bearer';
  if (failure.status === 415) headers['accept-encoding'] = ACCEPTED_ENCODINGS;
  if (failure.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.ceil(failure.retryAfterSeconds));
  else if (failure.status === 503 || failure.status === 429) headers['retry-after'] = '5';
  return headers;
}

/** Minimum size of a body to compress. A shorter body fits into one or two packets anyway. */
const MIN_COMPRESSED_BYTES = 2_048;
/** Bodies above this size are compressed with the lowest effort: they consist mostly of images, which hardly shrink. */
const LARGE_BODY_BYTES = 200_000;

const brotliAsync = promisify(brotliCompress);
export const gzipAsync = promisify(gzip);

const ENCODERS = {
  // Brotli 4 and gzip 6 reduce an observation of 18 to 40 kB to 3 kB in 0.2 ms.
  br: (body: Buffer) =>
    brotliAsync(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: body.byteLength > LARGE_BODY_BYTES ? 1 : 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    }),
  gzip: (body: Buffer) => gzipAsync(body, { level: body.byteLength > LARGE_BODY_BYTES ? 1 : 6 }),
} as const;
type Encoding = keyof typeof ENCODERS;

/** Compresses (brotli or gzip) a body of JSON of at least 2 kB if the caller accepts it and is not on this machine, which does not need it. */
export async function compressResponse(
  response: HttpResponse,
  { headers, isLocal }: Pick<HttpContext, 'headers' | 'isLocal'>,
): Promise<HttpResponse> {
  if (typeof response.body !== 'string' || response.body.length < MIN_COMPRESSED_BYTES) return response;
  if (!/^application\/(?:[\w.+-]+\+)?json\b/.test(response.headers['content-type'] ?? '')) return response;
  const varyingHeaders = { ...response.headers, vary: 'accept-encoding' };
  const encoding = isLocal ? null : negotiateEncoding(headers['accept-encoding']);
  if (encoding === null) return { ...response, headers: varyingHeaders };
  const body = await ENCODERS[encoding](Buffer.from(response.body));
  return { ...response, headers: { ...varyingHeaders, 'content-encoding': encoding }, body };
}

/** Returns the encoding with the highest weight (RFC 9110, 12.5.3), of equal ones brotli; null if the caller accepts neither. */
function negotiateEncoding(header: string | string[] | undefined): Encoding | null {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...params] = part.toLowerCase().split(';');
    const weight = params.map(param => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find(q => q !== undefined);
    weights.set(name.trim(), weight === undefined ? 1 : Number(weight));
  }
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best: Encoding = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 ? best : null;
}

type RequestHeaders = IncomingMessage['headers'];

/** Headers of answers that pages may read besides those that browsers always show. */
const EXPOSED = 'x-request-id, x-pagespace-version, retry-after, content-disposition';
/** Seconds for which a browser remembers the answer of a preflight. Chromium keeps none longer than two hours. */
const PREFLIGHT_SECONDS = '600';
const HEADER_NAMES = /^[a-z0-9-]+(?:, ?[a-z0-9-]+)*$/i;

/** True for a page of an origin that the operator has not named. Programs send no `Origin`; pages of the service have its host in it. */
export function isForeignOrigin(
  { origin, host }: RequestHeaders,
  own: string,
  allowed: ReadonlySet<string>,
): boolean {
  if (origin === undefined || origin === own || allowed.has(origin)) return false;
  return URL.parse(origin)?.host !== host;
}

/** Returns the answer to a preflight of an allowed origin; null for every other request. Cookies are never allowed. */
export function preflightResponse(method: string | undefined, headers: RequestHeaders): HttpResponse | null {
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined) return null;
  const names = headers['access-control-request-headers'] ?? '';
  return {
    status: 200,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-max-age': PREFLIGHT_SECONDS,
      ...(HEADER_NAMES.test(names) && { 'access-control-allow-headers': names }),
    },
    body: null,
  };
}

/** Returns the headers by which a browser gives an answer to the page of an allowed origin. */
export const crossOriginHeaders = ({ origin = '' }: RequestHeaders): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED,
});

/** Headers of every response: browsers must not guess its type, show it in a frame, or send its URL to other sites. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** A connection on which a response sends nothing for this time is closed. Milliseconds. Event streams send comments more often. */
const RESPONSE_IDLE_TIMEOUT_MS = 60_000;
/** Maximum time for which the service receives and discards a body that no handler reads, in milliseconds. */
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Sends a response. Resolves when all of it is written or the caller has disconnected.
 * @param headers headers of every response; `result.headers` replace them
 * @param streamsEnd aborts when event streams must end because the service shuts down
 * @param idleTimeoutMs maximum time in which the caller reads nothing; then the connection is closed
 */
export async function sendResponse(
  result: HttpResponse,
  headers: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
  streamsEnd: AbortSignal,
  idleTimeoutMs = RESPONSE_IDLE_TIMEOUT_MS,
): Promise<void> {
  if (response.destroyed) return;
  response.setTimeout(idleTimeoutMs);
  const bodyIsUnread = !request.complete && hasBody(request);
  const close = bodyIsUnread || streamsEnd.aborted;
  const all: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...headers,
    ...result.headers,
    ...(close && { connection: 'close' }),
  };
  // nginx would keep the events of a stream until its buffer is full.
  if (all['content-type']?.startsWith('text/event-stream')) all['x-accel-buffering'] = 'no';
  // A cache must not give the answer for one origin to another.
  if (all['access-control-allow-origin'] !== undefined)
    all.vary = [all.vary, 'origin'].filter(Boolean).join(', ');
  const body = encodeIfLong(result.body ?? '');
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    response.writeHead(result.status, all);
    await pipeStream(body, response, streamsEnd);
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(result.status, { ...all, 'content-length': length });
  if (!bodyIsUnread) {
    response.end(body);
    return;
  }
  // Closing the connection while the caller sends would reset it, and the caller would lose the response.
  response.flushHeaders();
  response.write(body);
  await drainRequest(request);
  response.end();
}

/** A longer text is encoded before it is sent. Characters. */
const LONG_BODY_LENGTH = 32_000;

/** Encodes a long text, which has to be encoded for its length anyway. A short one goes to the connection in one piece with the headers. */
const encodeIfLong = <Body>(body: Body): Body | Uint8Array =>
  typeof body === 'string' && body.length > LONG_BODY_LENGTH ? Buffer.from(body) : body;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Receives and discards the rest of the request body, for at most five seconds; then closes the connection. */
async function drainRequest(request: IncomingMessage): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  request.once('close', resolve).once('end', resolve).resume();
  await race(ended, afterMs(DRAIN_TIMEOUT_MS));
  if (!request.complete) request.destroy();
}

async function pipeStream(
  stream: ReadableStream<Uint8Array>,
  response: ServerResponse,
  streamsEnd: AbortSignal,
): Promise<void> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  response.once('close', stop);
  streamsEnd.addEventListener('abort', stop, { once: true });
  if (streamsEnd.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await waitForDrain(response);
    }
  } finally {
    streamsEnd.removeEventListener('abort', stop);
    // The headers did not contain `Connection: close`, so shutdown must close the connection itself.
    response.end(() => streamsEnd.aborted && response.socket?.destroySoon());
  }
}

async function waitForDrain(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

/**
 * Writes a response that is a text to a connection, and ends the connection. What the caller goes on sending is received and discarded for
 * at most five seconds: closing the connection at once would reset it, and the caller would lose the response.
 * @param headers headers of every response; `result.headers` replace them
 */
export function endWithResponse(
  socket: Duplex,
  { status, headers: own, body }: HttpResponse,
  headers: Readonly<Record<string, string>>,
): void {
  const text = typeof body === 'string' ? body : '';
  const length = String(Buffer.byteLength(text));
  const all = { ...SECURITY_HEADERS, ...headers, ...own, connection: 'close', 'content-length': length };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), DRAIN_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(cut));
}

export const endConnection = (socket: Duplex): void => (socket as Socket).destroySoon();
