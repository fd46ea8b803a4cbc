import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { certificate } from './certificate.ts';

/** A client's own proxy on loopback. */
export interface ProxyServer extends AsyncDisposable {
  readonly server: string;
  readonly port: number;
  /** The targets of its CONNECT requests. */
  readonly targets: readonly string[];
  /** The Proxy-Authorization headers that it received. */
  readonly credentials: readonly string[];
}

export interface ProxyOptions {
  /** `user:password` that it requires. */
  readonly requiredCredentials?: string;
  /** Sent instead of connecting. */
  readonly response?: string;
  /** The port on loopback that it connects to for every target. Default: the target itself. */
  readonly redirectPort?: number;
  /** True for TLS to the proxy itself, with the certificate of the tests. */
  readonly secure?: boolean;
}

export async function startProxy({
  requiredCredentials,
  response,
  redirectPort,
  secure = false,
}: ProxyOptions = {}): Promise<ProxyServer> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  };
  const server = secure ? createSecureServer(certificate) : createServer();
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    keep(client);
    asked.push(request.url ?? '');
    const sent = request.headers['proxy-authorization'];
    if (sent !== undefined) credentials.push(sent);
    const isAuthorized =
      requiredCredentials === undefined ||
      sent === `Basic ${Buffer.from(requiredCredentials).toString('base64')}`;
    if (!isAuthorized) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (response !== undefined) return void client.end(response);
    const { hostname, port } = new URL(`http://${request.url}`);
    const origin = connect(
      redirectPort ?? Number(port || 80),
      redirectPort === undefined ? hostname : '127.0.0.1',
      () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        origin.pipe(client).pipe(origin);
      },
    );
    keep(origin);
    client.once('close', () => origin.destroy());
    origin.once('close', () => client.destroy());
  });
  server.on('connection', (socket: Socket) => keep(socket));
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  return {
    server: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    targets: asked,
    credentials,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      for (const socket of sockets) socket.destroy();
      await closed.promise;
    },
  };
}
