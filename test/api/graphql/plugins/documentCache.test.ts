import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { documentCache } from '../../../../src/api/graphql/transport/yoga.ts';

const named = (name: string) => `{ viewer { ${name}: keyId } }`;
const document = parse(named('a'));

describe('documentCache', () => {
  test('returns the same document object', () => {
    const cache = documentCache();
    cache.set(named('a'), document);
    expect(cache.get(named('a'))).toBe(document);
  });

  test('does not store a document with a long text', () => {
    const cache = documentCache();
    const long = `#${'x'.repeat(4_000)}\n${named('a')}`;
    cache.set(long, document);
    expect(cache.get(long)).toBeUndefined();
  });

  test('stores 100 documents and evicts the least recently used', () => {
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
