import { describe, expect, test } from 'vitest';
import { callerAddress, networkAddress } from '../../../src/api/http/httpContext.ts';

describe('networkAddress', () => {
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
  ])('turns %s into %s', (address, network) => {
    expect(networkAddress(address)).toBe(network);
  });

  test.each(['unknown', '_hidden', '1.2.3', '999.1.1.1'])(
    'returns %s as it is, because it is no address',
    text => {
      expect(networkAddress(text)).toBe(text);
    },
  );

  test('returns at most 100 characters', () => {
    expect(networkAddress('x'.repeat(10_000))).toHaveLength(100);
  });
});

describe('callerAddress behind proxies', () => {
  const from = (forwarded: string | undefined, trustedProxies: number) =>
    callerAddress(
      { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '::ffff:10.0.0.1' } } as never,
      trustedProxies,
    );

  test('is what the outermost trusted proxy wrote, not what the caller sent', () => {
    expect(from('6.6.6.6, 203.0.113.9', 1)).toBe('203.0.113.9');
    expect(from('6.6.6.6, 203.0.113.9, 10.0.0.2', 2)).toBe('203.0.113.9');
  });

  test.each([undefined, '', ' , ', '203.0.113.9'])(
    'is the peer when X-Forwarded-For %j has too few addresses',
    forwarded => {
      expect(from(forwarded, 2)).toBe('10.0.0.1');
    },
  );

  test('ignores X-Forwarded-For when no proxy is trusted', () => {
    expect(from('203.0.113.9', 0)).toBe('10.0.0.1');
  });
});
