import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { normalizeHost } from '../../domain/webAddress.ts';

/** Allows pages to connect to one host or network. A rule without a port allows the web ports (`isWebPort`). */
export type EgressRule =
  /** A host name in lower case, without a dot at its end. Allows every address that it resolves to. */
  | { readonly type: 'host'; readonly host: string; readonly port: number | null }
  /** All addresses that share the first `bits` bits of `address`, whichever name resolves to them. */
  | { readonly type: 'range'; readonly address: string; readonly bits: number; readonly port: number | null };

export interface ParsedEgressAllow {
  readonly rules: readonly EgressRule[];
  /** A sentence for each invalid entry. */
  readonly errors: readonly string[];
}

/**
 * Parses `PAGESPACE_EGRESS_ALLOW`: hosts, IP addresses and CIDRs, separated by commas, each with or without a port. An
 * IPv6 address with a port is in brackets.
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

/** Matches one entry: an address in brackets with or without a port; IPv6 without brackets; any other host with or without a port. */
const ENTRY =
  /^(?:\[(?<bracketed>[^\]]*)\]|(?<bare6>[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:\/\d*)?)|(?<plain>[^:[\]]*))(?::(?<port>[^:]*))?$/i;

/** @returns the rule, or a clause that describes the error in the entry */
function parseRule(entry: string): EgressRule | string {
  if (entry.includes('://')) return 'has a scheme; write only the host and the port';
  const { bracketed, bare6, plain, port: portText } = ENTRY.exec(entry)?.groups ?? {};
  const target = bracketed ?? bare6 ?? plain;
  if (target === undefined || target === '') return 'is neither a host, nor an address, nor a CIDR';
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && !(/^\d{1,5}$/.test(portText ?? '') && port >= 1 && port <= 65_535))
    return `has the port "${portText}"; a port is a number from 1 to 65535`;
  return target.includes('/') || isIP(target) !== 0 ? parseRange(target, port) : parseHost(target, port);
}

function parseRange(range: string, port: number | null): EgressRule | string {
  const [address = '', bitsText, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return 'is not a CIDR: the part before the slash is not an address';
  if (address.includes('%')) return 'has a zone; leave it out';
  const maxBits = family === 4 ? 32 : 128;
  const bits = bitsText === undefined ? maxBits : Number(bitsText);
  if (bitsText !== undefined && !(/^\d{1,3}$/.test(bitsText) && bits <= maxBits))
    return `is not a CIDR: the part after the slash is a number from 0 to ${maxBits}`;
  const network =
    family === 4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  const written = ipaddr.parse(address).toString();
  if (network.toString() !== written)
    return `has bits set after its prefix; did you mean ${network.toString()}/${bits}?`;
  return { type: 'range', address: written, bits, port };
}

function parseHost(text: string, port: number | null): EgressRule | string {
  const url = URL.parse(`http://${text}/`);
  const host = url === null ? '' : normalizeHost(url);
  if (url === null || url.host === '' || /[\s/@?#%*]/.test(text)) return 'is not a host name';
  if (isIP(host) !== 0) return `is an unusual spelling of ${host}; write that`;
  return { type: 'host', host, port };
}

/** Ports that the rules allow for an address: the requested port, because a rule contains it; any web port (`isWebPort`); or nothing. */
export type AllowedPorts = 'this port' | 'web ports' | 'nothing';

/** Returns the widest permission that any rule gives. @param host as `normalizeHost` returns it, resolved to `address` */
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
