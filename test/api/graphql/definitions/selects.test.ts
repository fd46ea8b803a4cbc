import {
  execute,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { selects } from '../../../../src/api/graphql/definitions/selects.ts';

/** Runs a query of `{ page { … } }` and returns what `selects` returns in the resolver of `page`. */
function selectsInQuery(
  query: string,
  path: readonly string[],
  variableValues: Record<string, unknown> = {},
): boolean {
  let answer: boolean | undefined;
  const Data = new GraphQLObjectType({
    name: 'Data',
    fields: { markdown: { type: GraphQLString }, text: { type: GraphQLString } },
  });
  const Page = new GraphQLObjectType({
    name: 'Page',
    fields: { screenshot: { type: GraphQLString }, data: { type: Data } },
  });
  const resolve = (_root: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo) => {
    answer = selects(info, ...path);
    return {};
  };
  const Query = new GraphQLObjectType({ name: 'Query', fields: { page: { type: Page, resolve } } });
  const result = execute({
    schema: new GraphQLSchema({ query: Query }),
    document: parse(query),
    variableValues,
  });
  if ('errors' in result && result.errors) throw result.errors[0];
  if (answer === undefined) throw new Error('The field was not resolved.');
  return answer;
}

const cases: readonly [string, string, boolean, Record<string, unknown>?][] = [
  ['{ page { screenshot } }', 'screenshot', true],
  ['{ page { data { text } } }', 'screenshot', false],
  ['{ page { data { text } } }', 'data', true],
  ['{ page { data { text } } }', 'data.markdown', false],
  ['{ page { data { markdown } } }', 'data.markdown', true],
  ['{ page { shot: screenshot } }', 'screenshot', true],
  ['{ page { screenshot: data { text } } }', 'screenshot', false],
  ['{ page { ... { data { ... on Data { markdown } } } } }', 'data.markdown', true],
  [
    '{ page { ...P } } fragment P on Page { data { ...D } } fragment D on Data { markdown }',
    'data.markdown',
    true,
  ],
  ['{ page { data { text } } again: page { screenshot } }', 'screenshot', true],
  ['{ page { data { text } } page { data { markdown } } }', 'data.markdown', true],
  ['{ page { screenshot @include(if: false) __typename } }', 'screenshot', false],
  ['{ page { screenshot @skip(if: true) __typename } }', 'screenshot', false],
  [
    'query ($on: Boolean!) { page { screenshot @include(if: $on) __typename } }',
    'screenshot',
    true,
    { on: true },
  ],
  [
    'query ($on: Boolean!) { page { screenshot @include(if: $on) __typename } }',
    'screenshot',
    false,
    { on: false },
  ],
  [
    'query ($off: Boolean!) { page { ...P @skip(if: $off) __typename } } fragment P on Page { screenshot }',
    'screenshot',
    false,
    { off: true },
  ],
  ['{ page { screenshot @skip(if: false) @include(if: false) __typename } }', 'screenshot', false],
];

test.each(cases)('selects(): %s contains %s: %s', (query, path, answer, variables) => {
  expect(selectsInQuery(query, path.split('.'), variables)).toBe(answer);
});
