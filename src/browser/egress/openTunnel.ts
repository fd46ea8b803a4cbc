/** Answers CONNECT: https, and every WebSocket, go through as bytes. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { IDLE_TIMEOUT_MS } from './forwardRequest.ts';

/** The same answer whether the target was refused, unknown or dead. Chromium makes ERR_TUNNEL_CONNECTION_FAILED of it. */
const TUNNEL_FAILED = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const TUNNEL_ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/**
 * Joins the browser's socket to the origin's.
 * @param client the browser's socket, out of the HTTP server's hands
 * @param head what the browser had sent after its CONNECT
 * @param connection the judged connection to the origin
 * @param onFailure told why there is no tunnel
 */
export function openTunnel(
  client: Duplex,
  head: Buffer,
  connection: Promise<Socket>,
  onFailure: (error: Error) => void,
): void {
  client.on('error', () => client.destroy());
  connection.then(
    origin => {
      origin.on('error', () => client.destroy());
      origin.setTimeout(IDLE_TIMEOUT_MS, () => origin.destroy());
      // Whichever side is gone takes the other along: no half-open pair stays.
      origin.once('close', () => client.destroy());
      client.once('close', () => origin.destroy());
      if (client.destroyed) {
        origin.destroy();
        return;
      }
      client.write(TUNNEL_ESTABLISHED);
      if (head.length > 0) origin.write(head);
      origin.pipe(client);
      client.pipe(origin);
    },
    (error: Error) => {
      onFailure(error);
      client.end(TUNNEL_FAILED);
    },
  );
}
