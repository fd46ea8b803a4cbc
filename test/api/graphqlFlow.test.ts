import { ClientError, GraphQLClient } from 'graphql-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CloseSessionDocument,
  ListSessionsDocument,
  ObserveDocument,
  ReadSessionDocument,
  ScrapeDocument,
  StartSessionDocument,
  StepDocument,
} from '../../src/api/graphql/generated/graphql.ts';
import type { ObserveCommand, StartCommand } from '../../src/service/verbs.ts';
import { graphql } from '../support/call.ts';
import { type Site, startSite } from '../support/site.ts';
import { type StartedProduct, startDoors, startProduct } from '../support/startServer.ts';
import { addAccount } from '../support/startService.ts';

let site: Site;
let product: StartedProduct;
let client: GraphQLClient;

beforeAll(async () => {
  site = await startSite();
  product = await startProduct();
  client = new GraphQLClient(`${product.url}/graphql`, {
    headers: { authorization: `Bearer ${product.key}` },
  });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site.close();
});

async function startedSession(): Promise<string> {
  return (await client.request(StartSessionDocument, { input: {} })).startSession.id;
}

/** The extensions of the first error of a request that fails. */
async function refusal(request: Promise<unknown>): Promise<Record<string, unknown> | undefined> {
  const error = await request.then(
    () => null,
    caught => caught,
  );
  if (!(error instanceof ClientError)) throw new Error('The request did not fail.');
  return error.response.errors?.[0]?.extensions;
}

test('the typical flow with typed documents', async () => {
  const sessionId = await startedSession();
  const { observe } = await client.request(ObserveDocument, {
    input: { sessionId, url: `${site.url}/forms` },
  });
  const name = observe.space?.actions.find(action => action.name === 'Name');
  expect(name).toMatchObject({ kind: 'INPUT', status: 'VALID', disabled: false });

  const input = { sessionId, actionId: name?.id ?? '', value: 'Ada' };
  const { step } = await client.request(StepDocument, { input });
  expect(step.space?.actions.find(action => action.id === name?.id)?.value).toBe('Ada');
  expect(step.data).toBeNull();

  const { scrape } = await client.request(ScrapeDocument, { input: { sessionId } });
  expect(scrape.data?.markdown).toContain('Forms');

  const { closeSession } = await client.request(CloseSessionDocument, { input: { sessionId } });
  expect(closeSession).toMatchObject({ id: sessionId, status: 'CLOSED' });
  const { session } = await client.request(ReadSessionDocument, { id: sessionId });
  expect(session).toEqual({ ...closeSession, screenshot: undefined });
});

describe('session(id) and node(id)', () => {
  test('take the same id and find the same session', async () => {
    const id = await startedSession();
    const query =
      'query ($id: ID!) { session(id: $id) { id status } node(id: $id) { id ... on Session { status } } }';
    const { data } = (await graphql(product.url, product.key, query, { id })).body;
    expect(data).toEqual({ session: { id, status: 'ACTIVE' }, node: { id, status: 'ACTIVE' } });
  });

  test.each(['nonsense', '', 'Account:nobody', 'Nothing:1', '0b4a7c5e-0000-4000-8000-000000000000'])(
    'answer null for %j',
    async id => {
      const query = 'query ($id: ID!) { session(id: $id) { id } node(id: $id) { id } }';
      const { data, errors } = (await graphql(product.url, product.key, query, { id })).body;
      expect(errors).toBeUndefined();
      expect(data).toEqual({ session: null, node: null });
    },
  );

  test('find nothing of another account, neither its sessions nor itself', async () => {
    const id = await startedSession();
    const other = await addAccount(product.started.store, product.started.clock, 'stranger');
    const query =
      'query ($id: ID!, $account: ID!) { session(id: $id) { id } node(id: $id) { id } account: node(id: $account) { id } }';
    const variables = { id, account: `Account:${product.started.account.id}` };
    const { data } = (await graphql(product.url, other.key, query, variables)).body;
    expect(data).toEqual({ session: null, node: null, account: null });
  });
});

