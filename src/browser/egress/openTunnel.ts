/** Handles CONNECT requests. https and every WebSocket pass through a tunnel as bytes. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { IDLE_TIMEOUT_MS } from './forwardRequest.ts';

/**
 * The response to CONNECT when there is no tunnel: the same for a refused, an unknown and an unreachable target. Chromium then
 * reports ERR_TUNNEL_CONNECTION_FAILED.
 */
const TUNNEL_FAILED = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const TUNNEL_ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/**
 * Responds to a CONNECT request, and passes bytes between the browser and the origin until one of them closes.
 * @param client the browser's socket, detached from the HTTP server
 * @param head bytes that the browser has sent after its CONNECT
 * @param connection resolves with the socket of the origin, whose address is already checked
 * @param onFailure called with the reason when no tunnel can be opened
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
      // When one side closes, close the other: no half-open connection may remain.
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
