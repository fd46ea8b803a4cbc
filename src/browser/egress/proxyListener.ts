import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The credentials of one session proxy (RFC 9110, 11.7). Only the service and one browser context know them. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

/** The proxy itself answers the request by which a context signs in. `.invalid` never resolves (RFC 2606): no site has this name. */
export const SIGN_IN_HOST = 'proxy-sign-in.invalid';

const PASSWORD_BYTES = 32;

const CHALLENGE = 'Basic realm="pagespace"';

export const CHALLENGE_HEADERS = { 'Proxy-Authenticate': CHALLENGE, 'Content-Length': '0' } as const;

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

export interface ListeningAddress {
  /** The URL of the server, as its browser sees it. */
  readonly url: string;
  /** The TCP port of this machine that is in use; null if the address is in another network namespace. */
  readonly port: number | null;
}

/** Accepts connections for HTTP servers. Close a server with its own `close`. */
export interface ProxyListener {
  /** Gives the server an address of its own. @throws Error when no address or port is free */
  listen(server: Server): Promise<ListeningAddress>;
}

export const loopbackListener: ProxyListener = {
  async listen(server) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    // A listening TCP socket always has an object as its address, never a path.
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, port };
  },
};
