import { describe, expect, it } from 'vitest';
import { importsOf, readSources } from './architecture/imports.ts';
import {
  filesOutsideFolders,
  forbiddenImports,
  forbiddenPackages,
  importCircles,
  tooLong,
} from './architecture/rules.ts';

const sources = readSources();
const imports = importsOf(sources);

describe('the rooms of src/', () => {
  it('hold every file', () => {
    expect(filesOutsideFolders(sources.keys())).toEqual([]);
  });
  it('import only along the arrows', () => {
    expect(forbiddenImports(imports)).toEqual([]);
  });
  it('use each package in its own room', () => {
    expect(forbiddenPackages(imports)).toEqual([]);
  });
  it('have no circle', () => {
    expect(importCircles(imports)).toEqual([]);
  });
});

/** Tables of data: a row more makes no second thing of them. */
const TABLES = new Set(['browser/egress/attackVectors.ts']);

describe('a file', () => {
  it('has at most 300 lines; a longer one is two', () => {
    const tests = [...readSources('test')].filter(([path]) => !TABLES.has(path));
    expect([...tooLong(sources), ...tooLong(new Map(tests))]).toEqual([]);
  });
});

const madeUp = (tree: Record<string, string>) => importsOf(new Map(Object.entries(tree)));

describe('the reader of imports', () => {
  it.each([
    ["import { a } from '../store/a.ts';", false],
    ["import a from '../store/a.ts';", false],
    ["import '../store/a.ts';", false],
    ["import a, { type B } from '../store/a.ts';", false],
    ["export { a } from '../store/a.ts';", false],
    ["export * from '../store/a.ts';", false],
    ["const a = await import('../store/a.ts');", false],
    ["import type { A } from '../store/a.ts';", true],
    ["import { type A, type B } from '../store/a.ts';", true],
    ["export type { A } from '../store/a.ts';", true],
    ["export type A = import('../store/a.ts').A;", true],
    ["function f(a: Map<string, typeof import('../store/a.ts')>) { return a; }", true],
  ])('sees %j (type-only: %s)', (source, typeOnly) => {
    expect(madeUp({ 'domain/x.ts': source })).toEqual([
      { from: 'domain/x.ts', to: 'store/a.ts', typeOnly, isPackage: false },
    ]);
  });

  it('knows a package by its name, whatever of it is imported', () => {
    const source = "import 'kysely/migration'; import '@pothos/core/x'; import 'node:fs/promises';";
    expect(madeUp({ 'a.ts': source }).map(each => each.to)).toEqual([
      'kysely',
      '@pothos/core',
      'node:fs/promises',
    ]);
  });

  it('sees no import in comments and strings', () => {
    expect(madeUp({ 'a.ts': `// import '../b.ts'\nconst text = "import '../c.ts'";` })).toEqual([]);
  });

  it('refuses an import that only running the file could tell', () => {
    expect(() => madeUp({ 'a.ts': 'await import(name);' })).toThrow(/only running it could tell/);
  });

  it('refuses a file that does not parse', () => {
    expect(() => madeUp({ 'a.ts': 'import {' })).toThrow(/a\.ts/);
  });
});

describe('the check', () => {
  it.each([
    ['domain/a.ts', '../store/b.ts'],
    ['browser/a.ts', '../store/b.ts'],
    ['store/a.ts', '../service/b.ts'],
    ['service/a.ts', '../api/b.ts'],
    ['service/a.ts', '../browser/b.ts'],
    ['api/server.ts', '../store/b.ts'],
    ['api/graphql/a.ts', '../rest/b.ts'],
    ['api/rest/a.ts', '../../service/b.ts'],
    ['web/a.ts', '../domain/b.ts'],
    ['service/a.ts', '../main.ts'],
    ['service/a.ts', '../../test/support/b.ts'],
  ])('finds that %s may not import %s, not even its types', (from, to) => {
    expect(forbiddenImports(madeUp({ [from]: `import '${to}';` }))).toHaveLength(1);
    expect(forbiddenImports(madeUp({ [from]: `import type { A } from '${to}';` }))).toHaveLength(1);
  });

  it('finds that a door takes more than the shape of the service', () => {
    const imported = (kind: string) =>
      forbiddenImports(madeUp({ 'api/server.ts': `import ${kind} { A } from '../service/pagespace.ts';` }));
    expect(imported('type')).toEqual([]);
    expect(imported('')).toEqual(['api/server.ts → service/pagespace.ts']);
  });

  it.each([
    ['domain/a.ts', './b.ts'],
    ['store/a.ts', '../domain/b.ts'],
    ['api/rest/a.ts', '../graphql/b.ts'],
    ['setup/a.ts', '../browser/launch/findChromium.ts'],
    ['main.ts', './store/sqlite.ts'],
  ])('lets %s import %s', (from, to) => {
    expect(forbiddenImports(madeUp({ [from]: `import '${to}';` }))).toEqual([]);
  });

  it.each([
    ['service/a.ts', 'playwright'],
    ['api/a.ts', 'kysely'],
    ['domain/a.ts', 'node:fs'],
    ['browser/a.ts', 'left-pad'],
    ['service/a.ts', 'pino'],
  ])('finds that %s may not use %s', (from, name) => {
    expect(forbiddenPackages(madeUp({ [from]: `import '${name}';` }))).toEqual([`${from} → ${name}`]);
  });

  it('lets every room name the types of the log', () => {
    expect(forbiddenPackages(madeUp({ 'service/a.ts': "import type { Logger } from 'pino';" }))).toEqual([]);
  });

  it('finds a circle once, however long, wherever it is entered', () => {
    const tree = {
      'domain/z.ts': "import './b.ts';",
      'domain/a.ts': "import './b.ts';",
      'domain/b.ts': "import './c.ts';",
      'domain/c.ts': "await import('./a.ts');",
    };
    expect(importCircles(madeUp(tree))).toEqual(['domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts']);
  });

  it('takes types that name each other for no circle: nothing of it is there at run time', () => {
    const tree = { 'domain/a.ts': "import './b.ts';", 'domain/b.ts': "import type { A } from './a.ts';" };
    expect(importCircles(madeUp(tree))).toEqual([]);
  });

  it('finds a file of 301 lines, and none of 300', () => {
    const tree = new Map([
      ['a.ts', '\n'.repeat(300)],
      ['b.ts', '\n'.repeat(301)],
    ]);
    expect(tooLong(tree)).toEqual(['b.ts has 301 lines']);
  });

  it('finds a file that lies in no room', () => {
    expect(filesOutsideFolders(['helpers.ts', 'domain/a.ts'])).toEqual(['helpers.ts lies in no room']);
  });
});
