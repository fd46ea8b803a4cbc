/** The cookie of a web session: scripts cannot read it, and browsers do not send it from other sites. */
import type { HttpContext } from '../http/httpContext.ts';

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
