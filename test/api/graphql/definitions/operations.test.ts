import { ClientError, GraphQLClient } from 'graphql-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../../src/api/graphql/generated/operations.ts';
import { callGraphql } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';
import { startTestSite, type TestSite } from '../../../support/testSite.ts';

let site: TestSite;
let product: TestProduct;
let client: GraphQLClient;

beforeAll(async () => {
  site = await startTestSite();
  product = await startTestProduct();
  client = new GraphQLClient(`${product.url}/graphql`, {
    headers: { authorization: `Bearer ${product.key}` },
  });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site.close();
});

async function startedSession(): Promise<string> {
  return (await client.request(OPERATIONS.StartSession, { input: {} })).startSession.id;
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

test('startSession, observe, step, scrape, closeSession and session work with the operations of the service', async () => {
  const sessionId = await startedSession();
  const { observe } = await client.request(OPERATIONS.Observe, {
    input: { sessionId, url: `${site.url}/forms` },
  });
  const name = observe.space?.actions.find((action: { name: string }) => action.name === 'Name');
  expect(name).toMatchObject({ kind: 'INPUT', status: 'VALID', disabled: false });

  const input = { sessionId, actionId: name?.id ?? '', value: 'Ada' };
  const { step } = await client.request(OPERATIONS.Step, { input });
  expect(step.space?.actions.find((action: { id: string }) => action.id === name?.id)?.value).toBe('Ada');
  expect(step.data).toBeNull();
  const withContent = { ...input, content: { formats: ['MARKDOWN' as const] } };
  const { step: stepWithContent } = await client.request(OPERATIONS.Step, { input: withContent });
  expect(stepWithContent.data?.markdown).toContain('Forms');

  const { scrape } = await client.request(OPERATIONS.Scrape, { input: { sessionId } });
  expect(scrape.data?.markdown).toContain('Forms');

  const { closeSession } = await client.request(OPERATIONS.CloseSession, { input: { sessionId } });
  expect(closeSession).toMatchObject({ id: sessionId, status: 'CLOSED' });
  const { session } = await client.request(OPERATIONS.ReadSession, { id: sessionId });
  expect(session).toEqual({ ...closeSession, screenshot: undefined, screenshotIsCut: null });
});

describe('session(id) and node(id)', () => {
  test('accept the same id and return the same session', async () => {
    const id = await startedSession();
    const query =
      'query ($id: ID!) { session(id: $id) { id status } node(id: $id) { id ... on Session { status } } }';
    const { data } = (await callGraphql(product.url, product.key, query, { id })).body;
    expect(data).toEqual({ session: { id, status: 'ACTIVE' }, node: { id, status: 'ACTIVE' } });
  });

  test.each(['nonsense', '', 'Account:nobody', 'Nothing:1', '0b4a7c5e-0000-4000-8000-000000000000'])(
    'return null for %j',
    async id => {
      const query = 'query ($id: ID!) { session(id: $id) { id } node(id: $id) { id } }';
      const { data, errors } = (await callGraphql(product.url, product.key, query, { id })).body;
      expect(errors).toBeUndefined();
      expect(data).toEqual({ session: null, node: null });
    },
  );

  test('return null for a session and the account of another account', async () => {
    const id = await startedSession();
    const other = await addAccount(product.started.store, product.started.clock, 'stranger');
    const query =
      'query ($id: ID!, $account: ID!) { session(id: $id) { id } node(id: $id) { id } account: node(id: $account) { id } }';
    const variables = { id, account: `Account:${product.started.account.id}` };
    const { data } = (await callGraphql(product.url, other.key, query, variables)).body;
    expect(data).toEqual({ session: null, node: null, account: null });
  });
});

describe('sessions', () => {
  test('filters by status and search, and pages by cursors in both directions', async () => {
    await using own = await startTestProduct({ browser: 'fake' });
    const request = (query: string) =>
      callGraphql(own.url, own.key, query).then(({ body }) => body.data.sessions);
    for (let count = 0; count < 3; count += 1)
      await callGraphql(own.url, own.key, 'mutation { startSession { id } }');
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
    ['sessions(after: "nonsense")', 'after'],
    ['sessions(before: "nonsense", last: 2)', 'before'],
  ])('%s answers VALIDATION_ERROR with the path %s', async (field, path) => {
    const { errors } = (await callGraphql(product.url, product.key, `{ ${field} { totalCount } }`)).body;
    expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path }] });
  });
});

test('Space.actions filters by kind, category, search and inViewport; Space.markdown by tokens', async () => {
  const sessionId = await startedSession();
  await client.request(OPERATIONS.Observe, { input: { sessionId, url: `${site.url}/forms` } });
  const query = `query ($id: ID!) { session(id: $id) { space {
    all: actions { id kind category inViewport description }
    inputs: actions(kinds: [INPUT]) { id kind }
    named: actions(search: "EMAIL") { description }
    none: actions(categories: ["no such part"]) { id }
    below: actions(inViewport: false) { inViewport }
    markdown short: markdown(maxTokens: 100)
  } } }`;
  const { space } = (await callGraphql(product.url, product.key, query, { id: sessionId })).body.data.session;
  expect(space.inputs.length).toBeGreaterThan(0);
  expect(space.inputs.every((action: { kind: string }) => action.kind === 'INPUT')).toBe(true);
  expect(space.named).toHaveLength(1);
  expect(space.none).toEqual([]);
  expect(space.below.every((action: { inViewport: boolean }) => !action.inViewport)).toBe(true);
  for (const action of space.all) expect(space.markdown).toContain(`\n${action.id} `);
  expect(space.short.length).toBeLessThanOrEqual(350);
});

