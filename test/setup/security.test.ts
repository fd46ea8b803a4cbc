import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');
const guarantees = text
  .slice(text.indexOf('## What is guaranteed'), text.indexOf('## What is not guaranteed'))
  .split(/^(?=\d+\. )/m)
  .slice(1);

describe('SECURITY.md', () => {
  test.each(guarantees.map(one => [/\*\*([^*]+)\*\*/.exec(one)?.[1] ?? one, one]))(
    'names existing tests of the guarantee: %s',
    (_title, guarantee) => {
      const tests = [...guarantee.matchAll(/`(test\/[\w/]+\.test\.ts)`/g)].map(([, path = '']) => path);
      expect(tests).not.toEqual([]);
      expect(tests.filter(path => !existsSync(new URL(path, root)))).toEqual([]);
    },
  );
});
