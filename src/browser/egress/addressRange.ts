/** Classifies IP addresses as public or not public, by the ranges of ipaddr.js. An address in an unknown range is not public. */
import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

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

/** An address of one of the machine's network interfaces, as Node returns it. */
export type InterfaceAddress = Pick<NetworkInterfaceInfo, 'address' | 'cidr'>;

/**
 * The machine's own networks are refused only if their prefix has at least this many bits. Tunnels and providers assign
 * shorter prefixes: refusing those networks would refuse parts of the public internet.
 */
const MIN_PREFIX_LENGTH = { ipv4: 16, ipv6: 48 } as const;

/**
 * Checks whether a public address belongs to this machine or to one of its networks. Pages may not connect to those: a
 * firewall in front of the machine does not see requests from inside.
 * @returns a description for an error message; null for any other address
 */
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