describe('sessions', () => {
  test('filters by status and pages by cursors, forwards and back', async () => {
    await using own = await startProduct();
    const request = (query: string) =>
      graphql(own.url, own.key, query).then(({ body }) => body.data.sessions);
    for (let count = 0; count < 3; count += 1)
      await graphql(own.url, own.key, 'mutation { startSession { id } }');
    const first = await request(
      '{ sessions(first: 2) { totalCount edges { node { id } } pageInfo { hasNextPage endCursor } } }',
    );
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const { endCursor } = first.pageInfo;
    const second = await request(
      `{ sessions(first: 2, after: "${endCursor}") { edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor } } }`,
    );
    expect(second.edges).toHaveLength(1);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const back = await request(
      `{ sessions(last: 2, before: "${second.pageInfo.startCursor}") { edges { node { id } } } }`,
    );
    expect(back.edges).toEqual(first.edges);
    const end = await request('{ sessions(last: 1) { edges { node { id } } } }');
    expect(end.edges).toEqual(second.edges);
    const [{ node }] = second.edges;
    const sought = await request(`{ sessions(search: "${node.id}") { totalCount edges { node { id } } } }`);
    expect(sought).toEqual({ totalCount: 1, edges: [{ node }] });
    const closed = await request('{ sessions(status: [CLOSED]) { totalCount edges { node { id } } } }');
    expect(closed).toEqual({ totalCount: 0, edges: [] });
  });

  test.each([
    ['sessions(first: 0)', 'first'],
    ['sessions(first: 101)', 'first'],
    ['sessions(first: 1, last: 1, before: "x")', 'last'],
    ['sessions(after: "x", before: "y")', 'before'],
    ['sessions(last: 1, after: "x")', 'last'],
    ['sessions(after: "nonsense")', 'after'],
    ['sessions(before: "nonsense", last: 2)', 'before'],
  ])('%s is refused and names %s', async (field, path) => {
    const { errors } = (await graphql(product.url, product.key, `{ ${field} { totalCount } }`)).body;
    expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path }] });
  });
});

