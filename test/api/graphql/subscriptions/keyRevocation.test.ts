import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';
import { overEvents, overSocket } from '../../../support/subscribe.ts';

describe('a subscription whose key is revoked', () => {
  let product: TestProduct;
  beforeAll(async () => {
    product = await startTestProduct({ browser: 'fake' });
  });
  afterAll(() => product[Symbol.asyncDispose]());

  const QUERIES = [
    'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { id } }',
    'subscription ($id: ID!) { sessionEvents(sessionId: $id) { seq } }',
    'subscription ($id: ID!) { sessionFrames(sessionId: $id) { width } }',
  ];

  async function subscribed(subscribe: typeof overSocket, query: string) {
    const { started, url } = product;
    const { key, viewer } = await addAccount(started.store, started.clock, randomUUID());
    const { session_id: id } = (await callApi(url, 'POST', '/session/start', { key, body: {} })).body;
    const results = subscribe({ url, key }, query, { id });
    expect((await results.next()).value?.errors).toBeUndefined();
    return { results, revoke: () => started.authenticator.revoke(viewer.account.id, viewer.keyId) };
  }

  it.each(QUERIES)('over WebSocket: closes the socket with 4403 and the code as reason: %s', async query => {
    const { results, revoke } = await subscribed(overSocket, query);
    const next = results.next();
    await revoke();
    await expect(next).rejects.toMatchObject({ code: 4403, reason: 'REVOKED_API_KEY' });
  });

  it.each(QUERIES)('over server-sent events: completes: %s', async query => {
    const { results, revoke } = await subscribed(overEvents, query);
    const next = results.next();
    await revoke();
    expect((await next).done).toBe(true);
  });
});
