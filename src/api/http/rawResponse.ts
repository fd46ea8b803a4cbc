/** Responses on connections for which node:http has no response object. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpResponse } from './httpResponse.ts';
import { DRAIN_TIMEOUT_MS, SECURITY_HEADERS } from './sendResponse.ts';

/**
 * Writes a response that is a text to a connection, and ends the connection. What the caller goes on sending is received and discarded for
 * at most five seconds: closing the connection at once would reset it, and the caller would lose the response.
 * @param headers headers of every response; `result.headers` replace them
 */
export function endWithResponse(
  socket: Duplex,
  { status, headers: own, body }: HttpResponse,
  headers: Readonly<Record<string, string>>,
): void {
  const text = typeof body === 'string' ? body : '';
  const length = String(Buffer.byteLength(text));
  const all = { ...SECURITY_HEADERS, ...headers, ...own, connection: 'close', 'content-length': length };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), DRAIN_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Sends what was written to a connection, then closes it. */
export const endConnection = (socket: Duplex): void => (socket as Socket).destroySoon();
