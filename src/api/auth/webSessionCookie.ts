/** The cookie of a web session: scripts cannot read it, and browsers do not send it from other sites. */
import type { HttpContext } from '../http/httpContext.ts';

// `__Host-` binds the cookie to this host and to TLS. Without TLS, as on loopback, browsers refuse that prefix.
const cookieName = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-pagespace_visit' : 'pagespace_visit';

/**
 * Returns the value of a Set-Cookie header.
 * @param origin the service's own
 * @param seconds the lifetime; 0 deletes the cookie
 */
export function webSessionCookie(origin: string, token: string, seconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(origin)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/** Returns the token in a request's cookies, or null. */
export function webSessionToken({ headers }: Pick<HttpContext, 'headers'>, origin: string): string | null {
  const name = cookieName(origin);
  for (const part of headers.cookie?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}
