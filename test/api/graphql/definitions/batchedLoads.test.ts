import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pagespace } from '../../../../src/service/pagespace.ts';
import { callGraphql } from '../../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../../support/startServer.ts';

const SESSIONS = 5;
let product: TestProduct;
let ids: readonly string[];
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  const { service, viewer } = product.started;
  const plain = { keepAlive: null, timeoutMinutes: null, screenshot: false };
  const signal = new AbortController().signal;
  const begun = Array.from({ length: SESSIONS }, () => service.start(viewer, { ...plain, signal }));
  ids = (await Promise.all(begun)).map(({ session }) => session.id);
});
afterAll(() => product[Symbol.asyncDispose]());

/** Runs a query and counts the calls of the service by name. */
async function callsOf<Data>(query: string): Promise<{ data: Data; calls: Record<string, number> }> {
  const calls: Record<string, number> = {};
  const counted = new Proxy(product.started.service, {
    get(service, name: keyof Pagespace) {
      const call = service[name] as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return call.apply(service, given);
      };
    },
  });
  await using server = await startTestServer(counted);
  const { body } = await callGraphql(server.url, product.key, query);
  expect(body.errors).toBeUndefined();
  return { data: body.data, calls };
}

test('sessions calls the service once for each field, however many sessions it returns', async () => {
  const { data, calls } = await callsOf<{ sessions: { edges: { node: object }[] } }>(`{
    sessions(first: 50) { totalCount edges { node {
      id account { name tier } space { category } observedAt eventCounts { created ended } usage { operations }
    } } }
  }`);
  expect(data.sessions.edges).toHaveLength(SESSIONS);
  expect(data.sessions.edges[0]?.node).toMatchObject({
    account: { tier: 'LOCAL' },
    eventCounts: { created: 1 },
  });
  expect(calls).toMatchObject({
    listSessions: 1,
    countSessions: 1,
    accounts: 1,
    lastObservations: 1,
    eventCounts: 1,
    sessionUsage: 1,
  });
});

test('Session.events of a list of sessions is one read, from either end', async () => {
  const events = (args: string) => `events(${args}) { edges { node { seq type } } pageInfo { hasNextPage } }`;
  const { data, calls } = await callsOf<{
    sessions: { edges: { node: { events: { edges: { node: { seq: number; type: string } }[] } } }[] };
  }>(`{ sessions(first: 50) { edges { node { ${events('first: 2')} latest: ${events('last: 2')} } } } }`);
  expect(data.sessions.edges).toHaveLength(SESSIONS);
  for (const { node } of data.sessions.edges)
    expect(node.events.edges[0]?.node).toEqual({ seq: 1, type: 'CREATED' });
  expect(calls).toMatchObject({ listSessions: 1, lastSeqs: 1 });
  expect(calls.eventsInRanges).toBeLessThanOrEqual(2);
  expect(calls.events).toBeUndefined();
});

test('several session(id) fields in one document are one read', async () => {
  const { data, calls } = await callsOf<Record<string, { id: string }>>(
    `{ ${ids.map((id, n) => `s${n}: session(id: "${id}") { id account { name } }`).join(' ')} }`,
  );
  expect(Object.values(data).map(({ id }) => id)).toEqual(ids);
  expect(calls).toMatchObject({ sessions: 1, accounts: 1 });
});
