/** One HTTP request and its answer, as the handlers see them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerAddress } from './callerAddress.ts';
import { ACCEPTED_ENCODINGS, readBodyChunks, readTextBody } from './readBody.ts';

/** What a handler answers. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, or as it comes (server-sent events). */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** One request. */
export interface HttpContext {
  /** Upper case; a HEAD is handled as the GET that it asks about. */
  readonly method: string;
  /** Decoded by nobody: as it was sent, without the query. `/v1` is cut off. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Echoed in `X-Request-Id`. */
  readonly requestId: string;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** The network that the caller is counted by. */
  readonly callerNetwork: string;
  /** Whether the peer is this machine itself, with no proxy between, and means it: not under a name that leads here. */
  readonly isLocal: boolean;
  /**
   * Reads the body, once, unpacked.
   * @param mostBytes bounds it below what bodies may have at most
   * @throws Failure BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT, INVALID_JSON
   */
  readText(mostBytes?: number): Promise<string>;
  /** The body as it comes, once, unbounded: who reads it bounds it. What is not read is let go by. @throws Failure UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT, INVALID_JSON when it breaks off */
  readChunks(): AsyncIterable<Uint8Array>;
}

/** Answers, or null when the request is not its own. */
export type Handler = (exchange: HttpContext) => Promise<HttpResponse | null> | HttpResponse | null;

const VALID_REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
// A page of the web may lead a name of its own here (DNS rebinding); the browser then sends that name.
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])?(?::\d+)?$/i;
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

/**
 * The request of node:http as an Exchange.
 * @param options the largest body that is read, in bytes; how long a body may pause; how many proxies stand before the service
 */
export function createHttpContext(
  request: IncomingMessage,
  response: ServerResponse,
  options: { maxBytes: number; bodyPauseMs?: number | undefined; trustedProxies: number },
): HttpContext {
  const { maxBytes, bodyPauseMs, trustedProxies } = options;
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const sent = request.headers['x-request-id'];
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return {
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    path: path.startsWith('/v1/') ? path.slice(3) : path,
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
    headers: request.headers,
    requestId: typeof sent === 'string' && VALID_REQUEST_ID.test(sent) ? sent : crypto.randomUUID(),
    signal: gone.signal,
    callerNetwork: callerAddress(request, trustedProxies),
    isLocal:
      LOOPBACK.has(request.socket.remoteAddress ?? '') &&
      PROXY_HEADERS.every(name => request.headers[name] === undefined) &&
      LOOPBACK_HOST.test(request.headers.host ?? ''),
    readText: (mostBytes = maxBytes) =>
      readTextBody(request, response, Math.min(mostBytes, maxBytes), bodyPauseMs),
    readChunks: () => readBodyChunks(request, response, bodyPauseMs),
  };
}

/** An answer in JSON. */
export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** The same answer with more headers. */
export const withHeaders = (
  answer: HttpResponse,
  headers: Readonly<Record<string, string>>,
): HttpResponse => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/** Whether a Content-Type names JSON (`application/json`, `application/graphql+json`). */
export const isJsonType = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');

/** Headers that go with a failure wherever it is told. */
export function failureHeaders(facts: {
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
}): Record<string, string> {
  const headers: Record<string, string> = {};
  if (facts.status === 401) headers['www-authenticate'] = 'Bearer';
  if (facts.status === 415) headers['accept-encoding'] = ACCEPTED_ENCODINGS;
  if (facts.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.ceil(facts.retryAfterSeconds));
  else if (facts.status === 503 || facts.status === 429) headers['retry-after'] = '5';
  return headers;
}
