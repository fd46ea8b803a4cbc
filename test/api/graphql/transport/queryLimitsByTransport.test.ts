import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUERY_LIMITS } from '../../../../src/api/graphql/plugins/queryLimits.ts';
import { callApi, callGraphql } from '../../../support/callApi.ts';
import { startTestServer, type TestServer } from '../../../support/startServer.ts';
import { type StartedService, startService } from '../../../support/startService.ts';
import {
  overEvents,
  overSocket,
  type Subscribe,
  type SubscriptionResult,
} from '../../../support/subscribe.ts';

let started: StartedService;
/** With limits low enough to exceed them with the types of the schema, and without introspection. */
let server: TestServer;
beforeAll(async () => {
  started = await startService({ browser: 'fake' });
  const limits = { ...QUERY_LIMITS, maxDepth: 5, maxCost: 200, maxEventCost: 200 };
  server = await startTestServer(started.service, { limits, introspection: false });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

type Ask = (query: string) => Promise<SubscriptionResult | undefined>;
const over =
  (subscribe: Subscribe): Ask =>
  async query => {
    const results = subscribe({ url: server.url, key: started.key }, query);
    const { value } = await results.next();
    await results.return();
    return value ?? undefined;
  };
const byPost: Ask = async query => (await callGraphql(server.url, started.key, query)).body;
const byGet: Ask = async query =>
  (await callApi(server.url, 'GET', `/graphql?${new URLSearchParams({ query })}`, { key: started.key })).body;

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const NODE = 'edges { node { account { name } } }';

const QUERIES: readonly (readonly [string, RegExp, string])[] = [
  ['too many tokens', /4000 tokens/, `{ viewer { ${times(4_001, () => 'a')} } }`],
  ['too many aliases', /at most 50 aliases/, `{ viewer { ${times(51, index => `a${index}: keyId`)} } }`],
  ['too many root fields', /at most 20 root fields/, `{ ${times(21, () => 'viewer { keyId }')} }`],
  [
    'too deep a nesting',
    /depth of the operation is \d+; at most 5/,
    `{ sessions(first: 1) { edges { node { account { keys { id } } } } } }`,
  ],
  [
    'a nesting hidden in fragments',
    /depth of the operation is \d+; at most 5/,
    `{ sessions(first: 1) { ...A } } fragment A on SessionConnection { edges { node { ...B } } } fragment B on Session { account { keys { id } } }`,
  ],
  ['too high a cost', /cost of the operation is \d+; at most 200/, `{ sessions(first: 100) { ${NODE} } }`],
  [
    'a cost that doubles from fragment to fragment',
    /cost of the operation is \d+; at most 200/,
    `{ viewer { ...F0 } } ${times(12, index => `fragment F${index} on Viewer { ...F${index + 1} ... on Viewer { ...F${index + 1} } }`)} fragment F12 on Viewer { keyId }`,
  ],
  ['a circle of fragments', /Cannot spread fragment/, '{ viewer { ...A } } fragment A on Viewer { ...A }'],
  [
    'a directive that repeats',
    /can only be used once/,
    `{ viewer { keyId ${times(500, () => '@skip(if: false)')} } }`,
  ],
  ['introspection', /Introspection is switched off/, getIntrospectionQuery()],
  [
    'introspection of one type',
    /Introspection is switched off/,
    '{ a: __type(name: "Query") { fields { name } } }',
  ],
  [
    'introspection through a fragment',
    /Introspection is switched off/,
    'query { ...F } fragment F on Query { ... on Query { __schema { types { name } } } }',
  ],
  [
    'introspection that a directive lets in',
    /Introspection is switched off/,
    'query { __schema @include(if: true) { types { name } } }',
  ],
  [
    'deeply nested brackets',
    /200 levels deep/,
    `{ sessions(status: ${'['.repeat(1_900)}${']'.repeat(1_900)}) { totalCount } }`,
  ],
];

const SUBSCRIPTIONS: readonly (readonly [string, RegExp, string])[] = [
  [
    'too many aliases',
    /at most 50 aliases/,
    `subscription { sessionStatusChanged { ${times(51, index => `a${index}: id`)} } }`,
  ],
  [
    'too high a cost',
    /cost of the operation is \d+; at most 200/,
    `subscription { sessionStatusChanged { events(first: 100) { ${'edges { node { seq at } }'} } space { actions { id description } } } }`,
  ],
  [
    'too deep a nesting',
    /depth of the operation is \d+; at most 5/,
    'subscription { sessionStatusChanged { account { ledger { edges { node { at } } } } } }',
  ],
  [
    'several of them',
    /must select only one top level field/,
    'subscription { a: sessionStatusChanged { id } b: sessionStatusChanged { id } }',
  ],
];

function expectRefused(result: SubscriptionResult | undefined, why: RegExp): void {
  expect(result?.data ?? null).toBeNull();
  expect(result?.errors?.map(({ extensions }) => extensions.code)).toContain('VALIDATION_ERROR');
  expect(JSON.stringify(result?.errors)).toMatch(why);
}

describe.each<[string, Ask]>([
  ['POST', byPost],
  ['GET', byGet],
  ['server-sent events', over(overEvents)],
  ['WebSocket', over(overSocket)],
])('over %s', (transport, ask) => {
  // A URL is too short for the longest ones.
  const fitting = QUERIES.filter(([, , query]) => transport !== 'GET' || query.length < 5_000);
  test.each(fitting)('the server refuses %s', async (_what, why, query) => {
    expectRefused(await ask(query), why);
  });

  test('no error suggests a field name', async () => {
    expect(JSON.stringify(await ask('{ viewr { keyId } }'))).not.toContain('Did you mean');
  });

  test('the server runs an operation within all limits', async () => {
    expect(await ask('{ viewer { account { name } } }')).toMatchObject({ data: { viewer: { account: {} } } });
  });
});

describe.each<[string, Ask]>([
  ['server-sent events', over(overEvents)],
  ['WebSocket', over(overSocket)],
])('a subscription over %s', (_transport, ask) => {
  test.each(SUBSCRIPTIONS)('the server refuses %s', async (_what, why, query) => {
    expectRefused(await ask(query), why);
  });
});

test.each(['POST', 'GET'])('%s with a text and a hash does not persist the text', async method => {
  const query = '{ viewer { scopes } }';
  const sha256Hash = 'a'.repeat(64);
  const persistedQuery = { version: 1, sha256Hash };
  const ask = (body: Record<string, unknown>) =>
    method === 'POST'
      ? callApi(server.url, 'POST', '/graphql', { key: started.key, body })
      : callApi(
          server.url,
          'GET',
          `/graphql?${new URLSearchParams(Object.entries(body).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]))}`,
          { key: started.key },
        );
  await ask({ query, extensions: { persistedQuery } });
  expect((await ask({ extensions: { persistedQuery } })).body.errors[0].extensions.code).toBe(
    'PERSISTED_QUERY_NOT_FOUND',
  );
});

test.each([
  'mutation { startSession { id } }',
  'mutation A { startSession { id } } query B { viewer { keyId } }',
])('GET and HEAD run no mutation: %s', async query => {
  const address = `/graphql?${new URLSearchParams({ query, operationName: query.includes(' A ') ? 'A' : '' })}`;
  for (const method of ['GET', 'HEAD']) {
    const answer = await callApi(server.url, method, address, { key: started.key });
    expect(answer.status).toBe(405);
  }
  expect(
    (await callGraphql(server.url, started.key, '{ sessions { totalCount } }')).body.data.sessions.totalCount,
  ).toBe(0);
});
