/** Whether a page may reach a host and port: the rule itself, without a socket. */
import { isIP } from 'node:net';
import { nonPublicRange } from './addressRange.ts';
import { allowedPorts, type EgressRule } from './egressRules.ts';
import { isWebPort } from './isWebPort.ts';

/** What the rule looks at. */
export interface EgressPolicy {
  readonly allow: readonly EgressRule[];
  /** Ports of the proxy's own sockets on loopback: no rule opens them, or a request could go round for ever. */
  readonly ownPorts: ReadonlySet<number>;
}

/** One address that a name stands for. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** What may be dialled; or why nothing may. `address` is the refused one, for the operator's log only. */
export type TargetVerdict =
  | { readonly allowed: true; readonly addresses: readonly ResolvedAddress[] }
  | { readonly allowed: false; readonly reason: string; readonly address: string | null };

const refusedVerdict = (reason: string, address: string | null = null): TargetVerdict => ({
  allowed: false,
  reason,
  address,
});

/** The addresses of `localhost` and every name below it (RFC 6761, 6.3): never asked of a resolver. */
const LOCALHOST: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** @returns the address itself for a literal, loopback for localhost; null for a name that must be resolved */
export function literalAddresses(host: string): readonly ResolvedAddress[] | null {
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  return host === 'localhost' || host.endsWith('.localhost') ? LOCALHOST : null;
}

/**
 * Judges a host by the addresses that it stands for. Of several only those that may be dialled are kept.
 * @param host lower case, no brackets, no dot at its end (`plainHost`)
 * @param addresses what it resolved to; the same array is what must be dialled, or the name could change its answer
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

/** Says what is wrong, but not what a name resolved to: that would read an internal name server to strangers. */
function describeRefusal(host: string, address: string, verdict: string): string {
  if (verdict === CLOSED_PORT) return 'its port is not open to pages';
  return host === address ? `${address} is ${verdict}` : `${host} stands for ${verdict}`;
}
