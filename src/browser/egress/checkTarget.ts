/** Decides whether a page may connect to a host and port, from the addresses that the host resolved to. */
import { isIP } from 'node:net';
import { nonPublicRange } from './addressRange.ts';
import { allowedPorts, type EgressRule } from './egressRules.ts';
import { isWebPort } from './isWebPort.ts';

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
