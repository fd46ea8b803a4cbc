import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pagespace } from '../../../src/service/pagespace.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';
import { overSocket } from '../../support/subscribe.ts';

/** One caller asks for as much as it may, while others call. */

let product: TestProduct;
let modest: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake', capacity: 60 });
  const { service, viewer, store, clock } = product.started;
  modest = (await addAccount(store, clock, 'modest')).key;
  const signal = new AbortController().signal;
  const plain = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
  for (let index = 0; index < 50; index += 1) await service.start(viewer, plain);
});
afterAll(() => product[Symbol.asyncDispose]());

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('one operation', () => {
  /** Counts the calls of the service by name. */
  async function callsOf(query: string): Promise<{ calls: Record<string, number>; errors: unknown }> {
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
    return { calls, errors: body.errors };
  }

  const accounts = (fields: string) => `{ sessions(first: 20) { edges { node { account { ${fields} } } } } }`;

  // Each value is the same for every session, because all sessions belong to one account.
  test.each([
    ['accountBalance', 'balanceMicros'],
    ['listKeys', 'keys { id }'],
    ['ledgerPage', 'ledger(first: 2) { edges { cursor } }'],
    ['usage', times(2, index => `u${index}: usage { total { operations } }`)],
    [
      'usageByGroup',
      'usage(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", by: KIND) { groups { name } }',
    ],
  ])('calls %s a few times for twenty sessions', async (name, fields) => {
    const query =
      name === 'usageByGroup'
        ? `{ ${times(3, index => `a${index}: viewer { account { ${fields} } }`)} }`
        : accounts(fields);
    const { calls, errors } = await callsOf(query);
    expect(errors).toBeUndefined();
    expect(calls[name]).toBeGreaterThan(0);
    expect(calls[name]).toBeLessThanOrEqual(8);
  });

  test.each([
    [
      'reports of all charges',
      times(
        50,
        index => `u${index}: usage(from: "20${10 + index}-01-01T00:00:00Z") { total { operations } }`,
      ),
    ],
    [
      'groups of all charges',
      times(
        30,
        index => `u${index}: usage(from: "19${10 + index}-01-01T00:00:00Z", by: SESSION) { groups { name } }`,
      ),
    ],
  ])('with many %s is refused for its cost', async (_what, fields) => {
    const { body } = await callGraphql(product.url, product.key, `{ viewer { account { ${fields} } } }`);
    expect(body.errors[0].message).toMatch(/cost of the operation is \d+; at most 50000/);
  });

  test('that freezes a service without loaders and costs is refused for its cost', async () => {
    const usages = times(20, index => `u${index}: usage(by: SESSION) { total { operations } }`);
    const { body } = await callGraphql(
      product.url,
      product.key,
      `{ sessions(first: 100) { edges { node { account { ${usages} } } } } }`,
    );
    expect(body.errors[0].message).toMatch(/cost/);
  });
});

describe('a subscription', () => {
  test('whose events cost more than 3,000 is refused', async () => {
    const events = times(20, index => `e${index}: events(first: 100) { edges { node { seq at } } }`);
    const query = `subscription { sessionStatusChanged { ${events} } }`;
    for await (const { errors } of overSocket(product, query))
      expect(errors).toMatchObject([
        { message: expect.stringMatching(/cost of the operation is \d+; at most 3000/) },
      ]);
    expect.assertions(1);
  });
});

describe('many operations of one account', () => {
  const OPERATIONS = 20;
  const list = (url: string, key: string) => callGraphql(url, key, '{ sessions(first: 1) { totalCount } }');

  test.each([
    ['GraphQL', list],
    ['REST', (url: string, key: string) => callApi(url, 'GET', '/sessions', { key })],
  ])(
    'begin in turns with those of another account, which came after all of them, over %s',
    async (_name, ask) => {
      const { service } = product.started;
      const order: string[] = [];
      let arrived = 0;
      const allArrived = Promise.withResolvers<void>();
      const greedyArrived = Promise.withResolvers<void>();
      await using server = await startTestServer({
        ...service,
        async authenticate(authorization) {
          const viewer = await service.authenticate(authorization);
          arrived += 1;
          if (arrived === OPERATIONS) greedyArrived.resolve();
          if (arrived > OPERATIONS) allArrived.resolve();
          await allArrived.promise;
          return viewer;
        },
        listSessions: (viewer, options) => {
          order.push(viewer.account.name);
          return service.listSessions(viewer, options);
        },
      });
      const greedy = Array.from({ length: OPERATIONS }, () => ask(server.url, product.key));
      await greedyArrived.promise;
      for (const { status } of [await ask(server.url, modest), ...(await Promise.all(greedy))])
        expect(status).toBe(200);
      expect(order).toHaveLength(OPERATIONS + 1);
      expect(order.indexOf('modest')).toBeLessThan(4);
    },
  );
});
