import { describe, expect, it } from 'vitest';
import { headlessDocstrings } from './architecture/docstrings.ts';
import { importsOf, readSources } from './architecture/imports.ts';
import { inlinePageCode } from './architecture/pageCode.ts';
import {
  filesOutsideFolders,
  forbiddenImports,
  forbiddenPackages,
  importCircles,
  tooLong,
} from './architecture/rules.ts';
import { SLOW_FILES } from './support/slowFilesFirst.ts';

const sources = readSources();
const testSources = readSources('test');
const imports = importsOf(sources);

describe('src/', () => {
  it('has every file in a folder of the table', () => {
    expect(filesOutsideFolders(sources.keys())).toEqual([]);
  });
  it('imports only what the table of folders allows', () => {
    expect(forbiddenImports(imports)).toEqual([]);
  });
  it('uses each package only in its folders', () => {
    expect(forbiddenPackages(imports)).toEqual([]);
  });
  it('has no circular imports', () => {
    expect(importCircles(imports)).toEqual([]);
  });
  it('has code for pages only in browser/injected', () => {
    expect(inlinePageCode(sources)).toEqual([]);
  });
});

describe('src/ and test/', () => {
  it('have no file of more than 500 lines', () => {
    expect([...tooLong(sources), ...tooLong(testSources)]).toEqual([]);
  });
  it('have each file that vitest.config.ts starts first', () => {
    const known = new Set([...testSources.keys()].map(path => `test/${path}`));
    expect([...SLOW_FILES.keys()].filter(path => !known.has(path))).toEqual([]);
  });
  it('begin no docstring with What, Where, Who or Whether', () => {
    expect([...headlessDocstrings(sources), ...headlessDocstrings(testSources)]).toEqual([]);
  });
});

const madeUp = (tree: Record<string, string>) => importsOf(new Map(Object.entries(tree)));

describe('importsOf', () => {
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
  ])('reads %j (type-only: %s)', (source, typeOnly) => {
    expect(madeUp({ 'domain/x.ts': source })).toEqual([
      { from: 'domain/x.ts', to: 'store/a.ts', typeOnly, isPackage: false },
    ]);
  });

  it('reduces an import of one file of a package to the package', () => {
    const source = "import 'kysely/migration'; import '@pothos/core/x'; import 'node:fs/promises';";
    expect(madeUp({ 'a.ts': source }).map(each => each.to)).toEqual([
      'kysely',
      '@pothos/core',
      'node:fs/promises',
    ]);
  });

  it('ignores comments and strings', () => {
    expect(madeUp({ 'a.ts': `// import '../b.ts'\nconst text = "import '../c.ts'";` })).toEqual([]);
  });

  it('throws for an import whose target is an expression', () => {
    expect(() => madeUp({ 'a.ts': 'await import(name);' })).toThrow(
      /the target of an import is not a literal/,
    );
  });

  it('throws for a file that does not parse', () => {
    expect(() => madeUp({ 'a.ts': 'import {' })).toThrow(/a\.ts/);
  });
});

