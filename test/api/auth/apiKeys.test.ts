import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
let key: string;
beforeAll(async () => {
  product = await startTestProduct();
});
beforeEach(async () => {
  const { store, clock } = product.started;
  key = (await addAccount(store, clock, 'someone', 'pay_as_you_go')).key;
});
afterAll(() => product[Symbol.asyncDispose]());

const CREATE = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { key apiKey { id name prefix scopes createdAt expiresAt revokedAt lastUsedAt } }
}`;
const LIST = '{ viewer { account { keys { id name prefix scopes revokedAt lastUsedAt } } } }';
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(id: $id) { id revokedAt } }';

async function create(input: object, by = key) {
  const { body } = await callGraphql(product.url, by, CREATE, { input });
  return body.data === null ? body.errors[0] : body.data.createApiKey;
}

test('a key that was made works, with the scopes that it was given', async () => {
  const made = await create({ name: ' reader ', scopes: ['READ'] });
  expect(made.apiKey).toMatchObject({ name: 'reader', scopes: ['READ'], expiresAt: null, revokedAt: null });
  expect(made.key.startsWith(made.apiKey.prefix)).toBe(true);
  expect((await callApi(product.url, 'GET', '/sessions', { key: made.key })).status).toBe(200);
  expect((await callApi(product.url, 'POST', '/session/start', { key: made.key, body: {} })).status).toBe(
    403,
  );
});

test('a key may read and operate unless it is said', async () => {
  expect((await create({ name: 'k' })).apiKey.scopes).toEqual(['READ', 'OPERATE']);
});

test('a key may have an end', async () => {
  const { expiresAt, createdAt } = (await create({ name: 'k', expiresInDays: 7 })).apiKey;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 86_400_000);
});

test.each(['\u001b[2J', 'a\u0007', 'a\r\nb', 'a\u2028b', '\ud800'])(
  'a name that would move a terminal is refused: %j',
  async name => {
    expect((await create({ name: `k${name}k` })).extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ path: 'input.name', message: 'must hold no control characters' }],
    });
  },
);

test('the list tells of every key and shows none', async () => {
  const made = await create({ name: 'listed' });
  const { text, body } = await callGraphql(product.url, key, LIST);
  expect(text).not.toContain(made.key);
  expect(body.data.viewer.account.keys.map((one: { name: string }) => one.name)).toEqual(['test', 'listed']);
  expect(body.data.viewer.account.keys[0].lastUsedAt).not.toBeNull();
});

test('a revoked key is refused at once', async () => {
  const made = await create({ name: 'k' });
  const { body } = await callGraphql(product.url, key, REVOKE, { id: made.apiKey.id });
  expect(body.data.revokeApiKey.revokedAt).not.toBeNull();
  const answer = await callApi(product.url, 'GET', '/sessions', { key: made.key });
  expect(answer).toMatchObject({ status: 401, body: { code: 'REVOKED_API_KEY' } });
});

test("a stream of the account's sessions ends when its key is revoked", async () => {
  const made = await create({ name: 'watcher' });
  const stream = await fetch(`${product.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${made.key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: 'subscription { sessionStatusChanged { id } }' }),
  });
  await callGraphql(product.url, key, REVOKE, { id: made.apiKey.id });
  expect(await stream.text()).not.toContain('event: next');
});

test.each([
  ['another account', async () => (await create({ name: 'k' }, product.key)).apiKey.id],
  ['nobody', async () => '0b4a7c5e-0000-4000-8000-000000000000'],
])('a key of %s is not found', async (_whose, idOf) => {
  const { body } = await callGraphql(product.url, key, REVOKE, { id: await idOf() });
  expect(body.errors[0].extensions).toMatchObject({ code: 'KEY_NOT_FOUND', status: 404 });
});

test('only a key with the scope admin makes and revokes keys', async () => {
  const operator = await create({ name: 'k' });
  for (const refused of [
    await create({ name: 'more' }, operator.key),
    (await callGraphql(product.url, operator.key, REVOKE, { id: operator.apiKey.id })).body.errors[0],
  ]) {
    expect(refused.extensions.code).toBe('SCOPE_DENIED');
    expect(refused.message).toContain('"admin"');
  }
});

test.each([{ name: '' }, { name: 'x'.repeat(101) }, { name: 'k', expiresInDays: 0 }])(
  '%j makes no key',
  async input => {
    expect((await create(input)).extensions.code).toBe('VALIDATION_ERROR');
  },
);

test('an account has at most a hundred keys that work', async () => {
  for (let made = 1; made < 100; made += 1) await create({ name: `k${made}` });
  const refused = await create({ name: 'one more' });
  expect(refused.extensions.code).toBe('VALIDATION_ERROR');
  expect(refused.message).toContain('100 active keys');
});

test('an account says its tier and its limits', async () => {
  const query =
    '{ viewer { account { tier limits { sessionsAtOnce requestsPerMinute browserMinutesPerDay timeoutMinutes } } } }';
  const { body } = await callGraphql(product.url, key, query);
  expect(body.data.viewer.account).toEqual({
    tier: 'PAY_AS_YOU_GO',
    limits: { sessionsAtOnce: 50, requestsPerMinute: 600, browserMinutesPerDay: null, timeoutMinutes: 30 },
  });
});
