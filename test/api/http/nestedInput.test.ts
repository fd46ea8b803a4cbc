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

describe('input with more than 10,000 values answers VALIDATION_ERROR', () => {
  const zeros = `[${'0,'.repeat(10_000)}0]`;
  const fields = `{${Array.from({ length: 10_001 }, (_, index) => `"a${index}": 1`).join(', ')}}`;
  const tooMany = {
    status: 422,
    body: { detail: 'The lists and objects in JSON may have 10,000 values together.' },
  };

  test.each([
    ['a list', `{"formats": ${zeros}}`],
    ['unknown fields', fields],
    ['several lists', `{"kinds": [${'0,'.repeat(6_000)}0], "status": [${'0,'.repeat(6_000)}0]}`],
  ])('over REST: %s', async (_what, body) => {
    expect(await post('/env/scrape', body)).toMatchObject(tooMany);
  });

  test.each(['variables', 'extensions'])('over GraphQL: %s', async name => {
    const answer = await post('/graphql', `{"query": "{ viewer { keyId } }", "${name}": ${fields}}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ message: tooMany.body.detail, extensions: { code: 'VALIDATION_ERROR' } }] },
    });
  });

  test('over MCP: a batch', async () => {
    expect(await post('/mcp', `[${'{},'.repeat(10_000)}{}]`)).toMatchObject(tooMany);
  });

  test('over WebSocket: a variable', async () => {
    const results = overSocket({ url: product.url, key: product.key }, SCRAPE, {
      input: { content: { extract: JSON.parse(zeros) } },
    });
    expect((await results.next()).value).toMatchObject({
      errors: [{ message: tooMany.body.detail, extensions: { code: 'VALIDATION_ERROR' } }],
    });
  });
});

describe('a request with thousands of wrong fields', () => {
  const unknown = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`a${index}`, 1]));

  test('has at most 50 errors over REST, of which the detail names ten', async () => {
    const wrongLists = JSON.stringify({ formats: Array(9_000).fill(0) });
    for (const body of [JSON.stringify(unknown), wrongLists]) {
      const { status, body: problem } = await post('/env/scrape', body);
      expect([status, problem.code, problem.errors.length]).toEqual([422, 'VALIDATION_ERROR', 50]);
      expect(problem.detail.split('; ')).toHaveLength(11);
      expect(problem.detail).toMatch(/; and others\.$/);
    }
  });

  // The message of each error of graphql-js contains the whole value: without a limit this takes minutes.
  test('has at most six errors in the variables of a GraphQL operation', async () => {
    const body = JSON.stringify({ query: SCRAPE, variables: { input: unknown } });
    expect((await post('/graphql', body)).body.errors).toHaveLength(6);
    const results = overSocket({ url: product.url, key: product.key }, SCRAPE, { input: unknown });
    expect((await results.next()).value).toMatchObject({ errors: { length: 6 } });
  });

  test('names an unknown field by the first 200 characters', async () => {
    const { body } = await post('/env/observe', JSON.stringify({ ['x'.repeat(100_000)]: 1 }));
    expect(body.errors[0].path).toHaveLength(200);
    expect(body.detail).toHaveLength(232);
  });
});