describe('forbiddenImports', () => {
  it.each([
    ['domain/a.ts', '../store/b.ts'],
    ['async/a.ts', '../domain/b.ts'],
    ['browser/tab/a.ts', '../../store/b.ts'],
    ['browser/tab/a.ts', '../lease/b.ts'],
    ['browser/injected/perceive/a.ts', '../../perceive/b.ts'],
    ['browser/injected/scrape/a.ts', '../perceive/b.ts'],
    ['store/a.ts', '../service/b.ts'],
    ['service/a.ts', '../api/b.ts'],
    ['service/a.ts', '../browser/b.ts'],
    ['service/billing/a.ts', '../sessions/b.ts'],
    ['api/server.ts', '../store/b.ts'],
    ['api/server.ts', '../service/sessions/b.ts'],
    ['api/http/a.ts', '../auth/b.ts'],
    ['api/graphql/a.ts', '../rest/b.ts'],
    ['api/rest/a.ts', '../../service/b.ts'],
    ['web/a.ts', '../domain/b.ts'],
    ['service/a.ts', '../main.ts'],
    ['main.ts', './store/b.ts'],
    ['service/a.ts', '../../test/support/b.ts'],
  ])('reports that %s imports %s, and its types', (from, to) => {
    expect(forbiddenImports(madeUp({ [from]: `import '${to}';` }))).toHaveLength(1);
    expect(forbiddenImports(madeUp({ [from]: `import type { A } from '${to}';` }))).toHaveLength(1);
  });

  it.each([
    ['api/server.ts', '../service/pagespace.ts', 'api/server.ts → service/pagespace.ts'],
    ['browser/injected/scrape/a.ts', '../../../domain/b.ts', 'browser/injected/scrape/a.ts → domain/b.ts'],
  ])('lets %s import the types of %s, but no values', (from, to, arrow) => {
    const imported = (kind: string) =>
      forbiddenImports(madeUp({ [from]: `import ${kind} { A } from '${to}';` }));
    expect(imported('type')).toEqual([]);
    expect(imported('')).toEqual([arrow]);
  });

  it.each([
    ['domain/a.ts', './b.ts'],
    ['store/a.ts', '../domain/b.ts'],
    ['browser/perceive/a.ts', '../injected/perceive/b.ts'],
    ['api/rest/a.ts', '../../operations/b.ts'],
    ['setup/a.ts', '../browser/launch/findChromium.ts'],
    ['main/a.ts', '../store/sqlite.ts'],
  ])('lets %s import %s', (from, to) => {
    expect(forbiddenImports(madeUp({ [from]: `import '${to}';` }))).toEqual([]);
  });
});

describe('forbiddenPackages', () => {
  it.each([
    ['service/a.ts', 'playwright'],
    ['api/a.ts', 'kysely'],
    ['domain/a.ts', 'node:fs'],
    ['browser/injected/dom/a.ts', 'node:fs'],
    ['browser/tab/a.ts', 'left-pad'],
    ['service/a.ts', 'pino'],
  ])('reports that %s uses %s', (from, name) => {
    expect(forbiddenPackages(madeUp({ [from]: `import '${name}';` }))).toEqual([`${from} → ${name}`]);
  });

  it('lets every folder use the types of the log', () => {
    expect(forbiddenPackages(madeUp({ 'service/a.ts': "import type { Logger } from 'pino';" }))).toEqual([]);
  });
});

describe('importCircles', () => {
  it('lists a circle once, whatever its length and entry', () => {
    const tree = {
      'domain/z.ts': "import './b.ts';",
      'domain/a.ts': "import './b.ts';",
      'domain/b.ts': "import './c.ts';",
      'domain/c.ts': "await import('./a.ts');",
    };
    expect(importCircles(madeUp(tree))).toEqual(['domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts']);
  });

  it('counts type-only imports', () => {
    const tree = { 'domain/a.ts': "import './b.ts';", 'domain/b.ts': "import type { A } from './a.ts';" };
    expect(importCircles(madeUp(tree))).toEqual(['domain/a.ts → domain/b.ts → domain/a.ts']);
  });
});

describe('inlinePageCode', () => {
  it.each([
    ['page.evaluate(() => document.title);', ['browser/tab/a.ts: evaluate']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test holds a template.
    ['world.evaluate(`f(${n})`);', ['browser/tab/a.ts: evaluate']],
    ['page.addInitScript(function () {});', ['browser/tab/a.ts: addInitScript']],
    ['page.evaluate(settle);', []],
  ])('finds in %j: %j', (source, found) => {
    expect(inlinePageCode(new Map([['browser/tab/a.ts', source]]))).toEqual(found);
    expect(inlinePageCode(new Map([['browser/injected/settle/a.ts', source]]))).toEqual([]);
  });
});

describe('tooLong', () => {
  it('reports a file of 501 lines, and none of 500', () => {
    const tree = new Map([
      ['a.ts', '\n'.repeat(500)],
      ['b.ts', '\n'.repeat(501)],
    ]);
    expect(tooLong(tree)).toEqual(['b.ts has 501 lines']);
  });
});

describe('filesOutsideFolders', () => {
  it('reports a file in no folder of the table', () => {
    expect(filesOutsideFolders(['helpers.ts', 'domain/a.ts'])).toEqual([
      'helpers.ts is in no folder of the table',
    ]);
  });
});
