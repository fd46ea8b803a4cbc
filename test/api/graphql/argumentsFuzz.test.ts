import fc from 'fast-check';
import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../src/api/graphql/schema.ts';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import {
  FUZZ_TIMEOUT_MS,
  FUZZ_TIMES,
  FuzzHarness,
  INVALID_PLACEHOLDER,
  jsonWith,
} from '../../support/fuzzHarness.ts';
import { BAD_JSON, BAD_LITERAL, type Path, type Shape, shapeOfType } from '../../support/inputShape.ts';

/** Sends each argument of each field of the schema with wrong values while all others are valid. */

let bench: FuzzHarness;
beforeAll(async () => {
  bench = await FuzzHarness.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Needs an active session, which the other cases would change. */
const NEED_ACTIVE_SESSION = ['Space.diff'];

interface Found {
  readonly coordinate: string;
  readonly operation: string;
  readonly field: GraphQLField<unknown, unknown>;
  /** Fields from the root to it. */
  readonly way: readonly string[];
}

/** Every field with arguments, and the path to it through fields that require none. */
function fieldsWithArguments(): Found[] {
  const found: Found[] = [];
  const seen = new Set<string>();
  const visit = (operation: string, type: GraphQLObjectType, way: readonly string[]): void => {
    if (seen.has(type.name)) return;
    seen.add(type.name);
    const fields = Object.values(type.getFields());
    for (const field of fields)
      if (field.args.length > 0)
        found.push({ coordinate: `${type.name}.${field.name}`, operation, field, way });
    if (operation !== 'query') return;
    for (const field of fields) {
      const below = getNamedType(field.type);
      const isOpen = field.args.every(arg => !arg.type.toString().endsWith('!'));
      if (isOpen && isObjectType(below)) visit(operation, below, [...way, field.name]);
    }
  };
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  for (const [operation, type] of Object.entries(roots)) if (type) visit(operation, type, []);
  return found;
}

const found = fieldsWithArguments();

test('the search finds every field of the schema with arguments', () => {
  const all = Object.values(schema.getTypeMap())
    .filter(type => isObjectType(type))
    .filter(type => !type.name.startsWith('__'))
    .flatMap(type => Object.values(type.getFields()).map(field => ({ type, field })))
    .filter(({ field }) => field.args.length > 0)
    .map(({ type, field }) => `${type.name}.${field.name}`);
  expect(found.map(({ coordinate }) => coordinate).toSorted()).toEqual(all.toSorted());
});

/** A value as a GraphQL literal: field names and enum values have no quotation marks. */
function literalOf(value: unknown, isEnum: (path: Path) => boolean, path: Path = []): string {
  if (value === INVALID_PLACEHOLDER) return INVALID_PLACEHOLDER;
  if (Array.isArray(value)) return `[${value.map(one => literalOf(one, isEnum, [...path, '0'])).join(', ')}]`;
  if (typeof value === 'string' && isEnum(path)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, one]) => `${name}: ${literalOf(one, isEnum, [...path, name])}`,
  );
  return `{${fields.join(', ')}}`;
}

