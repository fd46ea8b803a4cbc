import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ApiResponse, callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
let key: string;
beforeAll(async () => {
  product = await startTestProduct();
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

const statuses = (answers: readonly ApiResponse[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const sessions = (with_: string) => callApi(product.url, 'GET', '/sessions', { key: with_ });

describe('requests a minute', () => {
  test('exactly sixty of two hundred at once are answered, the others told when to come again', async () => {
    const answers = await atOnce(200, () => sessions(key));
    expect(statuses(answers)).toEqual({ 200: 60, 429: 140 });
    const refused = answers.find(answer => answer.status === 429);
    expect(refused?.body).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    const wait = Number(refused?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused?.body.retry_after_seconds).toBe(wait);
  });

  test('both doors and all keys of an account count together', async () => {
    const { store, clock } = product.started;
    const { account, key: first } = await addAccount(store, clock, 'two keys', 'free');
    const second = await product.started.issueKey(account);
    const rest = atOnce(50, () => sessions(first));
    const asked = atOnce(50, () => callGraphql(product.url, second, '{ viewer { keyId } }'));
    expect(statuses([...(await rest), ...(await asked)])).toEqual({ 200: 60, 429: 40 });
  });

  test('headers tell the limit, what is left and when it is whole again', async () => {
    const [one, two] = [await sessions(key), await callGraphql(product.url, key, '{ viewer { keyId } }')];
    expect(one.headers.get('ratelimit-limit')).toBe('60');
    expect(one.headers.get('ratelimit-remaining')).toBe('59');
    expect(two.headers.get('ratelimit-remaining')).toBe('58');
    const reset = Number(two.headers.get('ratelimit-reset'));
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
  });

  test('a refusal carries them too', async () => {
    const answer = await callApi(product.url, 'POST', '/session/start', { key, body: '{' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('ratelimit-remaining')).toBe('59');
  });

  test('an account without a limit has no such headers', async () => {
    const answer = await sessions(product.key);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
  });

  test('an operation of GraphQL counts by its root fields, those of fragments too', async () => {
    const query =
      '{ a: viewer { keyId } ...More } fragment More on Query { b: viewer { keyId } failureCodes { code } }';
    const answer = await callGraphql(product.url, key, query);
    expect(answer.body.errors).toBeUndefined();
    expect(answer.headers.get('ratelimit-remaining')).toBe('57');
  });

  test('an operation with more root fields than are left is refused whole', async () => {
    await atOnce(58, () => sessions(key));
    const answer = await callGraphql(
      product.url,
      key,
      '{ a: viewer { keyId } b: viewer { keyId } c: viewer { keyId } }',
    );
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(answer.body.data).toBeUndefined();
    expect(answer.body.errors[0].extensions.code).toBe('RATE_LIMITED');
  });

  test('what is sent on a socket counts as well, by its root fields', async () => {
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

  test('one account does not use up the allowance of another', async () => {
    await atOnce(61, () => sessions(key));
    expect((await sessions(await freeKey())).status).toBe(200);
  });
});

describe('requests without a good key', () => {
  test('are refused as too many after 120 from one address, while good keys pass', async () => {
    await using proxied = await startTestProduct({}, { trustedProxies: 1 });
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

describe('sessions at once', () => {
  const start = (with_: string) => callApi(product.url, 'POST', '/session/start', { key: with_, body: {} });

  test('exactly two of many started at once are had', async () => {
    const answers = await atOnce(20, () => start(key));
    expect(statuses(answers)).toEqual({ 200: 2, 429: 18 });
    const refused = answers.find(answer => answer.status === 429);
    expect(refused?.body.code).toBe('CONCURRENCY_LIMIT');
    expect(refused?.headers.get('retry-after')).not.toBeNull();
  });

  test('a closed session makes room for another', async () => {
    const { body } = await start(key);
    await start(key);
    await callApi(product.url, 'POST', '/session/close', { key, body: { session_id: body.session_id } });
    expect((await start(key)).status).toBe(200);
  });

  test('an operation that makes its own session needs room too', async () => {
    await start(key);
    await start(key);
    const body = { url: 'http://127.0.0.1:1/' };
    expect((await callApi(product.url, 'POST', '/env/scrape', { key, body })).body.code).toBe(
      'CONCURRENCY_LIMIT',
    );
  });

  test('a start that fails gives its place back', async () => {
    const body = { url: 'http://127.0.0.1:1/' };
    const scrape = () => callApi(product.url, 'POST', '/env/scrape', { key, body });
    for (let i = 0; i < 3; i += 1) expect((await scrape()).body.code).not.toBe('CONCURRENCY_LIMIT');
  });
});

test("a session's timeout is bounded by the tier", async () => {
  const body = { session_timeout_minutes: 16 };
  const answer = await callApi(product.url, 'POST', '/session/start', { key, body });
  expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  expect(answer.body.detail).toContain('15 minutes');
});
