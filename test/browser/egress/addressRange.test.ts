import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { nonPublicRange } from '../../../src/browser/egress/checkTarget.ts';

/**
 * First and last address of every block of IANA's special-purpose registries that is not globally reachable
 * (iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry), and of the multicast spaces.
 */
const CLOSED = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['::2', '::ffff:ffff'],
  ['::ffff:0:0', '::ffff:ffff:ffff'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const;

const OPEN = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...[
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
  ],
  ...[
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '3ffe::1',
  ],
];

const bytesOf = (address: string) => ipaddr.parse(address).toByteArray();

describe('nonPublicRange', () => {
  test.each(CLOSED)('refuses the first and the last address of %s to %s', (first, last) => {
    expect(nonPublicRange(first)).toBeTypeOf('string');
    expect(nonPublicRange(last)).toBeTypeOf('string');
  });

  test.each(CLOSED)('refuses the addresses between %s and %s', (first, last) => {
    const [low, high] = [bytesOf(first), bytesOf(last)];
    // Inside a prefix each byte lies between the bytes of the two ends.
    const within = fc.tuple(...low.map((byte, i) => fc.integer({ min: byte, max: high[i] ?? byte })));
    fc.assert(
      fc.property(within, bytes => nonPublicRange(ipaddr.fromByteArray(bytes).toString()) !== null),
      { numRuns: 50 },
    );
  });

  test.each(OPEN)('returns null for the public address %s', address => {
    expect(nonPublicRange(address)).toBeNull();
  });

  test("refuses the machine's own addresses, public or not", () => {
    const own = Object.values(networkInterfaces()).flatMap(list => list ?? []);
    for (const { address } of own) expect(nonPublicRange(address)).toBeTypeOf('string');
    const here = [
      { address: '93.184.216.34', cidr: '93.184.216.34/32' },
      { address: '2606:2800:220:1::9', cidr: null },
    ];
    expect(nonPublicRange('93.184.216.34', here)).toBe('an address of this machine');
    expect(nonPublicRange('93.184.216.35', here)).toBeNull();
    expect(nonPublicRange('2606:2800:0220:0001:0::9', here)).toBe('an address of this machine');
  });

  test("refuses the addresses of the machine's own network, which no firewall at its border protects", () => {
    const here = [
      { address: '93.184.216.34', cidr: '93.184.216.34/24' },
      { address: '2606:2800:220:1::9', cidr: '2606:2800:220:1::9/64' },
    ];
    const NEIGHBOUR = "an address of this machine's own network";
    expect(nonPublicRange('93.184.216.1', here)).toBe(NEIGHBOUR);
    expect(nonPublicRange('2606:2800:220:1:ffff::1', here)).toBe(NEIGHBOUR);
    expect(nonPublicRange('93.184.217.1', here)).toBeNull();
    expect(nonPublicRange('2606:2800:220:2::1', here)).toBeNull();
  });

  test('ignores the network of an interface when it spans half of the internet', () => {
    const here = [
      { address: '93.184.216.34', cidr: '93.184.216.34/1' },
      { address: '2606:2800:220:1::9', cidr: '2606:2800:220:1::9/3' },
    ];
    expect(nonPublicRange('1.1.1.1', here)).toBeNull();
    expect(nonPublicRange('2001:4860:4860::8888', here)).toBeNull();
  });

  test('refuses text that is not an address, and addresses with a zone', () => {
    for (const text of [
      '',
      'open.test',
      '1.2.3',
      '0x7f.1',
      'fe80::1%eth0',
      '2606:4700::1%lo',
      '[::1]',
      '8.8.8.8:80',
    ])
      expect(nonPublicRange(text)).toBeTypeOf('string');
  });

  test('refuses every IPv6 address that contains an IPv4 address in a known way', () => {
    const parts = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(parts, ([a, b, c, d]) => {
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const carriers = [`::${hex}`, `::ffff:${hex}`, `::ffff:0:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`];
        return carriers.every(address => nonPublicRange(address) !== null);
      }),
      { numRuns: 200 },
    );
  });
});
