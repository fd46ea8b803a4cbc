import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKeyAuthenticator } from '../../../src/service/accounts/apiKeyAuthenticator.ts';
import { createApiKeyAuthenticator } from '../../../src/service/accounts/apiKeyAuthenticator.ts';
import { openSqliteStore, type Store } from '../../../src/store/sqliteStore.ts';
import { callApi } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';
import { overEvents, overSocket } from '../../support/subscribe.ts';

describe('who waits for the end of a key', () => {
  const clock = manualClock();
  let store: Store;
  let desk: ApiKeyAuthenticator;
  beforeAll(async () => {
    store = await openSqliteStore(':memory:');
    desk = createApiKeyAuthenticator(store.accounts, clock);
  });
  afterAll(() => store.close());

  const viewer = async () => {
    const { key } = await addAccount(store, clock, randomUUID());
    return desk.authenticate(`Bearer ${key}`);
  };
  /** The code that is told; `acts` bring it about. */
  async function told(waiting: Awaited<ReturnType<typeof viewer>>, acts: () => unknown): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    desk.onKeyEnd(waiting, failure => resolve(failure.code));
    await acts();
    return promise;
  }

  it('is told at once when it is revoked here', async () => {
    const waiting = await viewer();
    const code = told(waiting, () => desk.revoke(waiting.account.id, waiting.keyId));
    expect(await code).toBe('REVOKED_API_KEY');
  });

  it('is told within five seconds when another process revokes it', async () => {
    const waiting = await viewer();
    const code = told(waiting, async () => {
      await store.accounts.revokeKey(waiting.account.id, waiting.keyId, clock.now());
      clock.advance(5_000);
    });
    expect(await code).toBe('REVOKED_API_KEY');
  });

  it('is not told when another key is revoked, nor after it took it back', async () => {
    const [waiting, other] = [await viewer(), await viewer()];
    const codes: string[] = [];
    const release = desk.onKeyEnd(waiting, ({ code }) => codes.push(code));
    await desk.revoke(other.account.id, other.keyId);
    release();
    release();
    await desk.revoke(waiting.account.id, waiting.keyId);
    expect(codes).toEqual([]);
  });
});

describe('a subscription whose key is revoked', () => {
  let product: TestProduct;
  beforeAll(async () => {
    product = await startTestProduct();
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
    const told = subscribe({ url, key }, query, { id });
    expect((await told.next()).value?.errors).toBeUndefined();
    return { told, revoke: () => started.authenticator.revoke(viewer.account.id, viewer.keyId) };
  }

  it.each(QUERIES)('ends with its socket, closed with 4403 and the reason: %s', async query => {
    const { told, revoke } = await subscribed(overSocket, query);
    const next = told.next();
    await revoke();
    await expect(next).rejects.toMatchObject({ code: 4403, reason: 'REVOKED_API_KEY' });
  });

  it.each(QUERIES)('ends as a stream of events: %s', async query => {
    const { told, revoke } = await subscribed(overEvents, query);
    const next = told.next();
    await revoke();
    expect((await next).done).toBe(true);
  });
});
