/** The user name and password that a session proxy asks its browser for, so that no other program of the machine can use it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The credentials of one session proxy (RFC 9110, 11.7). Only the service and one browser context know them. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * The host of the request with which a browser context signs in. The proxy answers it itself. `.invalid` never resolves
 * (RFC 2606), so the name cannot collide with a site.
 */
export const SIGN_IN_HOST = 'proxy-sign-in.invalid';

/** Number of random bytes in a password: 256 bits. */
const PASSWORD_BYTES = 32;

const CHALLENGE = 'Basic realm="pagespace"';

/** The headers of a 407 response, which asks for credentials. */
export const CHALLENGE_HEADERS = { 'Proxy-Authenticate': CHALLENGE, 'Content-Length': '0' } as const;

/** The 407 response to a CONNECT request without credentials. */
export const CHALLENGE_RESPONSE = `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${CHALLENGE}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

export const createProxyCredentials = (): ProxyCredentials => ({
  username: 'session',
  password: randomBytes(PASSWORD_BYTES).toString('base64url'),
});

/** Returns a function that tells if the headers of a request contain the credentials. It compares in constant time. */
export function credentialsCheck({
  username,
  password,
}: ProxyCredentials): (headers: IncomingHttpHeaders) => boolean {
  const expected = sha256(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  return headers => timingSafeEqual(sha256(headers['proxy-authorization'] ?? ''), expected);
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
