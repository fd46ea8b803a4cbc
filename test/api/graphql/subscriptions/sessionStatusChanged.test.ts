import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { callApi } from '../../../support/callApi.ts';
import { manualClock } from '../../../support/manualClock.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';
import { overEvents, overSocket, type SubscriptionResult } from '../../../support/subscribe.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
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

const client = (key: string | null, url = product.url): Client =>
  createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(key !== null && { connectionParams: { authorization: `Bearer ${key}` } }),
  });

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

  test('tells the present state first, then the change, and ends after the final state', async () => {
    const id = await started();
    const events = subscribe(WATCH_ONE, { id });
    expect(statusOf(await events.next())).toBe('ACTIVE');
    await close(id);
    expect(statusOf(await events.next())).toBe('CLOSED');
    expect((await events.next()).done).toBe(true);
  });

  test('tells an ended session once, and ends', async () => {
    const id = await started();
    await close(id);
    const events = subscribe(WATCH_ONE, { id });
    expect(statusOf(await events.next())).toBe('CLOSED');
    expect((await events.next()).done).toBe(true);
  });

  test('tells only the statuses that were asked for', async () => {
    const id = await started();
    const events = subscribe(WATCH_ONE, { id, statuses: ['CLOSED'] });
    const first = events.next();
    await close(id);
    expect(statusOf(await first)).toBe('CLOSED');
    expect((await events.next()).done).toBe(true);
  });

  test('fails for a session that is not there', async () => {
    expect(codeOf(await subscribe(WATCH_ONE, { id: UNKNOWN }).next())).toBe('SESSION_NOT_FOUND');
  });

  test("fails for another account's session", async () => {
    const id = await started();
    const other = await addAccount(product.started.store, product.started.clock, 'other');
    expect(codeOf(await subscribe(WATCH_ONE, { id }, other.key).next())).toBe('SESSION_NOT_FOUND');
  });

  test("without a session, tells the account's starts and ends, and nothing of other accounts", async () => {
    const other = await addAccount(product.started.store, product.started.clock, 'another');
    const events = subscribe(WATCH_ALL, {}, other.key);
    const first = events.next();
    // The subscription stands once the account's own start is told; another account's start came before.
    const ids: string[] = [];
    const told = first.then(result => result.value?.data?.sessionStatusChanged.id);
    await started();
    while (ids.length === 0 || (await Promise.race([told, Promise.resolve('')])) === '')
      ids.push(await started(other.key));
    expect(ids).toContain(await told);
    await events.return?.();
  });

  test('refuses a document that does not fit the schema', async () => {
    expect(codeOf(await subscribe('subscription { nope }').next())).toBe('VALIDATION_ERROR');
  });
});

describe('the WebSocket', () => {
  const closed = async (socket: WebSocket): Promise<{ code: number; reason: string }> => {
    const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    return promise;
  };
  const open = async (path = '/graphql'): Promise<WebSocket> => {
    const socket = new WebSocket(`${product.url.replace('http', 'ws')}${path}`, 'graphql-transport-ws');
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return socket;
  };

  test.each([
    ['MISSING_API_KEY', undefined],
    ['INVALID_API_KEY', { authorization: 'Bearer psk_nonsense' }],
    ['MISSING_API_KEY', { authorization: 7 }],
  ])('is closed with 4403 and %s for connectionParams %j', async (reason, payload) => {
    const socket = await open();
    const end = closed(socket);
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    expect(await end).toEqual({ code: 4403, reason });
  });

  test('is closed with 4401 when an operation comes before connection_init', async () => {
    const socket = await open();
    const end = closed(socket);
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ viewer { keyId } }' } }));
    expect((await end).code).toBe(4401);
  });

  test('is closed with 4400 when a message is not of the protocol', async () => {
    const socket = await open();
    const end = closed(socket);
    socket.send('nonsense');
    expect((await end).code).toBe(4400);
  });

  test('is closed with 1009 when a message is too large', async () => {
    const socket = await open();
    const end = closed(socket);
    socket.send('x'.repeat(2_000_001));
    expect((await end).code).toBe(1009);
  });

  test('is closed with 4403 when its key was revoked by another process', async () => {
    const clock = manualClock();
    await using own = await startTestProduct({ clock });
    const { store, account, viewer } = own.started;
    const socket = client(own.key, own.url);
    const watching = socket.iterate({ query: WATCH_ALL }).next();
    watching.catch(() => {});
    const asked = await socket.iterate({ query: '{ viewer { keyId } }' }).next();
    expect(asked.value.data.viewer.keyId).toBe(viewer.keyId);
    await store.accounts.revokeKey(account.id, viewer.keyId, clock.now());
    // What is remembered of keys is read again after five seconds.
    clock.advance(5_000);
    await expect(watching).rejects.toMatchObject({ code: 4403, reason: 'REVOKED_API_KEY' });
    await socket.dispose();
  });

  test('takes queries and mutations too, with the same failures', async () => {
    const socket = client(product.key);
    const query = `mutation { closeSession(input: {sessionId: "${UNKNOWN}"}) { id } }`;
    const { value } = await socket.iterate({ query }).next();
    expect(value.errors[0].extensions).toMatchObject({ code: 'SESSION_NOT_FOUND', status: 404 });
    await socket.dispose();
  });

  test('is bounded as HTTP is', async () => {
    const fields = Array.from({ length: 51 }, (_, index) => `a${index}: keyId`).join(' ');
    expect(codeOf(await overSocket(product, `{ viewer { ${fields} } }`).next())).toBe('VALIDATION_ERROR');
  });

  test.each(['/', '/nope', '/session/start'])('is only at /graphql, not at %s', async path => {
    await expect(open(path)).rejects.toThrow('404');
  });
});

test('a caller that goes away ends its subscription', async () => {
  const watched = watchCount(product);
  const id = await started();
  const events = overSocket(product, WATCH_ONE, { id });
  await events.next();
  expect(watched.open).toBe(1);
  await events.return?.();
  await watched.none();
  expect(watched.open).toBe(0);
});

/** Counts the subscriptions of the bus that are open, from the signals that they were given. */
function watchCount({ started: { service } }: TestProduct): {
  readonly open: number;
  none(): Promise<void>;
} {
  const changes = service.sessionUpdates;
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = 0;
  service.sessionUpdates = (viewer, listening) => {
    open += 1;
    listening?.signal?.addEventListener('abort', () => {
      open -= 1;
      if (open === 0) resolve();
    });
    return changes(viewer, listening);
  };
  return {
    get open() {
      return open;
    },
    none: () => promise,
  };
}
