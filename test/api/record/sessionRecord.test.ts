/** The record of a session over GraphQL: observations and events as they were, names and labels, lists that follow changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PagespaceClient } from '../../../src/client/main.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { plainClient } from '../../support/mcpClients.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';
import { overSocket } from '../../support/subscribe.ts';

let product: TestProduct;
let pages: ServedPages;
const clock = manualClock();
beforeAll(async () => {
  pages = await servePages({
    '/': '<title>A page</title><a href="/two">Two</a> <a href="/">Again</a>',
    '/two': '<title>Two</title><a href="/">Back</a>',
  });
  product = await startTestProduct({ browser: 'fake', clock });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const rest = async (path: string, body: object) =>
  (await callApi(product.url, 'POST', path, { key: product.key, body })).body;
const graphql = async (query: string, variables: object = {}, key = product.key) =>
  (await callGraphql(product.url, key, query, variables)).body;
const observe = (session_id: string, path: string) =>
  rest('/env/observe', { session_id, url: pages.url + path });
const start = async (input = {}): Promise<string> =>
  (await graphql('mutation ($input: StartSessionInput) { startSession(input: $input) { id } }', { input }))
    .data.startSession.id;

const OBSERVATION = `query ($id: ID!, $observation: ID!) { session(id: $id) { observation(id: $observation) {
  id at url title httpStatus space { totalActions actions { name } markdown } } } }`;
const observationOf = (id: string, observation: string) => graphql(OBSERVATION, { id, observation });

describe('an observation in the record', () => {
  it('is the whole list as it was, while the session runs and after its end', async () => {
    const id = await start();
    await observe(id, '/');
    await observe(id, '/two');
    const running = await observationOf(id, 'O1');
    expect(running.data.session.observation).toMatchObject({
      id: 'O1',
      url: `${pages.url}/`,
      title: 'A page',
      httpStatus: 200,
      space: { totalActions: 2, actions: [{ name: 'Two' }, { name: 'Again' }] },
    });
    await rest('/session/close', { session_id: id });
    expect(await observationOf(id, 'o1')).toEqual(running);
  });

  it('has the difference to any other one, also after the end', async () => {
    const id = await start();
    await observe(id, '/');
    await observe(id, '/two');
    await rest('/session/close', { session_id: id });
    const query = `query ($id: ID!) { session(id: $id) { observation(id: "O2") { space {
      diff(since: "O1") { added { name } removed { name } } } } } }`;
    expect((await graphql(query, { id })).data.session.observation.space.diff).toEqual({
      added: [{ name: 'Back' }],
      removed: [{ name: 'Two' }, { name: 'Again' }],
    });
  });

  it.each([
    ['an id that the session never had', 'O9', 'NOT_FOUND'],
    ['a text that is no id', 'B2', 'NOT_FOUND'],
  ])('is refused for %s', async (_, observation, code) => {
    const id = await start();
    await observe(id, '/');
    const { errors } = await observationOf(id, observation);
    expect(errors[0].extensions.code).toBe(code);
  });

  it('is RECORD_EXPIRED when the record was removed, and a running session keeps its own', async () => {
    const id = await start();
    await observe(id, '/');
    const { service, viewer } = product.started;
    await expect(service.removeRecord(viewer, id)).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    await rest('/session/close', { session_id: id });
    await service.removeRecord(viewer, id);
    expect((await observationOf(id, 'O1')).errors[0].extensions).toMatchObject({
      code: 'RECORD_EXPIRED',
      status: 410,
    });
  });

  it('belongs to its account alone', async () => {
    const id = await start();
    await observe(id, '/');
    const other = await addAccount(product.started.store, product.started.clock, 'other');
    expect((await graphql(OBSERVATION, { id, observation: 'O1' }, other.key)).data.session).toBeNull();
  });
});

describe('an event', () => {
  const EVENT = `query ($id: ID!, $event: ID!) { session(id: $id) { event(id: $event) { id seq accountNumber performed {
    input { url actionId } observationId observation { title } diff { markdown added { name } } timing { navigationMs readingMs } } } } }`;

  it('tells its operation with the observation and what it changed', async () => {
    const id = await start();
    await observe(id, '/');
    await observe(id, '/two');
    const { event } = (await graphql(EVENT, { id, event: '3' })).data.session;
    expect(event.performed).toMatchObject({
      input: { url: `${pages.url}/two`, actionId: null },
      observationId: 'O2',
      observation: { title: 'Two' },
      diff: { added: [{ name: 'Back' }] },
      timing: { navigationMs: expect.any(Number), readingMs: expect.any(Number) },
    });
    expect((await graphql(EVENT, { id, event: event.id })).data.session.event).toEqual(event);
  });

  it('tells of an operation that failed what it tells of others: the input, the page as it was then, and what changed', async () => {
    const id = await start();
    await observe(id, '/');
    await rest('/env/step', { session_id: id, action_id: 'B77', value: 'x' });
    const query = `query ($id: ID!) { session(id: $id) { events(last: 1) { edges { node { type performed { durationMs url title observationId observation { title } diff { added { name } } input { actionId value } } } } } } }`;
    expect((await graphql(query, { id })).data.session.events.edges).toEqual([
      {
        node: {
          type: 'FAILED',
          performed: {
            durationMs: expect.any(Number),
            url: `${pages.url}/`,
            title: 'A page',
            observationId: 'O2',
            observation: { title: 'A page' },
            diff: { added: [] },
            input: { actionId: 'B77', value: null },
          },
        },
      },
    ]);
  });

  it.each(['99', '0', 'x', 'SessionEvent:1:2'])('is NOT_FOUND for the id %s', async event => {
    const id = await start();
    expect((await graphql(EVENT, { id, event })).errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('a session', () => {
  it('has its name and labels, which an update replaces, and a list finds it by them', async () => {
    const id = await start({ name: 'Orders', labels: ['shop', 'a', 'a'] });
    const update = `mutation ($input: UpdateSessionInput!) { updateSession(input: $input) { name labels } }`;
    const { data } = await graphql(update, { input: { sessionId: id, labels: ['b'] } });
    expect(data.updateSession).toEqual({ name: 'Orders', labels: ['b'] });
    const list = `{ sessions(labels: ["b"], name: "ORD") { totalCount edges { node { id name labels record } } } }`;
    expect((await graphql(list)).data.sessions).toEqual({
      totalCount: 1,
      edges: [{ node: { id, name: 'Orders', labels: ['b'], record: 'OFF' } }],
    });
  });

  it.each([
    [{ labels: Array.from({ length: 17 }, (_, i) => `l${i}`) }],
    [{ labels: ['x'.repeat(65)] }],
    [{ name: 'a\nb' }],
  ])('refuses %j', async input => {
    const query = 'mutation ($input: StartSessionInput) { startSession(input: $input) { id } }';
    const { errors } = await graphql(query, { input });
    expect(errors[0].extensions.code).toBe('VALIDATION_ERROR');
  });

  it('has its whole idle time again after extendSession, and no event', async () => {
    const id = await start();
    const extend =
      'mutation ($input: ExtendSessionInput!) { extendSession(input: $input) { timeoutMinutes expiresAt lastAccessedAt } }';
    const { data } = await graphql(extend, { input: { sessionId: id, sessionTimeoutMinutes: 9 } });
    const { timeoutMinutes, expiresAt, lastAccessedAt } = data.extendSession;
    expect(timeoutMinutes).toBe(9);
    expect(Date.parse(expiresAt) - Date.parse(lastAccessedAt)).toBe(9 * 60_000);
    await rest('/session/close', { session_id: id });
    const refused = await graphql(extend, { input: { sessionId: id } });
    expect(refused.errors[0].extensions.code).toBe('SESSION_CLOSED');
  });
});

it('who watches a session neither prolongs nor ends it', async () => {
  const id = await start();
  await observe(id, '/');
  const idle = `query ($id: ID!) { session(id: $id) { status expiresAt } }`;
  const before = (await graphql(idle, { id })).data.session;
  clock.advance(60_000);
  const frames = () =>
    overSocket(product, 'subscription ($id: ID!) { sessionFrames(sessionId: $id) { width } }', { id });
  const [gone, stays] = [frames(), frames()];
  for (const watcher of [gone, stays])
    expect((await watcher.next()).value?.data.sessionFrames.width).toBe(1280);
  await gone.return();
  expect((await graphql(idle, { id })).data.session).toEqual({ ...before, status: 'ACTIVE' });
  clock.advance(Date.parse(before.expiresAt) - clock.now());
  await expect.poll(async () => (await graphql(idle, { id })).data.session.status).toBe('TIMED_OUT');
  expect(await stays.next()).toMatchObject({ done: true });
});

it('a list selects sessions by key, name, labels, period, node and failures', async () => {
  const id = await start({ name: 'Filter me', labels: ['filtered'] });
  await rest('/env/step', { session_id: id, action_id: 'B9' });
  const own = `query ($key: ID, $from: DateTime, $before: DateTime, $fails: Boolean, $node: String) {
    sessions(keyId: $key, createdFrom: $from, createdBefore: $before, hasFailures: $fails, node: $node,
      name: "filter", labels: ["filtered"]) { edges { node { id } } } }`;
  const found = async (variables: object) =>
    (await graphql(own, variables)).data.sessions.edges.map((edge: { node: { id: string } }) => edge.node.id);
  const { viewer } = product.started;
  const [earlier, later] = [new Date(0).toISOString(), '2999-01-01T00:00:00.000Z'];
  expect(await found({ key: viewer.keyId, from: earlier, before: later, fails: true })).toEqual([id]);
  for (const other of [
    { key: 'another' },
    { from: later },
    { before: earlier },
    { fails: false },
    { node: 'elsewhere' },
  ])
    expect(await found(other)).toEqual([]);
});

it.each([
  ['AGENT', () => start().then(id => rest('/env/observe', { session_id: id, url: pages.url }))],
  ['AGENT', () => new PagespaceClient(product).start().then(one => one.observe(pages.url))],
  ['MCP', () => plainClient(product.url, product.key).call('observe', { url: pages.url })],
  [
    'CLI',
    () => new PagespaceClient({ ...product, caller: 'cli' }).start().then(one => one.observe(pages.url)),
  ],
] as const)('an event tells that its caller is of the kind %s', async (kind, work) => {
  // Lists are in the order of the starts.
  clock.advance(1_000);
  await work();
  const query = `{ sessions(first: 1) { edges { node { events(last: 1) { edges { node { performed { caller { kind keyName } } } } } } } } }`;
  const { data } = await graphql(query);
  expect(data.sessions.edges[0].node.events.edges[0].node.performed.caller).toEqual({
    kind,
    keyName: 'test',
  });
});

describe('accountEvents', () => {
  it('yields the events of all sessions by one number each, stored and new ones', async () => {
    const query =
      'subscription ($after: SafeInt) { accountEvents(after: $after) { accountNumber sessionId seq type } }';
    const [first, second] = [await start(), await start()];
    const results = overSocket(product, query, { after: 0 });
    const numbers: number[] = [];
    const seen = new Set<string>();
    let isSent = false;
    for await (const { data } of results) {
      const { accountNumber, sessionId, type } = data.accountEvents;
      numbers.push(accountNumber);
      seen.add(sessionId);
      if (seen.has(first) && seen.has(second) && !isSent) {
        isSent = true;
        await observe(first, '/');
        await rest('/session/close', { session_id: second });
      }
      if (sessionId === second && type === 'ENDED') break;
    }
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    const [resumed] = await Array.fromAsync(
      takeOne(overSocket(product, query, { after: numbers.length - 1 })),
    );
    expect(resumed?.data.accountEvents).toMatchObject({ accountNumber: numbers.length, type: 'ENDED' });
  });
});

async function* takeOne<T>(results: AsyncIterable<T>) {
  for await (const one of results) {
    yield one;
    return;
  }
}

describe('sessionChanged', () => {
  it('yields a session as it is, while an operation runs, after it, and at its end', async () => {
    const id = await start();
    const query = `subscription ($id: ID) { sessionChanged(sessionId: $id) { status url runningOperation { kind actionId } } }`;
    const seen: object[] = [];
    for await (const { data } of overSocket(product, query, { id })) {
      seen.push(data.sessionChanged);
      if (seen.length === 1) await observe(id, '/');
      if (seen.length === 3) await rest('/session/close', { session_id: id });
    }
    expect(seen).toEqual([
      { status: 'ACTIVE', url: null, runningOperation: null },
      { status: 'ACTIVE', url: null, runningOperation: { kind: 'observe', actionId: null } },
      { status: 'ACTIVE', url: `${pages.url}/`, runningOperation: null },
      { status: 'CLOSED', url: `${pages.url}/`, runningOperation: null },
    ]);
  });
});
