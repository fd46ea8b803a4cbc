import { describe, expect, test } from 'vitest';
import { callerAddress, networkAddress } from '../../../src/api/http/callerAddress.ts';

describe('the network that a caller is counted by', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['[2001:DB8:1:2::9]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkAddress(address)).toBe(network);
  });

  test.each(['unknown', '_hidden', '1.2.3', '999.1.1.1'])(
    'is %s itself where a proxy writes no address',
    text => {
      expect(networkAddress(text)).toBe(text);
    },
  );

  test('is no longer than an address, whatever stands there', () => {
    expect(networkAddress('x'.repeat(10_000))).toHaveLength(100);
  });
});

describe('behind proxies', () => {
  const from = (forwarded: string | undefined, trustedProxies: number) =>
    callerAddress(
      { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '::ffff:10.0.0.1' } } as never,
      trustedProxies,
    );

  test('it is what the outermost trusted one wrote, not what the caller sent', () => {
    expect(from('6.6.6.6, 203.0.113.9', 1)).toBe('203.0.113.9');
    expect(from('6.6.6.6, 203.0.113.9, 10.0.0.2', 2)).toBe('203.0.113.9');
  });

  test.each([undefined, '', ' , ', '203.0.113.9'])('it is the peer where %j names too few', forwarded => {
    expect(from(forwarded, 2)).toBe('10.0.0.1');
  });

  test('the header is not read where no proxy is trusted', () => {
    expect(from('203.0.113.9', 0)).toBe('10.0.0.1');
  });
});
