/** Where a request comes from. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The network that the caller is counted by.
 * @param trustedProxies how many proxies stand before the service: the address is the one that the outermost of them
 * wrote into X-Forwarded-For. With 0 the header, which anybody can send, is not read.
 */
export function callerAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const peer = networkAddress(request.socket.remoteAddress ?? 'unknown');
  if (trustedProxies === 0) return peer;
  const named = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = named.at(-trustedProxies)?.trim();
  return address === undefined || address === '' ? peer : networkAddress(address);
}

/**
 * What one caller has to itself: an IPv4 address, or the first 64 bits of an IPv6 address, for whoever has one
 * has all that begin so.
 * @param address as sockets and proxies write it: IPv4 in IPv6's clothes, in brackets, with a port or a zone
 */
export function networkAddress(address: string): string {
  const bare = (/^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address).replace(/^([\d.]+):\d+$/, '$1');
  const plain = bare.split('%')[0] ?? '';
  if (isIP(plain) === 0) return address.slice(0, 100);
  const parsed = ipaddr.process(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network}/64`;
}