/** Functions that request the field with given arguments, as variables and as literals. */
function requestsFor({ operation, field, way }: Found) {
  const args = (): Shape => ({
    kind: 'object',
    fields: Object.fromEntries(
      field.args.map(arg => [
        arg.name,
        {
          shape: shapeOfType(arg.type, arg.name, bench.knownValues),
          required: arg.type.toString().endsWith('!'),
        },
      ]),
    ),
  });
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const document = (declared: string, given: string): string =>
    `${operation} ${declared} { ${way.map(name => `${name} {`).join(' ')} ${field.name}${given} ${selection} ${'}'.repeat(way.length)} }`;
  const accept = operation === 'subscription' ? 'text/event-stream' : 'application/json';
  const post = (body: string): Promise<ApiResponse> =>
    callApi(bench.url, 'POST', '/graphql', { key: bench.key, body, headers: { accept } });

  const byVariables = (value: unknown, bad = 'null'): Promise<ApiResponse> => {
    const declared = field.args.map(arg => `$${arg.name}: ${arg.type}`).join(', ');
    const given = field.args.map(arg => `${arg.name}: $${arg.name}`).join(', ');
    const query = JSON.stringify(document(`(${declared})`, `(${given})`));
    return post(`{"query": ${query}, "variables": ${jsonWith(value, bad)}}`);
  };
  const inText = (value: unknown, bad = 'null'): Promise<ApiResponse> => {
    if (value === INVALID_PLACEHOLDER) return post(JSON.stringify({ query: document('', `(${bad})`) }));
    const given = Object.entries(value as object).map(
      ([name, one]) => `${name}: ${literalOf(one, path => isEnumAt(name, path))}`,
    );
    const some = given.length === 0 ? '' : `(${given.join(', ')})`;
    return post(JSON.stringify({ query: document('', some).replace(INVALID_PLACEHOLDER, () => bad) }));
  };
  const isEnumAt = (name: string, path: Path): boolean => {
    const arg = field.args.find(one => one.name === name);
    let type = arg === undefined ? null : getNamedType(arg.type);
    for (const step of path) {
      if (step === '0') continue;
      const inner = type !== null && 'getFields' in type ? type.getFields()[step] : undefined;
      type = inner === undefined ? null : getNamedType(inner.type);
    }
    return type !== null && 'getValues' in type;
  };

  return { args, byVariables, inText };
}

/** The arguments with their words: the ids of a node and of a session have the same type, and are checked otherwise. */
const signatureOf = ({ field }: Found): string =>
  field.args.map(arg => `${arg.name}: ${arg.type} ${arg.description}`).join();

describe.each(found)('$coordinate', one => {
  const { args, byVariables, inText } = requestsFor(one);

  test(
    'never answers INTERNAL, whichever part of its variables is wrong',
    () => bench.checkInvalidParts(args(), BAD_JSON, byVariables),
    FUZZ_TIMEOUT_MS,
  );

  // Fields with the same arguments read their literals alike, and the test above has each of them with its own check.
  if (found.find(other => signatureOf(other) === signatureOf(one)) === one)
    test(
      'never answers INTERNAL, whichever part of its literal arguments is wrong',
      () => bench.checkInvalidParts(args(), BAD_LITERAL, inText),
      FUZZ_TIMEOUT_MS,
    );
});

test.each(found.filter(({ coordinate }) => !NEED_ACTIVE_SESSION.includes(coordinate)))(
  '$coordinate accepts valid arguments, as variables and as literals',
  async one => {
    const { args, byVariables, inText } = requestsFor(one);
    await bench.assertValidAccepted(args(), byVariables);
    await bench.assertValidAccepted(args(), inText);
  },
  FUZZ_TIMEOUT_MS,
);

test('more keys are created than an account can have at once, because each case revokes its key', async () => {
  const query = 'mutation { createApiKey(input: {name: "a", scopes: [READ]}) { __typename } }';
  for (let count = 0; count < 101; count++)
    expect(
      await bench.sendAndCheck(() =>
        callApi(bench.url, 'POST', '/graphql', { key: bench.key, body: { query } }),
      ),
    ).toEqual([]);
});

test(
  'POST /graphql never answers INTERNAL, whatever the document is',
  async () => {
    const words = [
      ...['{', '}', '(', ')', '[', ']', ':', '!', '|', '&', '=', '@', '$', '...', '"', '"""', '#', '\\'],
      ...['query', 'mutation', 'subscription', 'fragment', 'on', 'schema', 'type', 'extend', 'directive'],
      ...[
        'viewer',
        'sessions',
        'account',
        'edges',
        'node',
        'first:',
        '1',
        '$a',
        '@skip(if: true)',
        '@include',
      ],
      ...[
        'Session',
        'Query',
        '__schema',
        '__type(name: "Query")',
        '__typename',
        'F',
        '...F',
        'null',
        '1e400',
      ],
    ];
    const documents = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 40 }).map(some => some.join(' ')),
      fc
        .array(fc.constantFrom(...words), { maxLength: 40 })
        .map(some => `{ viewer { keyId ${some.join(' ')} } }`),
    );
    await fc.assert(
      fc.asyncProperty(documents, async query => {
        await bench.sendAndCheck(() =>
          callApi(bench.url, 'POST', '/graphql', { key: bench.key, body: { query } }),
        );
      }),
      { numRuns: 100 * FUZZ_TIMES },
    );
  },
  FUZZ_TIMEOUT_MS,
);

/** Maximum length of each of the seven values of a query. A character takes up to nine in it, and the HTTP parser refuses more than 16 KiB of headers. */
const MAX_QUERY_VALUE = 200;

test(
  '/graphql never answers INTERNAL, whatever the request parameters are',
  async () => {
    const params = fc.dictionary(
      fc.constantFrom('query', 'variables', 'operationName', 'extensions', 'documentId', 'id', '__proto__'),
      BAD_JSON,
    );
    await fc.assert(
      fc.asyncProperty(params, fc.boolean(), async (some, byGet) => {
        const { key } = bench;
        const text = `{${Object.entries(some).map(([name, bad]) => `${JSON.stringify(name)}: ${bad}`)}}`;
        const query = new URLSearchParams(
          Object.entries(some).map(([name, bad]) => [name, bad.slice(0, MAX_QUERY_VALUE).toWellFormed()]),
        );
        await bench.sendAndCheck(() =>
          byGet
            ? callApi(bench.url, 'GET', `/graphql?${query}`, { key })
            : callApi(bench.url, 'POST', '/graphql', { key, body: text }),
        );
      }),
      { numRuns: 100 * FUZZ_TIMES },
    );
  },
  FUZZ_TIMEOUT_MS,
);
