/** Decides whether a page may open a URL, and whether it may connect to a host and port, from the addresses that the host resolved to. */
import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { Failure, fieldFailure } from '../../domain/failure/failures.ts';
import { normalizeHost, quoteUrl } from '../../domain/webAddress.ts';
import { allowedPorts, type EgressRule } from './egressRules.ts';

/** IANA's block of public IPv6 addresses (global unicast). Every IPv6 address outside it is refused, even if ipaddr.js has no range for it. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public addresses that are refused: Azure's WireServer, where every Azure machine reads its metadata. */
const METADATA_ADDRESSES_V4 = ['168.63.129.16'];

/** Descriptions of address ranges for error messages, by the name that ipaddr.js gives the range. */
const RANGE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a carrier-grade NAT address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  deprecatedSiteLocal: 'a private address',
  ipv4Mapped: 'an IPv4-mapped IPv6 address',
  rfc6145: 'an IPv4-translated IPv6 address',
  rfc6052: 'a NAT64 address',
  '6to4': 'a 6to4 tunnel address',
  teredo: 'a Teredo tunnel address',
};

/**
 * Checks whether an IP address is public. Private and reserved addresses are not, nor are cloud metadata addresses,
 * addresses of this machine and addresses of its own networks.
 * @param address an IPv4 or IPv6 address in canonical form, without brackets
 * @param own addresses of the machine's network interfaces, with their networks
 * @returns null for a public address; else the kind of address, such as "a loopback address"
 * @example nonPublicRange('10.0.0.1') === 'a private address'
 */
export function nonPublicRange(
  address: string,
  own: readonly InterfaceAddress[] = interfaceAddresses(),
): string | null {
  // ipaddr.js also accepts short forms such as 1.2.3; Node's check is strict.
  if (isIP(address) === 0 || address.includes('%')) return 'not a valid address';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return RANGE_DESCRIPTIONS[range] ?? 'a reserved address';
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_UNICAST_V6)) return 'a reserved address';
  if (METADATA_ADDRESSES_V4.includes(address)) return "a cloud's metadata address";
  return localNetworkRange(parsed, own);
}

type InterfaceAddress = Pick<NetworkInterfaceInfo, 'address' | 'cidr'>;

/** Networks with a shorter prefix are those of tunnels and providers: refusing them would refuse parts of the public internet. */
const MIN_PREFIX_LENGTH = { ipv4: 16, ipv6: 48 } as const;

/** Describes a public address of this machine or its networks, else null: a firewall in front of the machine does not see requests from inside. */
function localNetworkRange(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  own: readonly InterfaceAddress[],
): string | null {
  let range: string | null = null;
  for (const { address: written, cidr } of own) {
    const plain = written.split('%')[0] ?? written;
    if (!ipaddr.isValid(plain)) continue;
    if (ipaddr.parse(plain).toString() === address.toString()) return 'an address of this machine';
    if (cidr === null || !ipaddr.isValidCIDR(cidr)) continue;
    const [network, bits] = ipaddr.parseCIDR(cidr);
    if (network.kind() !== address.kind() || bits < MIN_PREFIX_LENGTH[network.kind()]) continue;
    if (address.match(network, bits)) range = "an address of this machine's own network";
  }
  return range;
}

/** Milliseconds for which the list of the machine's own addresses is cached. It changes only with networks and containers. */
const INTERFACE_CACHE_MS = 5_000;
let interfaceCache: { readonly addresses: readonly InterfaceAddress[]; readonly until: number } | undefined;

function interfaceAddresses(): readonly InterfaceAddress[] {
  const now = performance.now();
  if (interfaceCache === undefined || now >= interfaceCache.until)
    interfaceCache = {
      addresses: Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []),
      until: now + INTERFACE_CACHE_MS,
    };
  return interfaceCache.addresses;
}

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

/** True for 80, 443 and all from 1024 on except `CLOSED_PORTS_FROM_1024`: the others belong to mail, shares, shells and directories. */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !CLOSED_PORTS_FROM_1024.has(port));

