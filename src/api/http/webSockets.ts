/** The life of WebSockets, whatever they carry: pings, and the ways in which they close. */
import type { WebSocket, WebSocketServer } from 'ws';
import { normalizeText } from '../../domain/space/pageText.ts';

/** Interval of pings. The socket of a client that has not responded by the next ping is terminated. */
const PING_INTERVAL_MS = 12_000;
/** Maximum wait for a client's response to a close frame; then the socket is terminated. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Maximum length of the reason in a close frame, in bytes (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 123;

/**
 * Closes the socket, and terminates it after CLOSE_TIMEOUT_MS if the client does not respond. The reason can contain the caller's text, so it is cut
 * to what a close frame can hold.
 */
export function closeSocket(socket: WebSocket, code: number | undefined, reason: string | undefined): void {
  // Leaves three bytes free: if the cut splits a character, decoding replaces the rest by one of three bytes.
  socket.close(
    code,
    Buffer.from(normalizeText(reason ?? ''))
      .subarray(0, MAX_REASON_BYTES - 3)
      .toString(),
  );
  const cut = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Closes every socket of a server with 1001, and terminates those that do not respond in time. */
export async function closeSockets(server: WebSocketServer): Promise<void> {
  const open = [...server.clients];
  const ends = open.map(socket => new Promise(resolve => socket.once('close', resolve)));
  for (const socket of open) socket.close(1001, 'Going away');
  const cut = setTimeout(() => open.forEach(socket => void socket.terminate()), CLOSE_TIMEOUT_MS);
  await Promise.all(ends);
  clearTimeout(cut);
  server.close();
}

/** Sends pings at intervals; terminates the socket if the client does not respond. @returns a function that stops the pings */
export function startPings(socket: WebSocket): () => void {
  let hasAnswered = true;
  socket.on('pong', () => {
    hasAnswered = true;
  });
  const timer = setInterval(() => {
    if (!hasAnswered) {
      socket.terminate();
      return;
    }
    hasAnswered = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  return () => clearInterval(timer);
}
