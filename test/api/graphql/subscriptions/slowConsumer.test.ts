import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryBus, SUBSCRIBER_QUEUE_LENGTH } from '../../../../src/bus/memoryBus.ts';
import type { SessionUpdate } from '../../../../src/domain/ports/eventBus.ts';
import { newSession } from '../../../../src/domain/session/session.ts';
import { startTestServer, type TestServer } from '../../../support/startServer.ts';
import { type StartedService, startService } from '../../../support/startService.ts';
import { overEvents, overSocket, type SubscriptionResult } from '../../../support/subscribe.ts';

/** The bus of the service, so that a test can publish without readers. */
const bus = memoryBus();
let started: StartedService;
let server: TestServer;
let subscribed = Promise.withResolvers<void>();

beforeAll(async () => {
  started = await startService({ browser: 'fake' });
  server = await startTestServer({
    ...started.service,
    sessionUpdates: ({ account }, listening) => {
      const updates = bus.subscribe(account.id, listening);
      subscribed.resolve();
      return updates;
    },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

const createdUpdate = (n: number): SessionUpdate => {
  const id = `session ${n}`;
  const session = newSession({ id, accountId: started.account.id, at: 0, timeoutMinutes: 5 });
  return { session, events: [{ sessionId: id, seq: 1, event: { type: 'created', at: 0 } }] };
};
const stepped = (n: number): SessionUpdate => ({
  ...createdUpdate(n),
  events: [{ sessionId: `session ${n}`, seq: 2, event: { type: 'scraped', at: 0, url: 'about:blank' } }],
});
const QUERY = 'subscription { sessionStatusChanged { id } }';

/** The results of a subscriber when all updates are published at once. */
async function resultsAfter(
  subscribe: typeof overSocket,
  updates: readonly SessionUpdate[],
): Promise<SubscriptionResult[]> {
  subscribed = Promise.withResolvers();
  const watching = subscribe({ url: server.url, key: started.key }, QUERY);
  const first = watching.next();
  await subscribed.promise;
  for (const update of updates) bus.publish(update);
  const results: SubscriptionResult[] = [];
  for (let next = await first; next.done !== true; next = await watching.next()) {
    results.push(next.value);
    if (results.length === updates.length) break;
  }
  await watching.return();
  return results;
}

test.each([
  ['WebSocket', overSocket],
  ['server-sent events', overEvents],
] as const)(
  'sessionStatusChanged over %s ends with SUBSCRIPTION_BEHIND when its reader is too slow',
  async (_transport, subscribe) => {
    const results = await resultsAfter(
      subscribe,
      Array.from({ length: SUBSCRIBER_QUEUE_LENGTH + 10 }, (_, n) => createdUpdate(n)),
    );
    const last = results.at(-1);
    expect(last).toMatchObject({ data: null, errors: [{ extensions: { code: 'SUBSCRIPTION_BEHIND' } }] });
    // The results before it have no gap.
    expect(results.slice(0, -1).map(({ data }) => data.sessionStatusChanged.id)).toEqual(
      results.slice(0, -1).map((_, n) => `session ${n}`),
    );
  },
);

test('sessionStatusChanged does not count updates that it filters out', async () => {
  const others = Array.from({ length: SUBSCRIBER_QUEUE_LENGTH * 2 }, (_, n) => stepped(n));
  subscribed = Promise.withResolvers();
  const watching = overSocket({ url: server.url, key: started.key }, QUERY);
  const first = watching.next();
  await subscribed.promise;
  for (const update of [...others, createdUpdate(7)]) bus.publish(update);
  expect((await first).value?.data.sessionStatusChanged.id).toBe('session 7');
  await watching.return();
});
