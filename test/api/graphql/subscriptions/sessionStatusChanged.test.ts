import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';
import { overEvents, overSocket, type SubscriptionResult } from '../../../support/subscribe.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const UNKNOWN = '0b4a7c5e-0000-4000-8000-000000000000';
const WATCH_ONE =
  'subscription ($id: ID!, $statuses: [SessionStatus!]) { sessionStatusChanged(sessionId: $id, statuses: $statuses) { id status } }';
const WATCH_ALL = 'subscription { sessionStatusChanged { id status } }';

async function started(key = product.key): Promise<string> {
  return (await callApi(product.url, 'POST', '/session/start', { key, body: {} })).body.session_id;
}
const close = (session_id: string) =>
  callApi(product.url, 'POST', '/session/close', { key: product.key, body: { session_id } });

const statusOf = (result: IteratorResult<SubscriptionResult, void>): string | undefined =>
  result.done === true ? undefined : result.value.data?.sessionStatusChanged.status;

const codeOf = (result: IteratorResult<SubscriptionResult, void>): string | undefined =>
  result.done === true ? undefined : result.value.errors?.[0]?.extensions.code;

describe.each([
  ['WebSocket', overSocket],
  ['server-sent events', overEvents],
] as const)('sessionStatusChanged over %s', (_transport, over) => {
  const subscribe = (query: string, variables: Record<string, unknown> = {}, key = product.key) =>
    over({ url: product.url, key }, query, variables);

  test('returns the present status, then the change, and ends after the final status', async () => {
    const id = await started();
    const events = subscribe(WATCH_ONE, { id });
    expect(statusOf(await events.next())).toBe('ACTIVE');
    await close(id);
    expect(statusOf(await events.next())).toBe('CLOSED');
    expect((await events.next()).done).toBe(true);
  });

  test('returns an ended session once, and ends', async () => {
    const id = await started();
    await close(id);
    const events = subscribe(WATCH_ONE, { id });
    expect(statusOf(await events.next())).toBe('CLOSED');
    expect((await events.next()).done).toBe(true);
  });

  test('returns only the requested statuses', async () => {
    const id = await started();
    const events = subscribe(WATCH_ONE, { id, statuses: ['CLOSED'] });
    const first = events.next();
    await close(id);
    expect(statusOf(await first)).toBe('CLOSED');
    expect((await events.next()).done).toBe(true);
  });

  test('answers SESSION_NOT_FOUND for an unknown session', async () => {
    expect(codeOf(await subscribe(WATCH_ONE, { id: UNKNOWN }).next())).toBe('SESSION_NOT_FOUND');
  });

  test("answers SESSION_NOT_FOUND for another account's session", async () => {
    const id = await started();
    const other = await addAccount(product.started.store, product.started.clock, 'other');
    expect(codeOf(await subscribe(WATCH_ONE, { id }, other.key).next())).toBe('SESSION_NOT_FOUND');
  });

  test("returns starts and ends of the account's sessions only, without sessionId", async () => {
    const other = await addAccount(product.started.store, product.started.clock, 'another');
    const events = subscribe(WATCH_ALL, {}, other.key);
    const first = events.next();
    // The subscription is open once it returns a start of its own account; the other account's start came before.
    const ids: string[] = [];
    const firstId = first.then(result => result.value?.data?.sessionStatusChanged.id);
    await started();
    while (ids.length === 0 || (await Promise.race([firstId, Promise.resolve('')])) === '')
      ids.push(await started(other.key));
    expect(ids).toContain(await firstId);
    await events.return?.();
  });

  test('answers VALIDATION_ERROR for a document that does not fit the schema', async () => {
    expect(codeOf(await subscribe('subscription { nope }').next())).toBe('VALIDATION_ERROR');
  });
});

test('the end of a connection ends its subscription on the bus', async () => {
  const subscriptions = countSubscriptions(product);
  const id = await started();
  const events = overSocket(product, WATCH_ONE, { id });
  await events.next();
  expect(subscriptions.open).toBe(1);
  await events.return?.();
  await subscriptions.none();
  expect(subscriptions.open).toBe(0);
});

/** Counts the open subscriptions of the bus, by their signals. */
function countSubscriptions({ started: { service } }: TestProduct): {
  readonly open: number;
  none(): Promise<void>;
} {
  const sessionUpdates = service.sessionUpdates;
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = 0;
  service.sessionUpdates = (viewer, options) => {
    open += 1;
    options?.signal?.addEventListener('abort', () => {
      open -= 1;
      if (open === 0) resolve();
    });
    return sessionUpdates(viewer, options);
  };
  return {
    get open() {
      return open;
    },
    none: () => promise,
  };
}
