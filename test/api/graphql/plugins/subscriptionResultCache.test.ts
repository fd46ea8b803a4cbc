import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../../support/callApi.ts';
import { manualClock } from '../../../support/manualClock.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import {
  overEvents,
  overSocket,
  type Subscribe,
  type SubscriptionResult,
} from '../../../support/subscribe.ts';

const clock = manualClock();
let product: TestProduct;
/** The session ids of which the last observation was read, one entry per read. */
let readings: (readonly string[])[] = [];

beforeAll(async () => {
  product = await startTestProduct({ clock, browser: 'fake' });
  const { service } = product.started;
  const { lastObservations } = service;
  service.lastObservations = ids => {
    readings.push(ids);
    return lastObservations(ids);
  };
});
afterAll(() => product[Symbol.asyncDispose]());

const WATCH =
  'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { status durationMs space { totalActions } } }';

const post = async (path: string, body: object) =>
  (await callApi(product.url, 'POST', path, { key: product.key, body })).body;
const watching = (subscribe: Subscribe, id: string, key = product.key) =>
  subscribe({ url: product.url, key }, WATCH, { id });
const nextResults = async (watchers: readonly AsyncIterator<SubscriptionResult>[]) =>
  (await Promise.all(watchers.map(each => each.next()))).map(({ value }) => value.data.sessionStatusChanged);

test.each([
  ['WebSocket', overSocket],
  ['server-sent events', overEvents],
] as const)(
  'subscribers with the same operation share one execution per event over %s',
  async (_transport, subscribe) => {
    const { session_id } = await post('/session/start', {});
    const watchers = Array.from({ length: 20 }, () => watching(subscribe, session_id));
    await nextResults(watchers);
    readings = [];
    await post('/session/close', { session_id });
    expect(await nextResults(watchers)).toEqual(
      watchers.map(() => ({ status: 'CLOSED', durationMs: 0, space: null })),
    );
    expect(readings).toEqual([[session_id]]);
    for (const each of watchers) await each.return?.();
  },
);

test('results are not shared between keys', async () => {
  const { session_id } = await post('/session/start', {});
  const other = await product.started.issueKey(product.started.account);
  const watchers = [watching(overSocket, session_id), watching(overSocket, session_id, other)];
  await nextResults(watchers);
  readings = [];
  await post('/session/close', { session_id });
  expect((await nextResults(watchers)).map(({ status }) => status)).toEqual(['CLOSED', 'CLOSED']);
  expect(readings).toHaveLength(2);
});

test('a later subscriber gets the values of its own time', async () => {
  const { session_id } = await post('/session/start', {});
  const early = watching(overSocket, session_id);
  expect((await nextResults([early]))[0].durationMs).toBe(0);
  clock.advance(5_000);
  const late = watching(overSocket, session_id);
  expect((await nextResults([late]))[0].durationMs).toBe(5_000);
  await post('/session/close', { session_id });
  for (const each of [early, late]) await each.return?.();
});
