/** Decides whether a page may connect to a host and port, from the addresses that the host resolved to. */

import { isIP } from 'node:net';
import { nonPublicRange } from './addressRange.ts';
import { allowedPorts, type EgressRule } from './egressRules.ts';

/**
 * Ports from 1024 up that pages may not use: their servers are not web servers, and a forged request can harm them. First
 * group: "bad ports" of the Fetch standard (fetch.spec.whatwg.org/#port-blocking), which browsers also refuse. Second:
 * databases and caches. Third: control interfaces of clusters and desktops.
 */
const CLOSED_PORTS_FROM_1024 = new Set([
  ...[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
    6697, 10080,
  ],
  ...[1433, 1521, 3306, 5432, 6379, 9042, 11211, 27017, 27018],
  ...[2375, 2376, 2379, 2380, 3389, 5900, 5985, 5986, 10250, 10255],
]);

/**
 * Returns true for a port that pages may use without an allow rule: 80, 443 and all from 1024 except
 * `CLOSED_PORTS_FROM_1024`. The other ports below 1024 belong to mail, file sharing, remote shells and directories.
 */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !CLOSED_PORTS_FROM_1024.has(port));

/** Decides to which hosts and ports pages may connect. */
export interface EgressPolicy {
  /** The rules of `PAGESPACE_EGRESS_ALLOW`: hosts and networks that are allowed although they are not public. */
  readonly allow: readonly EgressRule[];
  /** Loopback ports on which the egress proxies listen. Always refused: otherwise a request could loop forever. */
  readonly ownPorts: ReadonlySet<number>;
}

/** An IP address of a host. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The result of `checkTarget`: the IP addresses to which a connection is allowed, or the reason for the refusal.
 * `address` is the refused IP address, only for the operator's log; null if the host has no address.
 */
export type TargetVerdict =
  | { readonly allowed: true; readonly addresses: readonly ResolvedAddress[] }
  | { readonly allowed: false; readonly reason: string; readonly address: string | null };

const refusedVerdict = (reason: string, address: string | null = null): TargetVerdict => ({
  allowed: false,
  reason,
  address,
});

/** The addresses of `localhost` and of names that end in `.localhost` (RFC 6761, 6.3). These names are never resolved. */
const LOCALHOST: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns the IP addresses of a host that needs no DNS lookup.
 * @param host as `normalizeHost` returns it
 * @returns the address itself for an IP address, loopback for localhost, null for a name that must be resolved
 */
export function literalAddresses(host: string): readonly ResolvedAddress[] | null {
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  return host === 'localhost' || host.endsWith('.localhost') ? LOCALHOST : null;
}

/**
 * Checks whether pages may connect to a host and port, by the IP addresses that the host resolved to. The host is allowed
 * if one of its addresses is. To check a URL, use `checkAddress`.
 * @param host as `normalizeHost` returns it
 * @param addresses all addresses that the host resolved to
 * @returns the allowed addresses, or the reason for the refusal. Connect only to these: a second lookup may return others.
 */
export function checkTarget(
  policy: EgressPolicy,
  host: string,
  port: number,
  addresses: readonly ResolvedAddress[],
): TargetVerdict {
  const open: ResolvedAddress[] = [];
  let refused = refusedVerdict(`${host} has no address`);
  for (const entry of addresses) {
    const verdict = refusalReason(policy, host, entry.address, port);
    if (verdict === null) open.push(entry);
    else refused = refusedVerdict(describeRefusal(host, entry.address, verdict), entry.address);
  }
  return open.length > 0 ? { allowed: true, addresses: open } : refused;
}

function refusalReason(policy: EgressPolicy, host: string, address: string, port: number): string | null {
  const range = nonPublicRange(address);
  if (range !== null && policy.ownPorts.has(port)) return CLOSED_PORT;
  const open = allowedPorts(policy.allow, host, address, port);
  if (open === 'this port') return null;
  if (open === 'nothing' && range !== null) return range;
  return isWebPort(port) ? null : CLOSED_PORT;
}

const CLOSED_PORT = 'closed port';

/**
 * Returns the reason for the refusal of a host, as a clause. It does not contain the address that a name resolved to:
 * otherwise clients could read the records of an internal name server.
 */
function describeRefusal(host: string, address: string, verdict: string): string {
  if (verdict === CLOSED_PORT) return 'its port is not open to pages';
  return host === address ? `${address} is ${verdict}` : `${host} resolves to ${verdict}`;
}
