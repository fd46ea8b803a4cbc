/** Where a request comes from. */
import type { IncomingMessage } from 'node:http';

/**
 * The caller's network address.
 * @param trustedProxies how many proxies stand before the service: the address is the one that the outermost of them
 * wrote into X-Forwarded-For. With 0 the header, which anybody can send, is not read.
 */
export function callerAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return peer;
  const named = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = named.at(-trustedProxies)?.trim();
  return address === undefined || address === '' ? peer : address.slice(0, 100);
}
