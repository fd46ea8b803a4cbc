import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { overSocket } from '../../support/subscribe.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const LEVELS = 20_000;
const objects = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
const lists = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
const post = (path: string, body: string) => callApi(product.url, 'POST', path, { key: product.key, body });
const NAMED = '"idempotency_key": "k"';
const SCRAPE = 'mutation ($input: ScrapeInput!) { scrape(input: $input) { session { id } } }';

describe('deeply nested input answers VALIDATION_ERROR', () => {
  test.each([
    ['a schema to extract by', `{"extract": ${objects}, ${NAMED}}`],
    ['a field that is none', `{"nothing": ${lists}, ${NAMED}}`],
    ['the body itself', lists],
  ])('over REST: %s', async (_what, body) => {
    expect(await post('/env/scrape', body)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR', detail: 'JSON may be nested 100 levels deep.' },
    });
  });

  test.each([
    [
      'a variable',
      `{"query": "${SCRAPE}", "variables": {"input": {"content": {"extract": ${objects}}, "idempotencyKey": "k"}}}`,
    ],
    ['a variable that is not used', `{"query": "{ viewer { keyId } }", "variables": {"a": ${lists}}}`],
    ['extensions', `{"query": "{ viewer { keyId } }", "extensions": ${objects}}`],
  ])('over GraphQL: %s', async (_what, body) => {
    expect(await post('/graphql', body)).toMatchObject({
      status: 422,
      body: { errors: [{ extensions: { code: 'VALIDATION_ERROR' } }] },
    });
  });

  test('over GraphQL by GET: a variable', async () => {
    const variables = `{"a": ${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    const query = new URLSearchParams({ query: '{ viewer { keyId } }', variables });
    expect(await callApi(product.url, 'GET', `/graphql?${query}`, { key: product.key })).toMatchObject({
      status: 422,
      body: { errors: [{ extensions: { code: 'VALIDATION_ERROR' } }] },
    });
  });

  test('over WebSocket: a variable', async () => {
    const results = overSocket({ url: product.url, key: product.key }, SCRAPE, {
      input: { content: { extract: JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) } },
    });
    expect((await results.next()).value).toMatchObject({
      errors: [{ extensions: { code: 'VALIDATION_ERROR' } }],
    });
  });

  // All within the limit of tokens.
  test.each([
    ['a list', `{ sessions(status: ${'['.repeat(1_900)}${']'.repeat(1_900)}) { totalCount } }`],
    [
      'an object',
      `mutation { scrape(input: {content: {extract: ${'{a: '.repeat(990)}1${'}'.repeat(990)}}}) { data { url } } }`,
    ],
    ['a type', `query ($a: ${'['.repeat(1_900)}Int${']'.repeat(1_900)}) { viewer { keyId } }`],
    ['fields', `${'{ a '.repeat(1_300)}${'}'.repeat(1_300)}`],
    ['inline fragments', `{ viewer ${'{ ... on Viewer '.repeat(790)}{ keyId }${'}'.repeat(790)} }`],
  ])('in the text of an operation: %s', async (_what, query) => {
    const answer = await post('/graphql', JSON.stringify({ query }));
    expect(answer.body.errors[0]).toMatchObject({
      message: 'A document may be nested 200 levels deep.',
      extensions: { code: 'VALIDATION_ERROR' },
    });
  });
});

test('input that is nested as deep as the JSON of a page is accepted', async () => {
  const schema = (levels: number): object =>
    levels === 0
      ? { type: 'string', selector: 'p' }
      : { type: 'object', properties: { a: schema(levels - 1) } };
  const { body } = await post('/env/scrape', JSON.stringify({ extract: schema(10) }));
  expect(body.detail).toContain('There is no page to read');
});
