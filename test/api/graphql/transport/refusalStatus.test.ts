import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, callApi } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const post = (body: unknown, accept: string): Promise<ApiResponse> =>
  callApi(product.url, 'POST', '/graphql', { key: product.key, body, headers: { accept } });

const MODERN = 'application/graphql-response+json';
const LEGACY = 'application/json';
const STREAM = 'text/event-stream';

const aliases = (count: number, text: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${text}`).join(' ');

describe.each([
  ['a syntax error', { query: '{' }],
  ['an unknown field', { query: '{ nothing }' }],
  [
    'a cost above the limit',
    {
      query: `{ sessions(first: 100) { edges { node { ${aliases(9, 'events(first: 100) { edges { node { seq at } } }')} } } } }`,
    },
  ],
  ['too many tokens', { query: `{${' a'.repeat(5_000)}}` }],
  ['too many root fields', { query: `{ ${aliases(21, 'viewer { keyId }')} }` }],
  ['too many aliases', { query: `{ viewer { ${aliases(51, 'keyId')} } }` }],
  ['a missing variable', { query: 'query ($a: ID!) { session(id: $a) { id } }' }],
  ['no operation of that name', { query: 'query A { viewer { keyId } }', operationName: 'B' }],
  ['no query', {}],
])('%s', (_case, body) => {
  test('is a 4xx for a client that accepts application/graphql-response+json', async () => {
    const { status, body: result } = await post(body, MODERN);
    expect(status).toBe(400);
    expect(result).not.toHaveProperty('data');
    expect(result.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(result.errors[0].extensions).not.toHaveProperty('http');
  });
});

test.each([MODERN, LEGACY])('an error of a field is a 200 for %s', async accept => {
  const { status, body } = await post({ query: '{ sessions(first: 1000) { totalCount } }' }, accept);
  expect(status).toBe(200);
  expect(body.data).toBeNull();
});

test.each([MODERN, LEGACY, 'image/png'])('a subscription is a 406 with a code for %s', async accept => {
  const query = 'subscription { accountUsageChanged { operations } }';
  const { status, body } = await post({ query }, accept);
  expect(status).toBe(406);
  expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
  expect(body.errors[0].message).toContain('text/event-stream');
});

describe.each([MODERN, LEGACY, STREAM])('a body that is no object, for %s', accept => {
  test.each(['null', 'true', '5', '"x"', '[]', '[null]', '[{"query":"{ viewer { keyId } }"}]', ''])(
    '%j is a 400 without an internal error',
    async body => {
      product.logLines.length = 0;
      const { status, text } = await post(body, accept);
      expect(status).toBe(400);
      expect(text).not.toContain('INTERNAL');
      expect(product.logLines.filter(({ level }) => level >= 40)).toEqual([]);
    },
  );
});
