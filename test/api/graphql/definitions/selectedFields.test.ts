import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ObserveCommand, StartCommand } from '../../../../src/service/sessions/sessionOperations.ts';
import { callGraphql } from '../../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

describe('the service is not asked for what the operation does not select', () => {
  /** The commands that the service receives for a query; its results are those of an existing session. */
  async function commandsOf(query: string): Promise<{ observe: ObserveCommand[]; start: StartCommand[] }> {
    const { service, viewer } = product.started;
    const commands = { observe: [] as ObserveCommand[], start: [] as StartCommand[] };
    const { session } = await service.start(viewer, {
      keepAlive: null,
      timeoutMinutes: null,
      screenshot: false,
      signal: new AbortController().signal,
    });
    const observation = {
      session,
      metadata: { url: 'http://x/', title: '', timestamp: 0, httpStatus: 200, tabs: [] },
      observationId: 'O1',
      space: null,
      diff: null,
      data: null,
      screenshot: null,
      screenshotIsCut: null,
    };
    await using server = await startTestServer({
      ...service,
      observe: async (_viewer, command) => {
        commands.observe.push(command);
        return observation;
      },
      start: async (_viewer, command) => {
        commands.start.push(command);
        return { session, screenshot: null, screenshotIsCut: null };
      },
    });
    const { body } = await callGraphql(server.url, product.key, query);
    expect(body.errors).toBeUndefined();
    return commands;
  }

  test('observe with only metadata asks for no space, data or screenshot', async () => {
    const { observe } = await commandsOf(
      'mutation { observe(input: {url: "http://x/"}) { metadata { url } } }',
    );
    expect(observe[0]).toMatchObject({ data: null, space: false, screenshot: false });
  });

  test('observe asks for the selected parts of data only', async () => {
    const { observe } = await commandsOf(
      'mutation { observe(input: {url: "http://x/"}) { ...O } } fragment O on Observation { data { markdown links { url } } }',
    );
    expect(observe[0]?.data).toMatchObject({
      onlyMainContent: true,
      pdf: false,
      extract: null,
      mainContent: false,
      markdown: true,
      text: false,
      images: false,
      links: true,
      structured: false,
      metadata: false,
    });
  });

  test('a screenshot is taken if the operation selects it, unless take is false or @include leaves it out', async () => {
    const yes = await commandsOf('mutation { startSession { screenshot } }');
    expect(yes.start[0]?.screenshot).toBe(true);
    const no = await commandsOf('mutation { startSession { id screenshot @include(if: false) } }');
    expect(no.start[0]?.screenshot).toBe(false);
    const notTaken = await commandsOf(
      'mutation { startSession(input: {screenshot: {take: false}}) { screenshot } }',
    );
    expect(notTaken.start[0]?.screenshot).toBe(false);
    const unselected = await commandsOf(
      'mutation { startSession(input: {screenshot: {fullPage: true}}) { id } }',
    );
    expect(unselected.start[0]?.screenshot).toBe(false);
  });
});

test('fifty sessions load their accounts, observations and event counts in few calls', async () => {
  const { service, viewer } = product.started;
  const loads = { accounts: 0, lastObservations: 0, eventCounts: 0 };
  const { session } = await service.start(viewer, {
    keepAlive: null,
    timeoutMinutes: null,
    screenshot: false,
    signal: new AbortController().signal,
  });
  const rows = Array.from({ length: 50 }, (_, index) => ({
    session: { ...session, id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000` },
    cursor: String(index),
  }));
  await using server = await startTestServer({
    ...service,
    listSessions: async () => ({ rows, hasNext: false, hasPrevious: false }),
    accounts: ids => {
      loads.accounts += 1;
      return service.accounts(ids);
    },
    lastObservations: ids => {
      loads.lastObservations += 1;
      return service.lastObservations(ids);
    },
    eventCounts: ids => {
      loads.eventCounts += 1;
      return service.eventCounts(ids);
    },
  });
  const query =
    '{ sessions(first: 50) { edges { node { id observedAt space { totalActions } eventCounts { stepped } account { name } } } } }';
  const { body } = await callGraphql(server.url, product.key, query);
  expect(body.data.sessions.edges).toHaveLength(50);
  expect(body.data.sessions.edges[49].node.account.name).toBe('test');
  // Not in one: other callers have their turn in between.
  for (const calls of Object.values(loads)) expect(calls).toBeLessThan(25);
});
