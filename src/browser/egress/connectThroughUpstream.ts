/** Asks a session's own proxy for a connection to an address that was judged before. */
import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SocksClient } from 'socks';
import { formatProxyUrl, type UpstreamProxy } from '../../domain/upstreamProxy.ts';
import type { ResolvedAddress } from './checkTarget.ts';

/** The proxy made no connection; the message goes on after the proxy's address, and holds no secret. */
export class UpstreamFailed extends Error {
  constructor(upstream: UpstreamProxy, what: string, cause?: unknown) {
    super(`the session's proxy ${formatProxyUrl(upstream)} ${what}`, { cause });
    this.name = 'UpstreamFailed';
  }
}

/** How long the proxy may take to connect to the target. */
const RESPONSE_TIMEOUT_MS = 20_000;

/**
 * The proxy is told the judged address, never the name: it would resolve it a second time, to what it likes.
 * TLS is not touched by that: the name is inside.
 * @param socket connected to the proxy
 * @returns a socket that speaks to the target
 * @throws UpstreamFailed
 */
export async function connectThroughUpstream(
  socket: Socket,
  upstream: UpstreamProxy,
  target: ResolvedAddress,
  port: number,
): Promise<Socket> {
  try {
    if (upstream.protocol === 'socks5') return await openSocksConnection(socket, upstream, target, port);
    const carrier = upstream.protocol === 'https' ? await connectTlsToProxy(socket, upstream.host) : socket;
    return await openHttpTunnel(carrier, upstream, target, port);
  } catch (error) {
    socket.destroy();
    throw error instanceof UpstreamFailed
      ? error
      : new UpstreamFailed(upstream, describeUpstreamError(error), error);
  }
}

/** TLS to the proxy itself, its certificate checked. */
async function connectTlsToProxy(socket: Socket, host: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const secure = connectTls({
    socket,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  });
  const tooLate = () => secure.destroy(new Error('timed out'));
  secure.setTimeout(RESPONSE_TIMEOUT_MS, tooLate);
  secure.once('error', reject);
  secure.once('close', () => reject(new Error('closed')));
  secure.once('secureConnect', resolve);
  await promise;
  secure.off('error', reject).off('timeout', tooLate).setTimeout(0);
  return secure;
}

/** CONNECT (RFC 9110, 9.3.6), for plain http as well. */
async function openHttpTunnel(
  socket: Socket,
  upstream: UpstreamProxy,
  { address, family }: ResolvedAddress,
  port: number,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const authority = family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  const { credentials } = upstream;
  const asking = request({
    method: 'CONNECT',
    path: authority,
    setHost: false,
    headers: {
      host: authority,
      ...(credentials !== null && {
        'proxy-authorization': `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
      }),
    },
    createConnection: () => socket,
  });
  asking.setTimeout(RESPONSE_TIMEOUT_MS, () => asking.destroy(new Error('timed out')));
  asking.once('error', reject);
  asking.once('connect', ({ statusCode = 0 }, tunnel: Socket, head) => {
    if (statusCode === 407)
      reject(new UpstreamFailed(upstream, 'wants another user name and password (407)'));
    else if (statusCode < 200 || statusCode > 299)
      reject(new UpstreamFailed(upstream, `refused to connect to it (${statusCode})`));
    else {
      if (head.length > 0) tunnel.unshift(head);
      tunnel.setTimeout(0);
      resolve(tunnel);
    }
  });
  asking.end();
  return promise;
}

/** RFC 1929: the lengths of name and password are one byte each. */
const MAX_SOCKS_CREDENTIAL_BYTES = 255;

async function openSocksConnection(
  socket: Socket,
  upstream: UpstreamProxy,
  target: ResolvedAddress,
  port: number,
): Promise<Socket> {
  const { host, port: proxyPort, credentials } = upstream;
  // The library finds out when the proxy asks for them, in an event of the socket, where nobody could catch it.
  if (Object.values(credentials ?? {}).some(text => Buffer.byteLength(text) > MAX_SOCKS_CREDENTIAL_BYTES))
    throw new UpstreamFailed(
      upstream,
      `takes ${MAX_SOCKS_CREDENTIAL_BYTES} bytes of user name and of password at most`,
    );
  const connection = await SocksClient.createConnection({
    proxy: {
      host,
      port: proxyPort,
      type: 5,
      ...(credentials !== null && { userId: credentials.username, password: credentials.password }),
    },
    command: 'connect',
    destination: { host: target.address, port },
    existing_socket: socket,
    timeout: RESPONSE_TIMEOUT_MS,
  });
  return connection.socket;
}

/** What went wrong, in words; nothing that the other side wrote. */
function describeUpstreamError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/authentication/i.test(message)) return 'wants another user name and password';
  if (/timed out/i.test(message)) return 'did not answer in time';
  if (/rejected connection/i.test(message)) return 'refused to connect to it';
  if (/^(ERR_TLS|CERT|DEPTH|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code))
    return `has no valid TLS (${code})`;
  if (/^HPE_/.test(code)) return 'did not answer as a proxy does';
  return 'broke off the connection';
}