test('Session.events is a connection in the order of seq, with cursors', async () => {
  const sessionId = await startedSession();
  await client.request(OPERATIONS.Observe, { input: { sessionId, url: site.url } });
  await client.request(OPERATIONS.CloseSession, { input: { sessionId } });
  const events = (args: string) =>
    callGraphql(
      product.url,
      product.key,
      `{ session(id: "${sessionId}") { eventCounts { created observed ended } events(${args}) { edges { cursor node { seq type } } pageInfo { hasNextPage endCursor } } } }`,
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

test('Session.events returns each event as its own type with its own fields', async () => {
  const sessionId = await startedSession();
  await client.request(OPERATIONS.Observe, { input: { sessionId, url: site.url } });
  await client.request(OPERATIONS.Step, { input: { sessionId, actionId: 'S6' } });
  await refusal(client.request(OPERATIONS.Step, { input: { sessionId, actionId: 'B999' } }));
  await client.request(OPERATIONS.CloseSession, { input: { sessionId } });
  const query = `{ session(id: "${sessionId}") { events { edges { node { __typename type
    ... on SessionObservedEvent { url totalActions }
    ... on SessionSteppedEvent { action { id description } url }
    ... on SessionFailedEvent { operation failure { code title detail } }
    ... on SessionEndedEvent { status reason } } } } } }`;
  const { body } = await callGraphql(product.url, product.key, query);
  expect(body.errors).toBeUndefined();
  const url = `${site.url}/`;
  expect(body.data.session.events.edges.map((edge: { node: object }) => edge.node)).toEqual(
    expect.arrayContaining([
      { __typename: 'SessionCreatedEvent', type: 'CREATED' },
      { __typename: 'SessionObservedEvent', type: 'OBSERVED', url, totalActions: expect.any(Number) },
      {
        __typename: 'SessionSteppedEvent',
        type: 'STEPPED',
        action: { id: 'S6', description: expect.any(String) },
        url,
      },
      {
        __typename: 'SessionFailedEvent',
        type: 'FAILED',
        operation: 'step',
        failure: {
          code: 'ACTION_NOT_FOUND',
          title: expect.any(String),
          detail: expect.stringContaining('B999'),
        },
      },
      { __typename: 'SessionEndedEvent', type: 'ENDED', status: 'CLOSED', reason: null },
    ]),
  );
});

test('sessions returns sessions in the shape of session(id)', async () => {
  const { sessions } = await client.request(OPERATIONS.ListSessions, { first: 1 });
  expect(sessions.edges[0]?.node.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('failureCodes returns the table of failures', async () => {
  const { body } = await callGraphql(
    product.url,
    product.key,
    '{ failureCodes { code status title description retryable } }',
  );
  expect(body.data.failureCodes).toContainEqual(
    expect.objectContaining({ code: 'SESSION_NOT_FOUND', status: 404 }),
  );
});

test('step answers ACTION_STALE with a fresh space in the extensions', async () => {
  const sessionId = await startedSession();
  const { observe } = await client.request(OPERATIONS.Observe, { input: { sessionId, url: site.url } });
  const id = (name: string) =>
    observe.space?.actions.find((action: { name: string; id: string }) => action.name === name)?.id ?? '';
  await client.request(OPERATIONS.Step, { input: { sessionId, actionId: id('Forms') } });
  const extensions = await refusal(
    client.request(OPERATIONS.Step, { input: { sessionId, actionId: id('Widgets') } }),
  );
  expect(extensions).toMatchObject({
    code: 'ACTION_STALE',
    status: 409,
    session: { id: sessionId, status: 'ACTIVE' },
    space: { actions: expect.arrayContaining([expect.objectContaining({ kind: 'INPUT' })]) },
  });
});

test('the actions of a failure have the fields of the schema, and not the words that are selected in a field', async () => {
  const sessionId = await startedSession();
  const { observe } = await client.request(OPERATIONS.Observe, {
    input: { sessionId, url: `${site.url}/forms` },
  });
  const field = observe.space?.actions.find(({ name }: { name: string }) => name === 'Name')?.id ?? '';
  await client.request(OPERATIONS.Step, { input: { sessionId, actionId: field, value: 'private' } });
  await client.request(OPERATIONS.Step, { input: { sessionId, actionId: 'S11', value: 'Control+A' } });
  const extensions = await refusal(
    client.request(OPERATIONS.Step, {
      input: { sessionId, actionId: 'S24', value: 'text "no such words"', waitMs: 100 },
    }),
  );
  expect(extensions).toMatchObject({ code: 'WAIT_TIMEOUT' });
  const text = JSON.stringify(extensions);
  for (const name of ['selected', 'focus', 'picture', 'look', 'layer'])
    expect(text).not.toContain(`"${name}":`);
});
