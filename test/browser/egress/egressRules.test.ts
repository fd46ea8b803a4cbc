import { describe, expect, test } from 'vitest';
import { checkTarget, isWebPort, type ResolvedAddress } from '../../../src/browser/egress/checkTarget.ts';
import { allowedPorts, parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';

const rules = (text: string) => {
  const parsed = parseEgressAllow(text);
  expect(parsed.errors).toEqual([]);
  return parsed.rules;
};
const at = (address: string): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 });
const isOpen = (allow: string, host: string, port: number, ...addresses: string[]) =>
  checkTarget({ allow: rules(allow), ownPorts: new Set() }, host, port, addresses.map(at)).allowed;

describe('parseEgressAllow', () => {
  test('accepts names, addresses and CIDRs, each with or without a port', () => {
    expect(
      rules(
        'intranet.example, 127.0.0.1:8080 ,10.1.0.0/16,,10.2.0.0/16:9000, ::1, [fd00::1]:8443, fd00::/8, [fd00::/8]:81',
      ),
    ).toEqual([
      { type: 'host', host: 'intranet.example', port: null },
      { type: 'range', address: '127.0.0.1', bits: 32, port: 8080 },
      { type: 'range', address: '10.1.0.0', bits: 16, port: null },
      { type: 'range', address: '10.2.0.0', bits: 16, port: 9000 },
      { type: 'range', address: '::1', bits: 128, port: null },
      { type: 'range', address: 'fd00::1', bits: 128, port: 8443 },
      { type: 'range', address: 'fd00::', bits: 8, port: null },
      { type: 'range', address: 'fd00::', bits: 8, port: 81 },
    ]);
  });

  test('returns no rules for an empty text', () => {
    expect(parseEgressAllow(' , ')).toEqual({ rules: [], errors: [] });
  });

  test('normalizes names as browsers do', () => {
    expect(rules('Bücher.Example.:8080')).toEqual([
      { type: 'host', host: 'xn--bcher-kva.example', port: 8080 },
    ]);
  });

  test.each([
    ['http://intranet', /scheme/],
    ['a b', /not a host name/],
    ['*.example', /not a host name/],
    ['user@host', /not a host name/],
    ['host:0', /port "0"/],
    ['host:65536', /port "65536"/],
    ['host:', /port ""/],
    ['host:http', /port "http"/],
    ['10.0.0.1/8', /did you mean 10\.0\.0\.0\/8/],
    ['10.0.0.0/33', /0 to 32/],
    ['10.0.0.0/', /0 to 32/],
    ['10.0.0.0/8/8', /not an address/],
    ['fd00::/129', /0 to 128/],
    ['host/8', /not an address/],
    ['0x7f.1', /unusual spelling of 127\.0\.0\.1/],
    ['2130706433', /unusual spelling of 127\.0\.0\.1/],
    ['300.1.1.1', /not a host name/],
    ['[::1', /neither/],
    ['fe80::1%eth0', /neither|zone/],
    [':80', /neither/],
  ])('returns an error for %s', (entry, expected) => {
    const { rules: read, errors } = parseEgressAllow(`good.example,${entry},10.0.0.0/8`);
    expect(read).toHaveLength(2);
    expect(errors).toEqual([expect.stringMatching(expected)]);
    expect(errors[0]).toContain(`"${entry}"`);
  });

  test('returns an error for each invalid entry', () => {
    expect(parseEgressAllow('a b,10.0.0.1/8,host:x').errors).toHaveLength(3);
  });
});

describe('An allow rule', () => {
  test('without a port opens the web ports of its address, under every name', () => {
    expect(isOpen('127.0.0.1', '127.0.0.1', 80, '127.0.0.1')).toBe(true);
    expect(isOpen('127.0.0.1', 'local.test', 8080, '127.0.0.1')).toBe(true);
    expect(isOpen('127.0.0.1', '127.0.0.1', 22, '127.0.0.1')).toBe(false);
    expect(isOpen('127.0.0.1', '127.0.0.1', 6379, '127.0.0.1')).toBe(false);
  });

  test('with a port opens only that port, even one that is not a web port', () => {
    expect(isOpen('10.0.0.1:22', '10.0.0.1', 22, '10.0.0.1')).toBe(true);
    expect(isOpen('10.0.0.1:22', '10.0.0.1', 80, '10.0.0.1')).toBe(false);
    expect(isOpen('10.0.0.1,10.0.0.1:22', '10.0.0.1', 22, '10.0.0.1')).toBe(true);
  });

  test('for a name opens it whatever it resolves to, but no other name of the same address', () => {
    expect(isOpen('wiki.test', 'wiki.test', 80, '10.0.0.1')).toBe(true);
    expect(isOpen('wiki.test', 'other.test', 80, '10.0.0.1')).toBe(false);
    expect(isOpen('wiki.test', 'sub.wiki.test', 80, '10.0.0.1')).toBe(false);
    expect(isOpen('wiki.test', '10.0.0.1', 80, '10.0.0.1')).toBe(false);
  });

  test('for IPv4 does not open the mapped IPv6 address', () => {
    expect(isOpen('127.0.0.1', '::ffff:7f00:1', 80, '::ffff:7f00:1')).toBe(false);
    expect(isOpen('0.0.0.0/0', '::1', 80, '::1')).toBe(false);
  });

  test('opens nothing outside its range', () => {
    expect(allowedPorts(rules('10.1.0.0/16'), 'x', '10.1.255.255', 80)).toBe('web ports');
    expect(allowedPorts(rules('10.1.0.0/16'), 'x', '10.2.0.0', 80)).toBe('nothing');
  });
});

describe('isWebPort', () => {
  test('accepts 80, 443, and ports from 1024 up without another known use', () => {
    expect([80, 443, 1024, 3000, 8080, 8443, 65_535].every(isWebPort)).toBe(true);
    expect([0, 1, 21, 22, 23, 25, 53, 110, 143, 389, 445, 465, 587, 993, 1023].some(isWebPort)).toBe(false);
    expect([2049, 2375, 3306, 5432, 6000, 6379, 6667, 11211, 27017, 65_536].some(isWebPort)).toBe(false);
  });
});
