import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUERY_LIMITS } from '../../../../src/api/graphql/plugins/queryLimits.ts';
import { callGraphql } from '../../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const refused: readonly [string, string, RegExp][] = [
  ['too many tokens', `{ viewer { ${times(4_001, () => 'keyId')} } }`, /token/],
  ['too many aliases', `{ viewer { ${times(51, index => `a${index}: keyId`)} } }`, /aliases/],
  ['too many root fields', `{ ${times(21, () => 'viewer { keyId }')} }`, /root fields/],
  [
    'too many operations hidden in a fragment',
    `mutation { ...M } fragment M on Mutation { ${times(21, index => `s${index}: startSession { id }`)} }`,
    /root fields/,
  ],
  [
    'too high a cost',
    '{ sessions(first: 100) { edges { node { space { actions { id description category params { name } } } events(first: 100) { edges { node { type at seq } } } } } } }',
    /cost/,
  ],
  [
    'a cost hidden in fragments',
    `{ ${times(20, index => `q${index}: sessions(first: 100) { ...S }`)} } fragment S on SessionConnection { edges { node { space { actions { id description } } } } }`,
    /cost/,
  ],
  [
    'a circle of fragments',
    '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }',
    /fragment/i,
  ],
  ['an alias that makes an object look like a promise', '{ viewer { then: keyId } }', /alias "then"/],
  [
    'a subscription whose root field can be left out',
    'subscription { ...S } fragment S on Subscription { accountUsageChanged @skip(if: true) { operations } }',
    /cannot have @skip/,
  ],
];

test.each(refused)('POST /graphql refuses %s before it runs anything', async (_what, query, message) => {
  const answer = await callGraphql(product.url, product.key, query);
  expect(answer.body.data ?? null).toBeNull();
  expect(answer.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', status: 422 });
  expect(answer.body.errors[0].message).toMatch(message);
});

test('POST /graphql refuses fields that are nested too deeply', async () => {
  await using shallow = await startTestServer(product.started.service, {
    limits: { ...QUERY_LIMITS, maxDepth: 3 },
  });
  const within = await callGraphql(shallow.url, product.key, '{ viewer { account { name } } }');
  expect(within.body.errors).toBeUndefined();
  const beyond = await callGraphql(shallow.url, product.key, '{ sessions { edges { node { id } } } }');
  expect(beyond.body.errors[0].message).toMatch(/depth of the operation is 4/);
});

test('POST /graphql refuses a batch', async () => {
  const response = await fetch(`${product.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ viewer { keyId } }' }, { query: '{ viewer { keyId } }' }]),
  });
  expect(response.status).toBe(400);
  expect((await response.json()).errors[0].extensions.code).toBe('VALIDATION_ERROR');
});

test('the list of fifty sessions of a dashboard is within the limits', async () => {
  const query =
    '{ sessions(first: 50) { totalCount edges { node { id status url pageTitle duration eventCounts { stepped failed } account { name } space { category totalActions actions { id description } } } } } }';
  expect((await callGraphql(product.url, product.key, query)).body.errors).toBeUndefined();
});

test('every response has its cost and the limit in extensions.cost', async () => {
  const cost = async (query: string) =>
    (await callGraphql(product.url, product.key, query)).body.extensions.cost;
  const one = await cost('{ sessions(first: 1) { edges { node { id } } } }');
  const fifty = await cost('{ sessions(first: 50) { edges { node { id } } } }');
  expect(one.max).toBe(QUERY_LIMITS.maxCost);
  expect(fifty.actual).toBeGreaterThan(one.actual * 10);
});

test('introspection returns the whole schema', async () => {
  const answer = await callGraphql(product.url, product.key, getIntrospectionQuery());
  expect(answer.body.errors).toBeUndefined();
  expect(answer.body.data.__schema.types.length).toBeGreaterThan(30);
});

test('introspection: false refuses introspection and nothing else', async () => {
  await using closed = await startTestServer(product.started.service, { introspection: false });
  const { body } = await callGraphql(closed.url, product.key, getIntrospectionQuery());
  expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
  expect(
    (await callGraphql(closed.url, product.key, '{ viewer { __typename } }')).body.data.viewer.__typename,
  ).toBe('Viewer');
});

test.each([
  ['{ viewr { keyId } }', {}],
  [
    'mutation ($input: CloseSessionInput!) { closeSession(input: $input) { id } }',
    { input: { sesionId: '1' } },
  ],
])('introspection: false removes suggestions of field names: %s', async (query, variables) => {
  await using closed = await startTestServer(product.started.service, { introspection: false });
  const { body } = await callGraphql(closed.url, product.key, query, variables);
  expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
  expect(body.errors[0].message).not.toContain('Did you mean');
});

test('the errors of a refused operation are at most fifty, with at most ten places each', async () => {
  const circles = times(90, index => `fragment F${index} on Viewer { ...F${(index + 1) % 90} }`);
  const { body } = await callGraphql(product.url, product.key, `{ viewer { ...F0 } } ${circles}`);
  const unknown = await callGraphql(product.url, product.key, `{ ${times(90, index => `unknown${index}`)} }`);
  expect(unknown.body.errors).toHaveLength(50);
  expect(body.errors[0].locations).toHaveLength(10);
});

test('an operation that is too repetitive to validate is refused in words that help', async () => {
  const query = `{ viewer { ${times(3_900, () => 'keyId')} } }`;
  const { body } = await callGraphql(product.url, product.key, query);
  expect(body.errors[0]).toMatchObject({ extensions: { code: 'VALIDATION_ERROR' } });
  expect(body.errors[0].message).toMatch(/repeats a field too often.*Select each field once/);
});
