/** The one rule for pages of other origins: only those that the operator has named may call the service, with a key in a header. */
import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from './httpResponse.ts';

type Headers = IncomingMessage['headers'];

/** Headers of answers that pages may read besides those that browsers always show. */
const EXPOSED = 'x-request-id, x-pagespace-version, retry-after, content-disposition';
/** Seconds for which a browser remembers the answer of a preflight. Chromium keeps none longer than two hours. */
const PREFLIGHT_SECONDS = '600';
/** Names of headers, as a browser lists them in a preflight. */
const HEADER_NAMES = /^[a-z0-9-]+(?:, ?[a-z0-9-]+)*$/i;

/** True if the request comes from a page of an origin that the operator has named. @param allowed exact origins */
export const isAllowedOrigin = ({ origin }: Headers, allowed: ReadonlySet<string>): boolean =>
  origin !== undefined && allowed.has(origin);

/**
 * True if the request comes from a page of another origin that the operator has not named. Programs send no `Origin`; a page of
 * the service itself has its host in it.
 */
export function isForeignOrigin(
  { origin, host }: Headers,
  own: string,
  allowed: ReadonlySet<string>,
): boolean {
  if (origin === undefined || origin === own || allowed.has(origin)) return false;
  return URL.parse(origin)?.host !== host;
}

/** Returns the answer to a preflight of an allowed origin; null for every other request. Cookies are never allowed. */
export function preflightResponse(method: string | undefined, headers: Headers): HttpResponse | null {
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
export const crossOriginHeaders = ({ origin = '' }: Headers): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED,
});
