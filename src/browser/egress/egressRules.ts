/** `PAGESPACE_EGRESS_ALLOW`: the private places that pages may reach on purpose. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** One opened place. Without a port it opens the web's ports there (`isWebPort`). */
export type EgressRule =
  /** A name, lower case, without a dot at its end; whatever it resolves to. */
  | { readonly type: 'host'; readonly host: string; readonly port: number | null }
  /** All addresses that begin with the first `bits` bits of `address`, by whatever name. */
  | { readonly type: 'range'; readonly address: string; readonly bits: number; readonly port: number | null };

/** What could be read, and what was wrong with the rest, one sentence each. */
export interface ParsedEgressAllow {
  readonly rules: readonly EgressRule[];
  readonly errors: readonly string[];
}

/**
 * Reads hosts, addresses and CIDRs, each with or without a port, separated by commas.
 * IPv6 with a port stands in brackets.
 * @example parseEgressAllow('intranet.example, 127.0.0.1:8080, 10.1.0.0/16, [fd00::1]:8443')
 */
export function parseEgressAllow(text: string): ParsedEgressAllow {
  const rules: EgressRule[] = [];
  const faults: string[] = [];
  for (const entry of text.split(',').map(part => part.trim())) {
    if (entry === '') continue;
    const rule = parseRule(entry);
    if (typeof rule === 'string') faults.push(`"${entry}": ${rule}`);
    else rules.push(rule);
  }
  return { rules, errors: faults };
}

/** Brackets with or without a port; an IPv6 range without brackets; or anything with or without a port. */
const ENTRY =
  /^(?:\[(?<bracketed>[^\]]*)\]|(?<bare6>[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:\/\d*)?)|(?<plain>[^:[\]]*))(?::(?<port>[^:]*))?$/i;

/** @returns the rule, or what is wrong */
function parseRule(entry: string): EgressRule | string {
  if (entry.includes('://')) return 'is an address with a scheme; only the host and port are wanted';
  const { bracketed, bare6, plain, port: portText } = ENTRY.exec(entry)?.groups ?? {};
  const place = bracketed ?? bare6 ?? plain;
  if (place === undefined || place === '') return 'is neither a host, nor an address, nor a CIDR';
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && !(/^\d{1,5}$/.test(portText ?? '') && port >= 1 && port <= 65_535))
    return `has the port "${portText}"; a port is a number from 1 to 65535`;
  return place.includes('/') || isIP(place) !== 0 ? parseRange(place, port) : parseHost(place, port);
}

function parseRange(place: string, port: number | null): EgressRule | string {
  const [address = '', bitsText, ...rest] = place.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return 'is not a CIDR: the part before the slash is no address';
  if (address.includes('%')) return 'has a zone; leave it away';
  const most = family === 4 ? 32 : 128;
  const bits = bitsText === undefined ? most : Number(bitsText);
  if (bitsText !== undefined && !(/^\d{1,3}$/.test(bitsText) && bits <= most))
    return `is not a CIDR: the part after the slash is a number from 0 to ${most}`;
  const network =
    family === 4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  const written = ipaddr.parse(address).toString();
  if (network.toString() !== written)
    return `has bits set past its prefix; is ${network.toString()}/${bits} meant?`;
  return { type: 'range', address: written, bits, port };
}

function parseHost(place: string, port: number | null): EgressRule | string {
  const url = URL.parse(`http://${place}/`);
  const host = url === null ? '' : normalizeHost(url);
  if (url === null || url.host === '' || /[\s/@?#%*]/.test(place)) return 'is not a host name';
  if (isIP(host) !== 0) return `is an unusual spelling of ${host}; write that`;
  return { type: 'host', host, port };
}

/** A URL's host as a socket takes it: no brackets, no dot at its end. */
export function normalizeHost(url: { readonly hostname: string }): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** What the rules open of an address that was found under a name (or under itself). */
export type AllowedPorts = 'this port' | 'web ports' | 'nothing';

/** The widest opening among the rules that speak of the name or of the address. */
export function allowedPorts(
  rules: readonly EgressRule[],
  host: string,
  address: string,
  port: number,
): AllowedPorts {
  const matching = rules.filter(rule =>
    rule.type === 'host' ? rule.host === host : isInNetwork(address, rule.address, rule.bits),
  );
  if (matching.some(rule => rule.port === port)) return 'this port';
  return matching.some(rule => rule.port === null) ? 'web ports' : 'nothing';
}

function isInNetwork(address: string, network: string, bits: number): boolean {
  const parsed = ipaddr.parse(address);
  const range = ipaddr.parse(network);
  return parsed.kind() === range.kind() && parsed.match(range, bits);
}
