/** Determines a caller's network, by which limits count callers. */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the caller's network, which limits count callers by: an IPv4 address or an IPv6 /64.
 * @param trustedProxies number of proxies in front of the service. The caller's address is then the entry that the
 * outermost of them wrote into X-Forwarded-For. With 0 the header is ignored, because any caller can send it.
 */
export function callerAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const peer = networkAddress(request.socket.remoteAddress ?? 'unknown');
  if (trustedProxies === 0) return peer;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = forwarded.at(-trustedProxies)?.trim();
  return address === undefined || address === '' ? peer : networkAddress(address);
}

/**
 * Returns an IPv4 address unchanged, and the /64 network of an IPv6 address, because one customer usually has a whole
 * /64. Returns other text unchanged, cut to 100 characters.
 * @param address an address as sockets and proxies write it: also IPv4-mapped, in brackets, with a port or a zone
 */
export function networkAddress(address: string): string {
  if (isIPv4(address)) return address;
  const withoutPort = (/^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address).replace(
    /^([\d.]+):\d+$/,
    '$1',
  );
  const withoutZone = withoutPort.split('%')[0] ?? '';
  if (isIP(withoutZone) === 0) return address.slice(0, 100);
  const parsed = ipaddr.process(withoutZone);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network}/64`;
}
