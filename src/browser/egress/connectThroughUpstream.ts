import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { formatProxyUrl, type UpstreamProxy } from '../../domain/session/upstreamProxy.ts';
import type { ResolvedAddress } from './checkTarget.ts';

/** The error when the session's own proxy does not connect to a target. Its message contains no credentials. */
export class UpstreamFailed extends Error {
  /** @param what what the proxy did, as the end of a sentence: 'did not respond in time' */
  constructor(upstream: UpstreamProxy, what: string, cause?: unknown) {
    super(`the session's proxy ${formatProxyUrl(upstream)} ${what}`, { cause });
    this.name = 'UpstreamFailed';
  }
}

/** Maximum silence of the session's proxy in each handshake, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 20_000;

/**
 * Connects to a target through the session's own proxy. The proxy receives the checked IP address, never the host name:
 * it would resolve the name again, perhaps to another address. The browser's TLS still uses the name.
 * @param socket connected to the proxy; destroyed if the connection fails
 * @throws UpstreamFailed if the proxy does not connect to the target
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

async function connectTlsToProxy(socket: Socket, host: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const secure = connectTls({
    socket,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  });
  const onTimeout = () => secure.destroy(new Error('timed out'));
  secure.setTimeout(RESPONSE_TIMEOUT_MS, onTimeout);
  secure.once('error', reject);
  secure.once('close', () => reject(new Error('closed')));
  secure.once('secureConnect', resolve);
  await promise;
  secure.off('error', reject).off('timeout', onTimeout).setTimeout(0);
  return secure;
}

/** Asks an HTTP proxy with CONNECT for a tunnel to the target (RFC 9110, 9.3.6), also for plain-http requests. */
async function openHttpTunnel(
  socket: Socket,
  upstream: UpstreamProxy,
  { address, family }: ResolvedAddress,
  port: number,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const authority = family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  const { credentials } = upstream;
  const outgoing = request({
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
  outgoing.setTimeout(RESPONSE_TIMEOUT_MS, () => outgoing.destroy(new Error('timed out')));
  outgoing.once('error', reject);
  outgoing.once('connect', ({ statusCode = 0 }, tunnel: Socket, head) => {
    if (statusCode === 407)
      reject(new UpstreamFailed(upstream, 'did not accept the user name and password (407)'));
    else if (statusCode < 200 || statusCode > 299)
      reject(new UpstreamFailed(upstream, `refused to connect to it (${statusCode})`));
    else {
      if (head.length > 0) tunnel.unshift(head);
      tunnel.setTimeout(0);
      resolve(tunnel);
    }
  });
  outgoing.end();
  return promise;
}

/** Maximum length of the user name, and of the password, of a SOCKS proxy: RFC 1929 stores each length in one byte. */
const MAX_SOCKS_CREDENTIAL_BYTES = 255;

async function openSocksConnection(
  socket: Socket,
  upstream: UpstreamProxy,
  target: ResolvedAddress,
  port: number,
): Promise<Socket> {
  const { host, port: proxyPort, credentials } = upstream;
  // Check here: the library would throw in an event of the socket, where the error cannot be caught.
  if (Object.values(credentials ?? {}).some(text => Buffer.byteLength(text) > MAX_SOCKS_CREDENTIAL_BYTES))
    throw new UpstreamFailed(
      upstream,
      `accepts a user name and a password of at most ${MAX_SOCKS_CREDENTIAL_BYTES} bytes each`,
    );
  // Few sessions have a SOCKS proxy.
  const { SocksClient } = await import('socks');
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

/** Returns the end of the sentence "the session's proxy …" for an error. It contains no text from the proxy. */
function describeUpstreamError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/authentication/i.test(message)) return 'did not accept the user name and password';
  if (/timed out/i.test(message)) return 'did not respond in time';
  if (/rejected connection/i.test(message)) return 'refused to connect to it';
  if (/^(ERR_TLS|CERT|DEPTH|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code))
    return `failed in the TLS handshake (${code})`;
  if (/^HPE_/.test(code)) return 'did not respond as a proxy';
  return 'closed the connection';
}