describe('what is not selected is not made', () => {
  /** The commands that the service is given, with the answers of a session that is there. */
  async function commanded(query: string): Promise<{ observe: ObserveCommand[]; start: StartCommand[] }> {
    const { service, viewer } = product.started;
    const commands = { observe: [] as ObserveCommand[], start: [] as StartCommand[] };
    const { session } = await service.start(viewer, {
      keepAlive: null,
      timeoutMinutes: null,
      screenshot: false,
      signal: new AbortController().signal,
    });
    const answer = {
      session,
      metadata: { url: 'http://x/', title: '', timestamp: 0, httpStatus: 200, tabs: [] },
      observationId: 'O1',
      space: null,
      diff: null,
      data: null,
      screenshot: null,
    };
    await using doors = await startDoors({
      ...service,
      observe: async (_viewer, command) => {
        commands.observe.push(command);
        return answer;
      },
      start: async (_viewer, command) => {
        commands.start.push(command);
        return { session, screenshot: null };
      },
    });
    const { body } = await graphql(doors.url, product.key, query);
    expect(body.errors).toBeUndefined();
    return commands;
  }

  test('nothing but the metadata', async () => {
    const { observe } = await commanded(
      'mutation { observe(input: {url: "http://x/"}) { metadata { url } } }',
    );
    expect(observe[0]).toMatchObject({ data: null, space: false, screenshot: false });
  });

  test('only the parts of the content that are named', async () => {
    const { observe } = await commanded(
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

  test('selecting a screenshot is asking for it, and screenshot: false takes it back', async () => {
    const yes = await commanded('mutation { startSession { screenshot } }');
    expect(yes.start[0]?.screenshot).toBe(true);
    const no = await commanded('mutation { startSession(input: {screenshot: false}) { screenshot } }');
    expect(no.start[0]?.screenshot).toBe(false);
    const unselected = await commanded('mutation { startSession(input: {screenshot: true}) { id } }');
    expect(unselected.start[0]?.screenshot).toBe(false);
  });
});

test('fifty sessions with their accounts, spaces and counts cost one load each', async () => {
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
  await using doors = await startDoors({
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
  const { body } = await graphql(doors.url, product.key, query);
  expect(body.data.sessions.edges).toHaveLength(50);
  expect(body.data.sessions.edges[49].node.account.name).toBe('test');
  expect(loads).toEqual({ accounts: 1, lastObservations: 1, eventCounts: 1 });
});

test('a space can be narrowed by kind, category, words and place', async () => {
  const sessionId = await startedSession();
  await client.request(ObserveDocument, { input: { sessionId, url: `${site.url}/forms` } });
  const query = `query ($id: ID!) { session(id: $id) { space {
    all: actions { id kind category inViewport description }
    inputs: actions(kinds: [INPUT]) { id kind }
    named: actions(search: "EMAIL") { description }
    none: actions(categories: ["no such part"]) { id }
    below: actions(inViewport: false) { inViewport }
    markdown short: markdown(maxTokens: 100)
  } } }`;
  const { space } = (await graphql(product.url, product.key, query, { id: sessionId })).body.data.session;
  expect(space.inputs.length).toBeGreaterThan(0);
  expect(space.inputs.every((action: { kind: string }) => action.kind === 'INPUT')).toBe(true);
  expect(space.named).toHaveLength(1);
  expect(space.none).toEqual([]);
  expect(space.below.every((action: { inViewport: boolean }) => !action.inViewport)).toBe(true);
  for (const action of space.all) expect(space.markdown).toContain(`- ${action.id} `);
  expect(space.short.length).toBeLessThanOrEqual(350);
});

test('the event log is a connection, in order, with cursors', async () => {
  const sessionId = await startedSession();
  await client.request(ObserveDocument, { input: { sessionId, url: site.url } });
  await client.request(CloseSessionDocument, { input: { sessionId } });
  const events = (args: string) =>
    graphql(
      product.url,
      product.key,
      `{ session(id: "${sessionId}") { eventCounts { created observed ended } events(${args}) { edges { cursor node { seq type url status } } pageInfo { hasNextPage endCursor } } } }`,
    ).then(({ body }) => body.data.session);
  const all = await events('first: 50');
  expect(all.eventCounts).toEqual({ created: 1, observed: 1, ended: 1 });
  const types = all.events.edges.map((edge: { node: { type: string } }) => edge.node.type);
  expect(types.at(0)).toBe('CREATED');
  expect(types).toContain('OBSERVED');
  expect(types.at(-1)).toBe('ENDED');
  const one = await events('first: 1');
  expect(one.events.pageInfo.hasNextPage).toBe(true);
  const next = await events(`first: 1, after: "${one.events.pageInfo.endCursor}"`);
  expect(next.events.edges[0].node.seq).toBe(2);
  const end = await events('last: 1');
  expect(end.events.edges.map((edge: { node: { seq: number } }) => edge.node.seq)).toEqual([types.length]);
  const back = await events('last: 2, before: "3"');
  expect(back.events.edges.map((edge: { node: { seq: number } }) => edge.node.seq)).toEqual([1, 2]);
});

test('the list of sessions by typed document has the shape of one session', async () => {
  const { sessions } = await client.request(ListSessionsDocument, { first: 1 });
  expect(sessions.edges[0]?.node.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('failureCodes is the manual', async () => {
  const { body } = await graphql(
    product.url,
    product.key,
    '{ failureCodes { code status title meaning retryable } }',
  );
  expect(body.data.failureCodes).toContainEqual(
    expect.objectContaining({ code: 'SESSION_NOT_FOUND', status: 404 }),
  );
});

describe('input', () => {
  const observe = (input: object) => refusal(client.request(ObserveDocument, { input }));

  test.each([
    [{ sessionTimeoutMinutes: 0, url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ sessionTimeoutMinutes: 30, url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ sessionTimeoutMinutes: 2.5, url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ sessionTimeoutMinutes: '5', url: 'https://example.com' }, 'input.sessionTimeoutMinutes'],
    [{ url: '' }, 'input.url'],
    [{ url: 7 }, 'input.url'],
    [{ url: 'https://example.com', minNbActions: 5, maxNbActions: 2 }, 'input.minNbActions'],
    [{ url: 'https://example.com', session_id: 'x' }, 'input'],
  ])('%j is refused and names %s', async (input, path) => {
    const facts = await observe(input);
    expect(facts).toMatchObject({ code: 'VALIDATION_ERROR', status: 422 });
    expect(facts?.errors).toContainEqual(expect.objectContaining({ path }));
  });

  test('an action id of no known form is refused', async () => {
    const facts = await refusal(
      client.request(StepDocument, { input: { sessionId: 'x', actionId: 'button' } }),
    );
    expect(facts).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'input.actionId' }] });
  });

  test('neither session nor url is refused', async () => {
    expect(await observe({})).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'url' }] });
  });

  test('an unknown session is SESSION_NOT_FOUND, whatever the text', async () => {
    expect(await observe({ sessionId: 'nonsense' })).toMatchObject({
      code: 'SESSION_NOT_FOUND',
      status: 404,
    });
  });

  test('parameters that are no object of values are refused', async () => {
    const input = { sessionId: 'x', actionId: 'S17', params: { from: { id: 'B1' } } };
    expect(await refusal(client.request(StepDocument, { input: input as never }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

test('a stale id answers with the fresh space in the extensions', async () => {
  const sessionId = await startedSession();
  const { observe } = await client.request(ObserveDocument, { input: { sessionId, url: site.url } });
  const id = (name: string) => observe.space?.actions.find(action => action.name === name)?.id ?? '';
  await client.request(StepDocument, { input: { sessionId, actionId: id('Forms') } });
  const facts = await refusal(
    client.request(StepDocument, { input: { sessionId, actionId: id('Widgets') } }),
  );
  expect(facts).toMatchObject({
    code: 'ACTION_STALE',
    status: 409,
    session: { id: sessionId, status: 'ACTIVE' },
    space: { actions: expect.arrayContaining([expect.objectContaining({ kind: 'INPUT' })]) },
  });
});
