/** Talks to a door as a browser does, and as none would. */
import { request } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { EgressDoor } from '../../../src/browser/egress/egressDoor.ts';
import { listening, stopped } from './attackRig.ts';

export interface Answer {
  readonly status: number | undefined;
  readonly statusMessage: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What is asked beside the address. */
export interface Asking {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a door as a browser asks a proxy. */
export function askDoor(
  through: EgressDoor,
  url: string,
  { method = 'GET', body = '', headers = {} }: Asking = {},
): Promise<Answer> {
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

export const portOfDoor = (through: EgressDoor): number => Number(new URL(through.proxy.server).port);

export const connectTo = (to: number): string => `CONNECT 127.0.0.1:${to} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Sends bytes to a port and gives everything that comes back until the end. */
export function talk(toPort: number, bytes: string, until = (_heard: string) => false): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect({ host: '127.0.0.1', port: toPort });
    socket.on('data', chunk => {
      heard += chunk.toString('latin1');
      if (until(heard)) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
    socket.write(bytes);
  });
}

/** A server on loopback that does with each connection what the test says. */
export async function rawOrigin(
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
    return stopped(server);
  };
  return { port: await listening(server, '127.0.0.1'), [Symbol.asyncDispose]: dispose };
}