export interface EgressPolicy {
  /** The rules of `PAGESPACE_EGRESS_ALLOW`: hosts and networks that are allowed although they are not public. */
  readonly allow: readonly EgressRule[];
  /** Loopback ports on which the egress proxies listen. Always refused: otherwise a request could loop forever. */
  readonly ownPorts: ReadonlySet<number>;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** `address`: the refused one, only for the operator's log; null if the host has none. */
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

/** Null for a name that must be resolved. @param host as `normalizeHost` returns it */
export function literalAddresses(host: string): readonly ResolvedAddress[] | null {
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  return host === 'localhost' || host.endsWith('.localhost') ? LOCALHOST : null;
}

/**
 * Checks whether pages may connect to a host and port, by the IP addresses that the host resolved to. The host is allowed
 * if one of its addresses is. To check a URL, use `checkAddress`.
 * @param host as `normalizeHost` returns it, with all `addresses` that it resolved to
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

/** Does not contain the address of a name: clients could read the records of an internal name server by it. */
function describeRefusal(host: string, address: string, verdict: string): string {
  if (verdict === CLOSED_PORT) return 'its port is not open to pages';
  return host === address ? `${address} is ${verdict}` : `${host} resolves to ${verdict}`;
}

const NO_PORTS: ReadonlySet<number> = new Set();

/** @param reason completes a sentence after "because" */
export const urlBlocked = (url: string, reason: string): Failure =>
  new Failure('URL_BLOCKED', `${quoteUrl(url)} may not be opened, because ${reason}.`);

/**
 * Checks a URL that a client wants to open. Takes a complete URL, and resolves no host name: checks the scheme, the port,
 * and the host if it is localhost or an IP address in any notation. Other host names are checked when the proxy connects:
 * `checkTarget` takes a host, a port and the IP addresses that the host resolved to.
 * @param url an absolute URL; also `about:blank`
 * @param rules the rules of `PAGESPACE_EGRESS_ALLOW`
 * @returns the URL as the browser parses it: open its `href`, not the client's text
 * @throws Failure URL_BLOCKED with the reason if the URL may not be opened; VALIDATION_ERROR if it is not an absolute URL
 */
export function checkAddress(url: string, rules: readonly EgressRule[]): URL {
  const parsed = URL.parse(url);
  if (parsed === null)
    throw fieldFailure('url', 'must be an absolute web address, such as https://example.com/');
  if (parsed.href === 'about:blank') return parsed;
  const scheme = schemeRefusal(parsed);
  if (scheme !== null) throw urlBlocked(url, scheme);
  const host = normalizeHost(parsed);
  const port = effectivePort(parsed);
  const addresses = literalAddresses(host);
  const verdict =
    addresses === null ? null : checkTarget({ allow: rules, ownPorts: NO_PORTS }, host, port, addresses);
  if (verdict?.allowed === false) throw urlBlocked(url, verdict.reason);
  // A rule can allow this port for the address that the name resolves to, so refuse only ports that no rule contains.
  if (addresses === null && !isWebPort(port) && !rules.some(rule => rule.port === port))
    throw urlBlocked(url, 'its port is not open to pages');
  return parsed;
}

export const effectivePort = (url: { readonly protocol: string; readonly port: string }): number =>
  url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80;

const schemeRefusal = (url: URL): string | null =>
  url.protocol === 'http:' || url.protocol === 'https:' ? null : `${url.protocol} is not a web scheme`;

/**
 * Checks the scheme of a URL that a page opens, or tries to open, in a tab. Chromium itself refuses `file:`, `chrome:`,
 * `devtools:`, `view-source:` and `data:` there; this is a second check.
 * @param url as the browser reports it
 * @returns null if pages may open the URL; else the reason, as a clause for an event or a failure
 */
export function documentRefusal(url: string): string | null {
  const parsed = URL.parse(url);
  // A tab without a committed document has '' or ':'.
  if (parsed === null) return url === '' || url === ':' ? null : 'its address cannot be read';
  // Chromium opens every about: URL of a page as an empty document, and about:blank#blocked instead of a refused URL.
  if (parsed.protocol === 'about:' || parsed.href === 'chrome-error://chromewebdata/') return null;
  if (parsed.protocol !== 'blob:') return schemeRefusal(parsed);
  // A blob has the origin of the page that created it and the same access.
  const origin = URL.parse(parsed.pathname);
  return origin === null ? 'its address cannot be read' : schemeRefusal(origin);
}
