import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
let key: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
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

test('createApiKey returns a key that works with the given scopes', async () => {
  const made = await create({ name: ' reader ', scopes: ['READ'] });
  expect(made.apiKey).toMatchObject({ name: 'reader', scopes: ['READ'], expiresAt: null, revokedAt: null });
  expect(made.key.startsWith(made.apiKey.prefix)).toBe(true);
  expect((await callApi(product.url, 'GET', '/sessions', { key: made.key })).status).toBe(200);
  expect((await callApi(product.url, 'POST', '/session/start', { key: made.key, body: {} })).status).toBe(
    403,
  );
});

test('createApiKey without scopes gives READ and OPERATE', async () => {
  expect((await create({ name: 'k' })).apiKey.scopes).toEqual(['READ', 'OPERATE']);
});

test('createApiKey with expiresInDays sets expiresAt', async () => {
  const { expiresAt, createdAt } = (await create({ name: 'k', expiresInDays: 7 })).apiKey;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 86_400_000);
});

test.each(['\u001b[2J', 'a\u0007', 'a\r\nb', 'a\u2028b', 'a\u202Eb', 'a\u{E0041}'])(
  'createApiKey refuses a name with the control character %j',
  async name => {
    expect((await create({ name: `k${name}k` })).extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ path: 'input.name', message: 'must hold no control or invisible characters' }],
    });
  },
);

test('account.keys lists every key without its text', async () => {
  const made = await create({ name: 'listed' });
  const { text, body } = await callGraphql(product.url, key, LIST);
  expect(text).not.toContain(made.key);
  expect(body.data.viewer.account.keys.map((one: { name: string }) => one.name)).toEqual(['test', 'listed']);
  expect(body.data.viewer.account.keys[0].lastUsedAt).not.toBeNull();
});

test('The store has the SHA-256 of a key, and never its text', async () => {
  const made = await create({ name: 'hashed' });
  const hash = createHash('sha256').update(made.key).digest('hex');
  const stored = await product.started.store.accounts.findKeyByHash(hash);
  expect(stored).toMatchObject({ name: 'hashed', hash });
  expect(JSON.stringify(stored)).not.toContain(made.key);
});

test('A key is refused as soon as revokeApiKey has revoked it', async () => {
  const made = await create({ name: 'k' });
  const { body } = await callGraphql(product.url, key, REVOKE, { id: made.apiKey.id });
  expect(body.data.revokeApiKey.revokedAt).not.toBeNull();
  const response = await callApi(product.url, 'GET', '/sessions', { key: made.key });
  expect(response).toMatchObject({ status: 401, body: { code: 'REVOKED_API_KEY' } });
});

test('An event stream ends when its key is revoked', async () => {
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
  ['no account', async () => '0b4a7c5e-0000-4000-8000-000000000000'],
])('revokeApiKey does not find a key of %s', async (_account, idOf) => {
  const { body } = await callGraphql(product.url, key, REVOKE, { id: await idOf() });
  expect(body.errors[0].extensions).toMatchObject({ code: 'KEY_NOT_FOUND', status: 404 });
});

test('createApiKey and revokeApiKey need the scope admin', async () => {
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
  'createApiKey refuses %j',
  async input => {
    expect((await create(input)).extensions.code).toBe('VALIDATION_ERROR');
  },
);

test('createApiKey refuses more than 100 active keys', async () => {
  for (let made = 1; made < 100; made += 1) await create({ name: `k${made}` });
  const refused = await create({ name: 'one more' });
  expect(refused.extensions.code).toBe('VALIDATION_ERROR');
  expect(refused.message).toContain('100 active keys');
});

test('account returns its tier and limits', async () => {
  const query =
    '{ viewer { account { tier limits { sessionsAtOnce requestsPerMinute browserMinutesPerDay timeoutMinutes } } } }';
  const { body } = await callGraphql(product.url, key, query);
  expect(body.data.viewer.account).toEqual({
    tier: 'PAY_AS_YOU_GO',
    limits: { sessionsAtOnce: 50, requestsPerMinute: 600, browserMinutesPerDay: null, timeoutMinutes: 30 },
  });
});
