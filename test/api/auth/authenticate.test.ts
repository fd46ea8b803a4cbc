import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyScope } from '../../../src/domain/account/account.ts';
import { generateApiKey, issueApiKey } from '../../../src/service/accounts/apiKeys.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

async function keyWith(scopes: readonly KeyScope[], expiresAt: number | null = null) {
  const { store, account, clock } = product.started;
  return issueApiKey(store.accounts, { accountId: account.id, name: 'k', scopes, expiresAt }, clock.now());
}

async function revokedKey(): Promise<string> {
  const { store, account, clock } = product.started;
  const { key, text } = await keyWith(['operate']);
  await store.accounts.revokeKey(account.id, key.id, clock.now());
  return text;
}

const refusals: readonly [string, () => Promise<string | null>][] = [
  ['MISSING_API_KEY', async () => null],
  ['INVALID_API_KEY', async () => 'psk_nonsense'],
  ['INVALID_API_KEY', async () => generateApiKey().text],
  ['REVOKED_API_KEY', revokedKey],
  ['EXPIRED_API_KEY', async () => (await keyWith(['operate'], 1)).text],
];

describe.each(refusals)('%s', (code, keyOf) => {
  test.each([
    '/session/start',
    '/env/observe',
    '/env/step',
    '/step',
    '/env/scrape',
    '/session/close',
    '/v1/session/start',
  ])('is returned by POST %s with 401 and WWW-Authenticate', async path => {
    const response = await callApi(product.url, 'POST', path, { key: await keyOf(), body: {} });
    expect(response).toMatchObject({ status: 401, body: { code } });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each(['/sessions', '/session/0b4a7c5e-0000-4000-8000-000000000000'])(
    'is returned by GET %s',
    async path => {
      const response = await callApi(product.url, 'GET', path, { key: await keyOf() });
      expect(response).toMatchObject({ status: 401, body: { code } });
    },
  );

  test('is returned by POST /graphql with 401 as a GraphQL error', async () => {
    const response = await callGraphql(product.url, await keyOf(), '{ viewer { keyId } }');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.body.errors[0].extensions).toMatchObject({ code, status: 401 });
  });
});

describe('A key with the scope read', () => {
  test('can list sessions', async () => {
    const { text } = await keyWith(['read']);
    expect((await callApi(product.url, 'GET', '/sessions', { key: text })).status).toBe(200);
  });

  test('cannot start a session over REST or GraphQL', async () => {
    const { text } = await keyWith(['read']);
    const rest = await callApi(product.url, 'POST', '/session/start', { key: text, body: {} });
    expect(rest).toMatchObject({ status: 403, body: { code: 'SCOPE_DENIED' } });
    const gql = await callGraphql(product.url, text, 'mutation { startSession { id } }');
    expect(gql.body.errors[0].extensions).toMatchObject({ code: 'SCOPE_DENIED', status: 403 });
  });

  test('gets SCOPE_DENIED before its arguments are validated', async () => {
    const { text } = await keyWith(['read']);
    const query = 'mutation { startSession(input: {sessionTimeoutMinutes: 99}) { id } }';
    const response = await callGraphql(product.url, text, query);
    expect(response.body.errors[0].extensions.code).toBe('SCOPE_DENIED');
  });
});

describe('A key without scopes', () => {
  test('can read nothing over REST or GraphQL', async () => {
    const { text } = await keyWith([]);
    expect(await callApi(product.url, 'GET', '/sessions', { key: text })).toMatchObject({
      status: 403,
      body: { code: 'SCOPE_DENIED', detail: expect.stringContaining('"read"') },
    });
    const gql = await callGraphql(product.url, text, '{ viewer { keyId } }');
    expect(gql.body.errors[0].extensions.code).toBe('SCOPE_DENIED');
  });

  test('cannot subscribe', async () => {
    const { text } = await keyWith([]);
    const response = await callApi(product.url, 'POST', '/graphql', {
      key: text,
      body: { query: 'subscription { sessionStatusChanged { id } }' },
      headers: { accept: 'text/event-stream' },
    });
    expect(response.text).toContain('SCOPE_DENIED');
  });
});

test.each(['/', '/health', '/ready', '/docs', '/openapi.json', '/failures', '/llms.txt', '/assets/page.css'])(
  'GET %s needs no key',
  async path => {
    expect((await callApi(product.url, 'GET', path)).status).toBe(200);
  },
);

describe('GET /metrics', () => {
  const throughProxy = { 'x-forwarded-for': '203.0.113.7' };

  test('needs no key on the same machine', async () => {
    const response = await callApi(product.url, 'GET', '/metrics');
    expect(response.status).toBe(200);
    expect(response.text).toContain('pagespace_active_sessions 0');
  });

  test('needs a key on other machines', async () => {
    const response = await callApi(product.url, 'GET', '/metrics', { headers: throughProxy });
    expect(response).toMatchObject({ status: 401, body: { code: 'MISSING_API_KEY' } });
  });

  test('is refused to admins of accounts that are not the operator', async () => {
    const { store, clock } = product.started;
    const { key } = await addAccount(store, clock, 'a customer', 'pay_as_you_go');
    expect((await callApi(product.url, 'GET', '/metrics', { key, headers: throughProxy })).status).toBe(403);
  });

  test('needs the scope admin on other machines', async () => {
    const operate = (await keyWith(['operate'])).text;
    const admin = (await keyWith(['admin'])).text;
    expect(
      (await callApi(product.url, 'GET', '/metrics', { key: operate, headers: throughProxy })).status,
    ).toBe(403);
    expect(
      (await callApi(product.url, 'GET', '/metrics', { key: admin, headers: throughProxy })).status,
    ).toBe(200);
  });
});
