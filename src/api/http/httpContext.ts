/** One HTTP request, as handlers receive it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerAddress } from './callerAddress.ts';
import { isAllowedOrigin } from './crossOrigin.ts';
import { readBodyChunks, readTextBody } from './readBody.ts';
import { RequestRecord } from './requestRecord.ts';

/** One HTTP request, as handlers receive it. */
export interface HttpContext {
  /** The method in upper case. GET for a HEAD request; node:http drops the body of its response. */
  readonly method: string;
  /** The path as the caller sent it, not decoded, without the query and without a leading `/v1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The id of the request; the response contains it as `X-Request-Id`. */
  readonly requestId: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The network that limits count the caller by: an IPv4 address or an IPv6 /64. */
  readonly callerNetwork: string;
  /** True when the request comes from this machine, not through a proxy, and its Host is a loopback name or address. */
  readonly isLocal: boolean;
  /** True when the request comes from a page of an origin that the operator has allowed. */
  readonly isAllowedOrigin: boolean;
  /** Collects the fields of the request's log line. */
  readonly record: RequestRecord;
  /**
   * Reads and decompresses the whole body. Call it once.
   * @param maxBytes maximum size, compressed and decompressed; the limit of the server applies too
   * @throws Failure BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT, INVALID_JSON
   */
  readText(maxBytes?: number): Promise<string>;
  /**
   * Yields the body in chunks without a size limit; the consumer applies its own. Call it once.
   * @throws Failure UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT; INVALID_JSON when the connection breaks
   */
  readChunks(): AsyncIterable<Uint8Array>;
}

const VALID_REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
// A web page can point its own domain at 127.0.0.1 (DNS rebinding); the browser then sends that name as Host.
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])?(?::\d+)?$/i;
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

/** Limits on request bodies, and the number of proxies in front of the service. */
export interface HttpContextOptions {
  /** Maximum size of a body that `readText` reads. */
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
    isAllowedOrigin: isAllowedOrigin(request.headers, allowedOrigins),
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
