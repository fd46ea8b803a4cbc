/** The node:http server: timeouts, header limits, start and stop. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterMs, race } from '../../async/race.ts';

/** Default of the maximum time from the first byte of a request to the end of its headers, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Maximum time from the first byte of a request to the end of its body, in milliseconds. It ends endless uploads. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** Number of times that node:http checks the timeouts of requests within the maximum time for headers. */
const TIMEOUT_CHECKS = 5;
/** Maximum size of the path, the query and the headers of one request together, in bytes. */
export const MAX_HEADERS_BYTES = 16_384;
/**
 * Idle time after which the server closes a kept-open connection, in milliseconds. Most proxies close it after 60 s: if the
 * server closed it earlier, they could send a request into a closed connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Creates a node:http server with the timeouts and header limits of the service. It does not listen yet.
 * @param headersTimeoutMs maximum time from the first byte of a request to the end of its headers
 */
export const createHttpServer = (headersTimeoutMs = HEADERS_TIMEOUT_MS): Server =>
  createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: headersTimeoutMs / TIMEOUT_CHECKS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // node:http would refuse such requests without a body: `hostFailure` refuses them.
    requireHostHeader: false,
    // Some HTTP clients offer `Upgrade: h2c` with every request: handle those like other requests.
    shouldUpgradeCallback: request => request.headers.upgrade?.toLowerCase() === 'websocket',
  });

/** Starts to listen. @param port 0 for any free port @returns the URL and the port that the server listens on */
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

/**
 * Accepts no more connections, and resolves when the last open connection is closed. At the deadline, closes the
 * connections that are still open.
 * @param deadlineMs time until the deadline, in milliseconds
 */
export async function stopListening(server: Server, deadlineMs: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // A connection with a running request closes after its response, which says `Connection: close`.
  server.close(() => resolve());
  server.closeIdleConnections();
  await race(closed, afterMs(deadlineMs));
  server.closeAllConnections();
  await closed;
}
