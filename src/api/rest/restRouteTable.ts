/** Makes the tables of REST routes and of their fields in docs/contract.md. `npm run docs` writes them. */

import { z } from 'zod';
import {
  FLAT,
  firstSentence,
  fullWords,
  type Group,
  type RequestFields,
  restName,
  restWords,
} from '../../operations/field.ts';
import { ledgerRoute, vaultRoutes } from './accountRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { operationRoutes } from './operationRoutes.ts';
import { profileRoutes } from './profileRoutes.ts';
import { readRoutes } from './readRoutes.ts';
import { recordRoutes } from './recordRoutes.ts';
import type { RestRoute } from './route.ts';

/** All REST routes, in the order of the documentation. */
export const restRoutes: readonly RestRoute[] = [
  ...operationRoutes,
  ...readRoutes,
  ...recordRoutes,
  ...fileRoutes,
  ...profileRoutes,
  ...vaultRoutes,
  ledgerRoute,
];

/** Returns the Markdown table of the REST routes: path, GraphQL field, description. */
export const restRouteTable = (routes: readonly RestRoute[]): string =>
  [
    '| REST | GraphQL | What it does |',
    '|---|---|---|',
    ...routes.map(
      route =>
        `| ${restCell(route)} | ${route.graphql === '' ? '' : `\`${route.graphql}\``} | ${firstSentence(route.description)}. |`,
    ),
  ].join('\n');

function restCell(route: RestRoute): string {
  const { method, path, aliases } = route;
  return [path, ...aliases].map(one => `\`${method} ${one}${queryOf(route)}\``).join(', ');
}

/** Returns the query parameters of a route, such as `?from=&to=`; empty if it has none. */
function queryOf({ bodyType, request, path }: RestRoute): string {
  if (bodyType === 'json' || !(request instanceof z.ZodObject)) return '';
  const names = Object.keys(request.shape).filter(name => !path.includes(`{${name}}`));
  return names.length === 0 ? '' : `?${names.map(name => `${name}=`).join('&')}`;
}

interface FieldRow {
  /** The path of the field in the GraphQL input; empty if only REST has it. */
  readonly graphql: string;
  readonly words: string;
  readonly paths: string[];
}

/** The names of the sets of paths that many fields belong to. */
const GROUPS: Readonly<Record<string, string>> = {
  'start, observe, step, scrape, close': 'all',
  'observe, step, scrape': 'page',
};

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns the Markdown table of the fields of JSON bodies: name in REST and in GraphQL, words, the paths that take it. */
export function requestFieldTable(routes: readonly RestRoute[]): string {
  const rows = new Map<string, FieldRow>();
  for (const { bodyType, fields, request, path } of routes) {
    if (bodyType !== 'json') continue;
    const defined = new Map(fields === null ? [] : fieldRows(fields, ''));
    for (const [name, words] of bodyFields(request)) {
      const known = rows.get(name);
      // The words of the operation's field stand for those of bodies in which the field means nothing.
      const row = known?.graphql
        ? known
        : { ...(defined.get(name) ?? known ?? { graphql: '', words }), paths: known?.paths ?? [] };
      row.paths.push(path.slice(path.lastIndexOf('/') + 1));
      rows.set(name, row);
    }
  }
  // Of the first paragraph the first sentence, and the sentences that state a default or bounds: /docs has all.
  const cell = (words: string): string =>
    (words.split('\n')[0] ?? '')
      .split(/(?<=\.) (?=[A-Z0-9])/)
      .filter(
        (sentence, at) =>
          at === 0 ||
          /^(Default|Up to|At most|Above|Not above|Others|Nothing|If there|If you|\d)/.test(sentence),
      )
      .join(' ')
      .replaceAll('|', '\\|')
      .trim();
  return [
    '| REST | GraphQL, if it is not the same in camelCase | Of | What it is |',
    '|---|---|---|---|',
    ...[...rows].map(
      ([name, { graphql, words, paths }]) =>
        `| \`${name}\` | ${graphql === camelCase(name) || graphql === '' ? '' : `\`${graphql}\``} | ${GROUPS[paths.join(', ')] ?? paths.join(', ')} | ${cell(restWords(words))} |`,
    ),
  ].join('\n');
}

const fieldRows = (fields: RequestFields, group: string): [string, Omit<FieldRow, 'paths'>][] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.rest === FLAT
      ? fieldRows((field.type as Group).fields, `${name}.`)
      : [[restName(name, field), { graphql: group + name, words: fullWords(field) }]],
  );

function bodyFields(request: z.ZodType): [string, string][] {
  const { $defs = {}, ...root } = z.toJSONSchema(request, { io: 'input' });
  return [root, ...Object.values($defs)].flatMap(({ properties }) =>
    Object.entries(properties ?? {}).map(([name, schema]): [string, string] => [
      name,
      typeof schema === 'object' ? (schema.description ?? '') : '',
    ]),
  );
}
