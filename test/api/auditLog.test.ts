import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callApi, callGraphql } from '../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

test('An act whose row cannot be written in the audit log does not happen', async () => {
  const { store } = product.started;
  const graphql = async (text: string) => (await callGraphql(product.url, product.key, text)).body;
  const post = async (path: string, body: object) =>
    (await callApi(product.url, 'POST', path, { key: product.key, body })).body;
  const shop = { name: 'shop', origins: ['https://shop.example'], password: 'correct horse' };
  await post('/vault/save', shop);
  const { session_id } = await post('/session/start', { profile: { name: 'shop', mode: 'write' } });
  await post('/session/close', { session_id });
  const live = (await post('/session/start', {})).session_id;
  const keyId = (await graphql('mutation { createApiKey(input: { name: "a" }) { apiKey { id } } }')).data
    .createApiKey.apiKey.id;
  const link = (
    await graphql(
      `mutation { createShareLink(input: { sessionId: "${live}", mode: READ, minutes: 5 }) { link { id } } }`,
    )
  ).data.createShareLink.link.id;
  const QUERY = `{ viewer { account { keys { id revokedAt policy { denySteps } } } } vault { name savedAt } profiles { name version }
    session(id: "${live}") { takeOver { status } shareLinks { id revokedAt } } auditLog(first: 50) { seq } }`;
  const before = await graphql(QUERY);
  expect(before.errors).toBeUndefined();

  const append = vi.spyOn(store.auditLog, 'append').mockRejectedValue(new Error('disk'));
  try {
    for (const act of [
      'createApiKey(input: { name: "b" }) { key }',
      `setKeyPolicy(id: "${keyId}", policy: { denySteps: [WRITE] }) { id }`,
      `revokeApiKey(id: "${keyId}") { id }`,
      'saveVaultEntry(input: { name: "shop", origins: ["https://b.example"], password: "other one" }) { name }',
      'deleteVaultEntry(input: { name: "shop" })',
      'deleteProfile(name: "shop")',
      `takeOver(input: { sessionId: "${live}", name: "Ann" }) { holdId }`,
      `createShareLink(input: { sessionId: "${live}", mode: READ, minutes: 5 }) { path }`,
      `revokeShareLink(input: { sessionId: "${live}", linkId: "${link}" }) { id }`,
    ])
      expect((await graphql(`mutation { ${act} }`)).errors?.[0]?.extensions.code, act).toBe('INTERNAL');
  } finally {
    append.mockRestore();
  }
  expect(await graphql(QUERY)).toEqual(before);
});
