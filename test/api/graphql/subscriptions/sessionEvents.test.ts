import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../../support/callApi.ts';
import { type ServedPages, servePages } from '../../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';
import {
  overEvents,
  overSocket,
  type Subscribe,
  type SubscriptionResult,
} from '../../../support/subscribe.ts';

let product: TestProduct;
let pages: ServedPages;
beforeAll(async () => {
  pages = await servePages({ '/': '<title>A page</title><a href="/">Again</a>' });
  // One test writes a thousand events past the service, without their charges.
  product = await startTestProduct({ browser: 'fake', auditsLedger: false });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const QUERY =
  'subscription ($id: ID!, $after: Int) { sessionEvents(sessionId: $id, after: $after) { seq type } }';

const rest = async (path: string, body: object, key = product.key) =>
  (await callApi(product.url, 'POST', path, { key, body })).body;
const start = async (): Promise<string> => (await rest('/session/start', {})).session_id;
const observe = (session_id: string) => rest('/env/observe', { session_id, url: `${pages.url}/` });
const close = (session_id: string) => rest('/session/close', { session_id });

const eventOf = ({ data }: SubscriptionResult): [seq: number, type: string] => [
  data.sessionEvents.seq,
  data.sessionEvents.type,
];

/** The `seq` and type of the next `count` events. */
async function take(results: AsyncIterator<SubscriptionResult>, count: number): Promise<[number, string][]> {
  const events: [number, string][] = [];
  while (events.length < count) {
    const { done, value } = await results.next();
    if (done) throw new Error(`it ended after ${events.length} events`);
    events.push(eventOf(value));
  }
  return events;
}

async function all(results: AsyncIterable<SubscriptionResult>): Promise<[number, string][]> {
  const events: [number, string][] = [];
  for await (const one of results) events.push(eventOf(one));
  return events;
}

describe.each([
  ['WebSocket', overSocket],
  ['server-sent events', overEvents],
] as const)('sessionEvents over %s', (_transport, subscribe: Subscribe) => {
  const watch = (id: string, after?: number | string, key = product.key) =>
    subscribe({ url: product.url, key }, QUERY, { id, ...(after !== undefined && { after }) });

  test('returns stored events, then new ones, and ends after ENDED', async () => {
    const id = await start();
    const results = watch(id);
    expect(await take(results, 1)).toEqual([[1, 'CREATED']]);
    await observe(id);
    expect(await take(results, 1)).toEqual([[2, 'OBSERVED']]);
    await close(id);
    expect(await all(results)).toEqual([[3, 'ENDED']]);
  });

  test('returns all events of an ended session, and ends', async () => {
    const id = await start();
    await observe(id);
    await close(id);
    expect(await all(watch(id))).toEqual([
      [1, 'CREATED'],
      [2, 'OBSERVED'],
      [3, 'ENDED'],
    ]);
  });

  test('returns nothing, and ends, when the cursor is the last event of an ended session', async () => {
    const id = await start();
    await close(id);
    expect(await all(watch(id, 2))).toEqual([]);
  });

  test('returns each event exactly once to a subscriber that reconnects with its cursor', async () => {
    const id = await start();
    const seen: [number, string][] = [];
    const work = (async () => {
      for (let n = 0; n < 12; n++) await observe(id);
      await close(id);
    })();
    for (let cursor = 0; seen.at(-1)?.[1] !== 'ENDED'; cursor = seen.at(-1)?.[0] ?? 0) {
      const results = watch(id, cursor);
      seen.push(...(await take(results, 1)));
      await results.return();
    }
    await work;
    expect(seen.map(([seq]) => seq)).toEqual(Array.from({ length: 14 }, (_, n) => n + 1));
  });

  test('answers VALIDATION_ERROR for a text, which is no `seq`', async () => {
    const id = await start();
    const { value } = await watch(id, 'yesterday').next();
    expect(value?.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
    await close(id);
  });

  test("answers SESSION_NOT_FOUND for another account's session", async () => {
    const id = await start();
    const { key } = await addAccount(product.started.store, product.started.clock, 'stranger');
    const { value } = await watch(id, 0, key).next();
    expect(value?.errors?.[0]?.extensions.code).toBe('SESSION_NOT_FOUND');
    await close(id);
  });

  test('returns a log that is longer than the queue of the subscriber', async () => {
    const { service, viewer, store } = product.started;
    const id = await start();
    const [session] = await service.sessions(viewer, [id]);
    if (session == null) throw new Error('the session is gone');
    const event = { type: 'scraped', at: session.createdAt, url: 'https://a.test/' } as const;
    await store.sessions.commit({ session, events: Array.from({ length: 1_000 }, () => event) });
    await close(id);
    const seqs = (await all(watch(id))).map(([seq]) => seq);
    expect(seqs).toEqual(Array.from({ length: 1_002 }, (_, n) => n + 1));
  });
});

test('sessionEvents returns every event to a subscriber that stalled, although its queue dropped updates', async () => {
  const id = await start();
  const { service, viewer, store } = product.started;
  const [session] = await service.sessions(viewer, [id]);
  if (session == null) throw new Error('the session is gone');
  const body = JSON.stringify({ query: QUERY, variables: { id } });
  const socket = connect(product.port, '127.0.0.1');
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.key}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  socket.pause();
  const url = `https://a.test/${'x'.repeat(4_000)}`;
  for (let n = 0; n < 40; n++) {
    const events = Array.from(
      { length: 50 },
      () => ({ type: 'scraped', at: session.createdAt, url }) as const,
    );
    await store.sessions.commit({ session, events });
  }
  await close(id);
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes('"type":"ENDED"')) break;
  }
  const seqs = [...text.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq));
  expect(seqs).toEqual(Array.from({ length: 2_002 }, (_, n) => n + 1));
});
