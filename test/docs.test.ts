import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schema } from '../src/api/graphql/schema.ts';
import { restRoutes } from '../src/api/rest/routes/restRoutes.ts';
import { FOLDERS } from './architecture/folders.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['', 'docs'].flatMap(folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name)),
);
const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

describe('The documents', () => {
  it.each(documents)('%s has no broken links', document => {
    const links = [...textOf(document).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
    const local = links.filter(link => !/^[a-z]+:/i.test(link));
    const missing = local.filter(link => !existsSync(resolve(root, dirname(document), link)));
    expect(missing).toEqual([]);
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

/** The fields of a schema. A schema with an id is among the definitions, not at the root. */
function fieldsOf(schema: z.ZodType): string[] {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input' });
  return [whole, ...Object.values($defs)].flatMap(({ properties }) => Object.keys(properties ?? {}));
}

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
