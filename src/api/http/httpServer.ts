/** The node:http server: timeouts, header limits, start and stop. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterMs, race } from '../../async/race.ts';

/** Maximum time from the first byte of a request to the end of its headers. Milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Maximum time from the first byte of a request to the end of its body, so that slow uploads end. Milliseconds. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** How often node:http checks the two timeouts above. Milliseconds. */
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;
const MAX_HEADERS_BYTES = 16_384;
/**
 * Idle time after which the server closes a connection. Most proxies close it after 60 s: if the server closed it
 * earlier, they could send into a closed connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Creates a server that does not listen yet. */
export const createHttpServer = (): Server =>
  createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Some HTTP clients offer `Upgrade: h2c` with every request: handle those like other requests.
    shouldUpgradeCallback: request => request.headers.upgrade?.toLowerCase() === 'websocket',
  });

/** @param port 0 for any free port */
export async function startListening(
  server: Server,
  host: string,
  port: number,
): Promise<{ url: string; port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}`, port: actualPort };
}

/** Accepts no more connections, and resolves when the last one is closed. At the deadline closes the remaining ones. */
export async function stopListening(server: Server, deadlineMs: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // A connection with a running request closes after its response, which says `Connection: close`.
  server.close(() => resolve());
  server.closeIdleConnections();
  await race(closed, afterMs(deadlineMs));
  server.closeAllConnections();
  await closed;
}

/** Answers an upgrade with an error and closes the connection. */
export function rejectUpgrade(socket: Duplex, status: string, headers = ''): void {
  // The caller may have disconnected; its reset is not an error of the service.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
