/** Which kind of network an IP address belongs to. The ranges are ipaddr.js's, the default is to refuse. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Global unicast as IANA assigns it; IPv6 outside is refused even where no range below names it. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's WireServer: an address of the public space that every Azure machine reaches its metadata by. */
const METADATA_V4 = ['168.63.129.16'];

/** ipaddr.js's names of ranges, as they read in a sentence. */
const IN_WORDS: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a carrier-grade NAT address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  deprecatedSiteLocal: 'a private address',
  ipv4Mapped: 'an IPv4 address in IPv6 clothes',
  rfc6145: 'an IPv4 address in IPv6 clothes',
  rfc6052: 'a NAT64 address',
  '6to4': 'a 6to4 tunnel address',
  teredo: 'a Teredo tunnel address',
};

/**
 * @param address an IPv4 or IPv6 address in canonical form, without brackets
 * @returns null for an address of the public internet; else what it is, as in "a loopback address"
 * @example privateRange('10.0.0.1') === 'a private address'
 */
export function privateRange(address: string): string | null {
  // ipaddr.js takes shortened forms such as 1.2.3 as well; Node's check is the strict one.
  if (isIP(address) === 0 || address.includes('%')) return 'not an address that can be judged';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return IN_WORDS[range] ?? 'a reserved address';
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_UNICAST_V6)) return 'a reserved address';
  if (METADATA_V4.includes(address)) return "a cloud's metadata address";
  return ownAddresses().has(parsed.toString()) ? 'an address of this machine' : null;
}

/** Interfaces come and go with networks and containers, but seldom. */
const OWN_ADDRESSES_MS = 5_000;
let own: { readonly addresses: ReadonlySet<string>; readonly until: number } | undefined;

/** A public address of the machine itself leads past the firewall that stands in front of it. */
function ownAddresses(): ReadonlySet<string> {
  const now = performance.now();
  if (own === undefined || now >= own.until) {
    const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []);
    const plain = all.map(({ address }) => address.split('%')[0] ?? address).filter(ipaddr.isValid);
    own = {
      addresses: new Set(plain.map(address => ipaddr.parse(address).toString())),
      until: now + OWN_ADDRESSES_MS,
    };
  }
  return own.addresses;
}
