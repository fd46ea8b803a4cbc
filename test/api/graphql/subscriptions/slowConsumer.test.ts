import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryBus, SUBSCRIBER_QUEUE_LENGTH } from '../../../../src/bus/memoryBus.ts';
import type { SessionUpdate } from '../../../../src/domain/ports/eventBus.ts';
import { newSession } from '../../../../src/domain/session.ts';
import { startTestServer, type TestServer } from '../../../support/startServer.ts';
import { type StartedService, startService } from '../../../support/startService.ts';
import { overEvents, overSocket, type SubscriptionResult } from '../../../support/subscribe.ts';

/** The bus between, so that a test can publish while nobody reads. */
const bus = memoryBus();
let started: StartedService;
let doors: TestServer;
let subscribed = Promise.withResolvers<void>();

beforeAll(async () => {
  started = await startService();
  doors = await startTestServer({
    ...started.service,
    sessionUpdates: ({ account }, listening) => {
      const notices = bus.subscribe(account.id, listening);
      subscribed.resolve();
      return notices;
    },
  });
});
afterAll(async () => {
  await doors[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

const begun = (n: number): SessionUpdate => {
  const id = `session ${n}`;
  const session = newSession({ id, accountId: started.account.id, at: 0, timeoutMinutes: 5 });
  return { session, events: [{ sessionId: id, seq: 1, event: { type: 'created', at: 0 } }] };
};
const stepped = (n: number): SessionUpdate => ({
  ...begun(n),
  events: [{ sessionId: `session ${n}`, seq: 2, event: { type: 'scraped', at: 0, url: 'about:blank' } }],
});
const QUERY = 'subscription { sessionStatusChanged { id } }';

/** What a subscriber is told when all this happens in one go. */
async function toldAfter(
  subscribe: typeof overSocket,
  notices: readonly SessionUpdate[],
): Promise<SubscriptionResult[]> {
  subscribed = Promise.withResolvers();
  const watching = subscribe({ url: doors.url, key: started.key }, QUERY);
  const first = watching.next();
  await subscribed.promise;
  for (const notice of notices) bus.publish(notice);
  const told: SubscriptionResult[] = [];
  for (let next = await first; next.done !== true; next = await watching.next()) {
    told.push(next.value);
    if (told.length === notices.length) break;
  }
  await watching.return();
  return told;
}

test.each([
  ['WebSocket', overSocket],
  ['server-sent events', overEvents],
] as const)(
  'a reader of all statuses that falls behind over %s is told so, and its subscription ends',
  async (_transport, subscribe) => {
    const told = await toldAfter(
      subscribe,
      Array.from({ length: SUBSCRIBER_QUEUE_LENGTH + 10 }, (_, n) => begun(n)),
    );
    const last = told.at(-1);
    expect(last).toMatchObject({ data: null, errors: [{ extensions: { code: 'SUBSCRIPTION_BEHIND' } }] });
    // Nothing before it was left out: what was told is the beginning.
    expect(told.slice(0, -1).map(({ data }) => data.sessionStatusChanged.id)).toEqual(
      told.slice(0, -1).map((_, n) => `session ${n}`),
    );
  },
);

test('what a reader of statuses did not ask for does not put it behind', async () => {
  const others = Array.from({ length: SUBSCRIBER_QUEUE_LENGTH * 2 }, (_, n) => stepped(n));
  subscribed = Promise.withResolvers();
  const watching = overSocket({ url: doors.url, key: started.key }, QUERY);
  const first = watching.next();
  await subscribed.promise;
  for (const notice of [...others, begun(7)]) bus.publish(notice);
  expect((await first).value?.data.sessionStatusChanged.id).toBe('session 7');
  await watching.return();
});
