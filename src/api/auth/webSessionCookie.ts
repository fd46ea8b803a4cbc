/** The cookie of a visit: no script reads it, no other site sends it. */
import type { HttpContext } from '../http/httpContext.ts';

// `__Host-` binds it to this host and to TLS; without TLS (a service of one's own, on loopback) browsers refuse such names.
const cookieName = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-pagespace_visit' : 'pagespace_visit';

/** @param seconds how long it is kept; 0 to forget it */
export function webSessionCookie(origin: string, token: string, seconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(origin)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/** The token that a request carries; null without one. */
export function webSessionToken({ headers }: Pick<HttpContext, 'headers'>, origin: string): string | null {
  const name = cookieName(origin);
  for (const part of headers.cookie?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}
