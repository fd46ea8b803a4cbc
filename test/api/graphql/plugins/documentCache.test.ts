import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { documentCache } from '../../../../src/api/graphql/plugins/documentCache.ts';

const named = (name: string) => `{ viewer { ${name}: keyId } }`;
const document = parse(named('a'));

describe('the cache of parsed operations', () => {
  test('answers the very document that it was given', () => {
    const cache = documentCache();
    cache.set(named('a'), document);
    expect(cache.get(named('a'))).toBe(document);
  });

  test('keeps no long one, however few tokens it has', () => {
    const cache = documentCache();
    const long = `#${'x'.repeat(4_000)}\n${named('a')}`;
    cache.set(long, document);
    expect(cache.get(long)).toBeUndefined();
  });

  test('keeps a hundred, and lets go of those that were not asked for the longest', () => {
    const cache = documentCache();
    cache.set(named('a'), document);
    for (let index = 0; index < 99; index++) cache.set(named(`b${index}`), document);
    cache.get(named('a'));
    cache.set(named('c'), document);
    expect(cache.get(named('a'))).toBe(document);
    expect(cache.get(named('b0'))).toBeUndefined();
    expect(cache.get(named('b1'))).toBe(document);
  });
});
