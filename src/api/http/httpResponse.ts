/** A response before it is sent: status, headers and body. */
import { toWellFormedJson } from '../../domain/space/pageText.ts';
import { ACCEPTED_ENCODINGS } from './readBody.ts';

type Headers = Readonly<Record<string, string>>;

/** The response that a handler returns. */
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

/**
 * Returns the headers that HTTP requires or recommends for a failure: `WWW-Authenticate` for 401, `Accept-Encoding` for
 * 415, `Retry-After` for 429, 503 and a failure with `retryAfterSeconds`.
 */
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
