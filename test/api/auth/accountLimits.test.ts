import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ApiResponse, callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
let key: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
beforeEach(async () => {
  key = await freeKey();
});
afterAll(() => product[Symbol.asyncDispose]());

async function freeKey(): Promise<string> {
  const { store, clock } = product.started;
  return (await addAccount(store, clock, 'someone', 'free')).key;
}

const atOnce = (times: number, one: () => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: times }, one));

const statuses = (responses: readonly ApiResponse[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const sessions = (with_: string) => callApi(product.url, 'GET', '/sessions', { key: with_ });

describe('The limit of requests per minute', () => {
  test('lets exactly 60 of 200 concurrent requests pass and responses the others with Retry-After', async () => {
    const responses = await atOnce(200, () => sessions(key));
    expect(statuses(responses)).toEqual({ 200: 60, 429: 140 });
    const refused = responses.find(response => response.status === 429);
    expect(refused?.body).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    const wait = Number(refused?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused?.body.retry_after_seconds).toBe(wait);
  });

  test('counts REST, GraphQL and all keys of an account together', async () => {
    const { store, clock } = product.started;
    const { account, key: first } = await addAccount(store, clock, 'two keys', 'free');
    const second = await product.started.issueKey(account);
    const rest = atOnce(50, () => sessions(first));
    const graphql = atOnce(50, () => callGraphql(product.url, second, '{ viewer { keyId } }'));
    expect(statuses([...(await rest), ...(await graphql)])).toEqual({ 200: 60, 429: 40 });
  });

  test('is reported in RateLimit-Limit, -Remaining and -Reset', async () => {
    const [one, two] = [await sessions(key), await callGraphql(product.url, key, '{ viewer { keyId } }')];
    expect(one.headers.get('ratelimit-limit')).toBe('60');
    expect(one.headers.get('ratelimit-remaining')).toBe('59');
    expect(two.headers.get('ratelimit-remaining')).toBe('58');
    const reset = Number(two.headers.get('ratelimit-reset'));
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
  });

  test('is reported in the headers of a failure too', async () => {
    const response = await callApi(product.url, 'POST', '/session/start', { key, body: '{' });
    expect(response.status).toBe(400);
    expect(response.headers.get('ratelimit-remaining')).toBe('59');
  });

  test('has no headers for an account without a limit', async () => {
    const response = await sessions(product.key);
    expect(response.headers.get('ratelimit-limit')).toBeNull();
  });

  test('counts a GraphQL operation by its root fields, including those in fragments', async () => {
    const query =
      '{ a: viewer { keyId } ...More } fragment More on Query { b: viewer { keyId } failureCodes { code } }';
    const response = await callGraphql(product.url, key, query);
    expect(response.body.errors).toBeUndefined();
    expect(response.headers.get('ratelimit-remaining')).toBe('57');
  });

  test('refuses a whole GraphQL operation with more root fields than requests are left', async () => {
    await atOnce(58, () => sessions(key));
    const response = await callGraphql(
      product.url,
      key,
      '{ a: viewer { keyId } b: viewer { keyId } c: viewer { keyId } }',
    );
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).not.toBeNull();
    expect(response.body.data).toBeUndefined();
    expect(response.body.errors[0].extensions.code).toBe('RATE_LIMITED');
  });

  test('counts WebSocket operations by their root fields', async () => {
    const client = createClient({
      url: `${product.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${key}` },
    });
    const ask = async (query: string) => (await client.iterate({ query }).next()).value;
    expect(await ask('{ a: viewer { keyId } b: viewer { keyId } }')).toMatchObject({
      data: { a: {}, b: {} },
    });
    expect((await sessions(key)).headers.get('ratelimit-remaining')).toBe('57');
    await atOnce(57, () => sessions(key));
    const refused = client.iterate({ query: '{ viewer { keyId } }' }).next();
    await expect(refused).rejects.toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    await client.dispose();
  });

  test('is separate for each account', async () => {
    await atOnce(61, () => sessions(key));
    expect((await sessions(await freeKey())).status).toBe(200);
  });
});

describe('Requests without a valid key', () => {
  test('get 429 after 120 from one network, while valid keys still work', async () => {
    await using proxied = await startTestProduct({ browser: 'fake' }, { trustedProxies: 1 });
    const from = { 'x-forwarded-for': '10.9.9.9, 203.0.113.9' };
    const bad = () => callApi(proxied.url, 'GET', '/sessions', { key: 'psk_nonsense', headers: from });
    expect(statuses(await atOnce(200, bad))).toEqual({ 401: 120, 429: 80 });
    const good = await callApi(proxied.url, 'GET', '/sessions', { key: proxied.key, headers: from });
    expect(good.status).toBe(200);
    const elsewhere = { 'x-forwarded-for': '203.0.113.10' };
    const other = await callApi(proxied.url, 'GET', '/sessions', { key: 'psk_nonsense', headers: elsewhere });
    expect(other.status).toBe(401);
  });
});

describe('The limit of concurrent sessions', () => {
  const start = (with_: string) => callApi(product.url, 'POST', '/session/start', { key: with_, body: {} });

  test('lets exactly two of 20 concurrent starts pass', async () => {
    const responses = await atOnce(20, () => start(key));
    expect(statuses(responses)).toEqual({ 200: 2, 429: 18 });
    const refused = responses.find(response => response.status === 429);
    expect(refused?.body.code).toBe('CONCURRENCY_LIMIT');
    expect(refused?.headers.get('retry-after')).not.toBeNull();
  });

  test('allows a new session after one was closed', async () => {
    const { body } = await start(key);
    await start(key);
    await callApi(product.url, 'POST', '/session/close', { key, body: { session_id: body.session_id } });
    expect((await start(key)).status).toBe(200);
  });

  test('holds for an operation that starts its own session', async () => {
    await start(key);
    await start(key);
    const body = { url: 'http://127.0.0.1:1/' };
    expect((await callApi(product.url, 'POST', '/env/scrape', { key, body })).body.code).toBe(
      'CONCURRENCY_LIMIT',
    );
  });

  test('does not count a session whose start failed', async () => {
    const body = { url: 'http://127.0.0.1:1/' };
    const scrape = () => callApi(product.url, 'POST', '/env/scrape', { key, body });
    for (let i = 0; i < 3; i += 1) expect((await scrape()).body.code).not.toBe('CONCURRENCY_LIMIT');
  });
});

test('session_timeout_minutes above the limit of the tier is refused', async () => {
  const body = { session_timeout_minutes: 16 };
  const response = await callApi(product.url, 'POST', '/session/start', { key, body });
  expect(response).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  expect(response.body.detail).toContain('15 minutes');
});
