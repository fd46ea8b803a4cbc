/** The cookie of a web session: scripts cannot read it, and browsers do not send it from other sites. */

import type { Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { RateLimit, WalletAuth } from '../../service/pagespace.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { countRefusals } from './authenticate.ts';

// `__Host-` binds the cookie to this host and to TLS. Without TLS, as on loopback, browsers refuse that prefix.
const cookieName = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-pagespace_visit' : 'pagespace_visit';

/**
 * Returns the value of the `Set-Cookie` header that stores the token of a web session.
 * @param origin the service's own origin: with `https:` the cookie gets the prefix `__Host-` and `Secure`
 * @param seconds lifetime of the cookie; 0 deletes it
 */
export function webSessionCookie(origin: string, token: string, seconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(origin)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/**
 * Returns the token of a web session in the request's cookies; null if it has none.
 * @param origin the service's own origin
 */
export function webSessionToken({ headers }: Pick<HttpContext, 'headers'>, origin: string): string | null {
  const name = cookieName(origin);
  for (const part of headers.cookie?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}

/**
 * Requires that the header `Origin` is the service's own origin. Browsers send it with every POST and pages cannot set
 * it, so a request without it is refused too.
 * @throws Failure ORIGIN_REFUSED
 */
export function assertOwnOrigin({ headers }: Pick<HttpContext, 'headers'>, origin: string): void {
  if (headers.origin === origin) return;
  throw new Failure(
    'ORIGIN_REFUSED',
    `Wallet sign-in works only on ${origin}. Open the page there, or use an API key.`,
  );
}

/**
 * Authenticates a request by the cookie of a web session, which the home page uses. Accepts the cookie only for POST
 * requests without an `Authorization` header that do not ask for server-sent events.
 * @param origin the service's own origin
 * @returns the viewer; null if the cookie is missing or not accepted, so that the request needs an API key
 * @throws Failure ORIGIN_REFUSED, WALLET_REFUSED, RATE_LIMITED
 */
export async function webSessionViewer(
  service: WalletAuth & Pick<RateLimit, 'countRefusedKey'>,
  http: HttpContext,
  origin: string,
): Promise<Viewer | null> {
  const { headers, method } = http;
  if (headers.authorization !== undefined || method !== 'POST') return null;
  if (headers.accept?.includes('text/event-stream') === true) return null;
  const token = webSessionToken(http, origin);
  if (token === null) return null;
  assertOwnOrigin(http, origin);
  const viewer = await countRefusals(service, http.callerNetwork, () =>
    service.authenticateWebSession(token),
  );
  http.record.accountId = viewer.account.id;
  return { ...viewer, kind: 'person' };
}
