import { describe, expect, test } from 'vitest';
import {
  allowsMethod,
  hostRefusal,
  matchesHost,
  networkPolicyOf,
  parseHostPattern,
} from '../../src/domain/account/keyPolicy.ts';

describe('A pattern of hosts', () => {
  test.each([
    ['Example.COM.', 'example.com'],
    ['*.Bücher.example', '*.xn--bcher-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['*', '*'],
    ['api-*.example.com', 'api-*.example.com'],
  ])('is read from %s as %s', (text, pattern) => expect(parseHostPattern(text)).toBe(pattern));

  test.each([
    '',
    'https://example.com',
    'example.com/path',
    'example.com:8080',
    'example.*',
    'a b',
    'user@example.com',
  ])('is not read from "%s"', text => expect(parseHostPattern(text)).toBeNull());

  test.each([
    ['example.com', 'example.com', true],
    ['example.com', 'www.example.com', false],
    ['example.com', 'example.com.evil.example', false],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'evilexample.com', false],
    ['*.example.com', '.example.com', false],
    ['*', 'anything', true],
    ['api-*.*.example.com', 'api-1.eu.example.com', true],
    ['api-*.*.example.com', 'api-1.example.com', false],
    // A search that tries all ways to share the letters among the stars would not end.
    [`${'*a'.repeat(20)}.com`, `${'a'.repeat(250)}.net`, false],
  ])('%s has %s: %s', (pattern, host, has) => expect(matchesHost(pattern, host)).toBe(has));
});

describe('A policy', () => {
  test('denies before it allows, and allows all hosts without a list', () => {
    const policy = { allowHosts: ['*.example.com'], denyHosts: ['secret.example.com'] };
    expect(hostRefusal(policy, 'www.example.com')).toBeNull();
    expect(hostRefusal(policy, 'secret.example.com')).toMatch(/denies/);
    expect(hostRefusal(policy, 'other.example')).toMatch(/does not allow/);
    expect(hostRefusal({}, 'other.example')).toBeNull();
  });

  test('that refuses to send forms leaves only methods that change nothing', () => {
    const methods = (policy: Parameters<typeof networkPolicyOf>[0]) => networkPolicyOf(policy)?.methods;
    expect(methods({ denySteps: ['submit'] })).toEqual(['GET']);
    expect(methods({ denySteps: ['write'], methods: ['POST'] })).toEqual([]);
    expect(methods({ denySteps: ['upload'] })).toBeNull();
    expect(allowsMethod(['GET'], 'HEAD')).toBe(true);
    expect(allowsMethod(['GET'], 'POST')).toBe(false);
  });
});
