import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyDesk } from '../../src/service/keys.ts';
import { signIn } from '../../src/service/keys.ts';
import { openSqlite, type Store } from '../../src/store/sqlite.ts';
import { call } from '../support/call.ts';
import { type StartedProduct, startProduct } from '../support/startServer.ts';
import { addAccount } from '../support/startService.ts';
import { overEvents, overSocket } from '../support/subscribe.ts';
import { turnableClock } from '../support/turnableClock.ts';

describe('who waits for the end of a key', () => {
  const clock = turnableClock();
  let store: Store;
  let desk: KeyDesk;
  beforeAll(async () => {
    store = await openSqlite(':memory:');
    desk = signIn(store.accounts, clock);
  });
  afterAll(() => store.close());

  const viewer = async () => {
    const { key } = await addAccount(store, clock, randomUUID());
    return desk.viewer(`Bearer ${key}`);
  };
  /** The code that is told; `acts` bring it about. */
  async function told(waiting: Awaited<ReturnType<typeof viewer>>, acts: () => unknown): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    desk.whenKeyEnds(waiting, failure => resolve(failure.code));
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
      clock.turn(5_000);
    });
    expect(await code).toBe('REVOKED_API_KEY');
  });

  it('is not told when another key is revoked, nor after it took it back', async () => {
    const [waiting, other] = [await viewer(), await viewer()];
    const codes: string[] = [];
    const release = desk.whenKeyEnds(waiting, ({ code }) => codes.push(code));
    await desk.revoke(other.account.id, other.keyId);
    release();
    release();
    await desk.revoke(waiting.account.id, waiting.keyId);
    expect(codes).toEqual([]);
  });
});

describe('a subscription whose key is revoked', () => {
  let product: StartedProduct;
  beforeAll(async () => {
    product = await startProduct();
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
    const { session_id: id } = (await call(url, 'POST', '/session/start', { key, body: {} })).body;
    const told = subscribe({ url, key }, query, { id });
    expect((await told.next()).value?.errors).toBeUndefined();
    return { told, revoke: () => started.desk.revoke(viewer.account.id, viewer.keyId) };
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
