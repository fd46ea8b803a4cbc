/** Sends requests to a proxy, valid and invalid ones. */
import { request } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { ProxyEndpoint } from '../../../src/browser/egress/proxyEndpoint.ts';
import { listen, stopServer } from './egressHarness.ts';

export interface ProxyResponse {
  readonly status: number | undefined;
  readonly statusMessage: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface ProxyRequestOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request through a proxy, as a browser does. */
export function requestThrough(
  through: ProxyEndpoint,
  url: string,
  { method = 'GET', body = '', headers = {} }: ProxyRequestOptions = {},
): Promise<ProxyResponse> {
  const proxy = new URL(through.proxy.server);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: proxy.hostname,
        port: proxy.port,
        path: url,
        method,
        headers: { host: new URL(url).host, ...headers },
      },
      answer => {
        let text = '';
        answer.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          const { statusCode: status, statusMessage, rawHeaders, headers } = answer;
          resolve({ status, statusMessage, rawHeaders, headers, body: text });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const portOfProxy = (through: ProxyEndpoint): number => Number(new URL(through.proxy.server).port);

export const connectRequest = (to: number): string => `CONNECT 127.0.0.1:${to} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Sends bytes to a port. @returns everything received until the connection closes, or until `until` returns true */
export function exchangeBytes(
  toPort: number,
  bytes: string,
  until = (_received: string) => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host: '127.0.0.1', port: toPort });
    socket.on('data', chunk => {
      received += chunk.toString('latin1');
      if (until(received)) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}

/** A TCP server on loopback. @param serve handles each connection */
export async function startRawServer(
  serve: (socket: Socket) => void,
): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer(socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  const dispose = () => {
    for (const socket of sockets) socket.destroy();
    return stopServer(server);
  };
  return { port: await listen(server, '127.0.0.1'), [Symbol.asyncDispose]: dispose };
}
