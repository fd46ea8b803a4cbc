import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schema } from '../src/api/graphql/schema.ts';
import { restRoutes } from '../src/api/rest/restRouteTable.ts';
import { FAILURES } from '../src/domain/failure/failures.ts';
import { drawArchitecture } from './architecture/drawArchitecture.ts';
import { FOLDERS } from './architecture/folders.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['', 'docs'].flatMap(folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name)),
);
const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

/** The code blocks of a document in a language. */
const blocksOf = (document: string, language: string): string[] =>
  [...textOf(document).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code);

/** The headings of a document as GitHub writes them in links: lower case, with hyphens, without punctuation. */
const headingsOf = (document: string): string[] =>
  [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('The documents', () => {
  it.each(documents)('%s has no broken links', document => {
    const links = [...textOf(document).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
    const local = links.filter(link => !/^[a-z]+:/i.test(link));
    const missing = local.filter(link => !existsSync(resolve(root, dirname(document), link)));
    expect(missing).toEqual([]);
  });

  it('link only to headings that exist', () => {
    const missing = documents.flatMap(document =>
      [...textOf(document).matchAll(/\]\(([^)\s:]*)#([^)\s]+)\)/g)].filter(([, file = '', heading = '']) => {
        const target = file === '' ? document : join(dirname(document), file);
        return target.endsWith('.md') && !headingsOf(target).includes(heading);
      }),
    );
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('name only files and folders of the project that exist', () => {
    const named = documents.flatMap(document =>
      [...textOf(document).matchAll(/`((?:src|test|docs|container)\/[\w./-]+)`/g)].map(
        ([, path = '']) => path,
      ),
    );
    expect(named.length).toBeGreaterThan(100);
    const exists = (path: string) => existsSync(join(root, path)) || existsSync(join(root, `${path}.ts`));
    expect(named.filter(path => !exists(path))).toEqual([]);
  });

  it('have GraphQL examples that are valid', () => {
    const examples = documents.flatMap(document => blocksOf(document, 'graphql'));
    expect(examples.length).toBeGreaterThan(1);
    expect(examples.flatMap(example => validate(schema, parse(example)))).toEqual([]);
  });

  it('have REST examples with bodies that the routes accept', () => {
    const id = '71bdc5af-0e02-41e3-9bd0-3c23c4b706db';
    const examples = documents.flatMap(document =>
      blocksOf(document, 'sh').flatMap(block => [...block.matchAll(/^call (\S+) '(.*)'(?: *#.*)?$/gm)]),
    );
    expect(examples.length).toBeGreaterThan(4);
    for (const [, path = '', body = ''] of examples) {
      const { request } = restRoutes.find(route => route.path === path) ?? {};
      expect(request?.safeParse(JSON.parse(body.replaceAll("'$ID'", id))).error, path).toBeUndefined();
    }
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const named = documents.flatMap(document =>
      [...textOf(document).matchAll(/npm run (?:-s |--silent )?([a-z][a-z:]*)/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(new Set(named).difference(new Set(Object.keys(scripts)))).toEqual(new Set());
  });
});

describe('docs/architecture.md', () => {
  const text = textOf('docs/architecture.md');

  it('names every folder of the import rules', () => {
    expect(FOLDERS.filter(({ path }) => !text.includes(`\`src/${path}\``))).toEqual([]);
  });

  it('names only files that exist in "Where to find things"', () => {
    const [, section = ''] = /## Where to find things\n([\s\S]*?)\n## /.exec(text) ?? [];
    const places = [...section.matchAll(/`([\w/]+)`/g)].map(([, place = '']) => join(root, 'src', place));
    expect(places.length).toBeGreaterThan(20);
    expect(places.filter(place => !existsSync(place) && !existsSync(`${place}.ts`))).toEqual([]);
  });
});

describe('docs/architecture.svg', () => {
  it('is drawn from the import rules, with every folder (npm run architecture)', () => {
    expect(textOf('docs/architecture.svg')).toBe(drawArchitecture());
  });
});

describe('docs/extending.md', () => {
  /** Each file of a diff with the lines that the diff expects there. New files expect none. */
  const expected = blocksOf('docs/extending.md', 'diff').flatMap(diff =>
    [...diff.matchAll(/^--- a\/(\S+)\n\+{3}.*\n((?:[ +@-].*\n|\n)*?)(?=^--- |(?![\s\S]))/gm)].map(
      ([, path = '', lines = '']) => ({
        path,
        lines: [...lines.matchAll(/^[ -](.*\S)$/gm)].map(([, line = '']) => line),
      }),
    ),
  );

  it('changes only lines that the code has', () => {
    // Each diff is found, and stands beside a line of the code.
    const changed = [...textOf('docs/extending.md').matchAll(/^--- a\/(\S+)$/gm)].map(([, path]) => path);
    expect(expected.map(({ path }) => path)).toEqual(changed);
    expect(changed).not.toEqual([]);
    expect(expected.filter(({ lines }) => lines.length === 0)).toEqual([]);
    const missing = expected.flatMap(({ path, lines }) => {
      const present = new Set(textOf(path).split('\n'));
      return lines.filter(line => !present.has(line)).map(line => `${path}: ${line}`);
    });
    expect(missing).toEqual([]);
  });
});

/** The fields of a schema. A schema with an id is among the definitions, not at the root. */
function fieldsOf(schema: z.ZodType): string[] {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input' });
  return [whole, ...Object.values($defs)].flatMap(({ properties }) => Object.keys(properties ?? {}));
}

describe('docs/failures.md', () => {
  it('says of each failure what happened and what you can do', () => {
    const text = textOf('docs/failures.md').replaceAll(/`(<[A-Z_]+>)`/g, '$1');
    for (const [code, { title, description }] of Object.entries(FAILURES))
      expect(text).toContain(`| \`${code}\` | ${title}. ${description} |`);
  });
});

describe('docs/contract.md', () => {
  const contract = textOf('docs/contract.md');

  it('names every path of the REST table', () => {
    const paths = restRoutes.flatMap(({ path, aliases }) => [path, ...aliases]);
    expect(paths.filter(path => !contract.includes(path))).toEqual([]);
  });

  it('names every field that a body or a query string may have', () => {
    const fields = new Set(restRoutes.flatMap(({ request }) => fieldsOf(request)));
    expect(fields.size).toBeGreaterThan(15);
    expect([...fields].filter(field => !contract.includes(field))).toEqual([]);
  });

  it('names every field at the root of the GraphQL schema', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap(type => Object.keys(type?.getFields() ?? {}));
    expect(fields.length).toBeGreaterThan(8);
    expect(fields.filter(field => !new RegExp(`\\b${field}\\b`).test(contract))).toEqual([]);
  });
});
