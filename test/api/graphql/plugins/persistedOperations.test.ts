import { createHash } from 'node:crypto';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { OPERATIONS } from '../../../../src/api/graphql/generated/operations.ts';
import { parsePersistedOperations } from '../../../../src/api/graphql/plugins/persistedOperations.ts';
import { callApi } from '../../../support/callApi.ts';
import { startTestServer, type TestServer } from '../../../support/startServer.ts';
import { type StartedService, startService } from '../../../support/startService.ts';
import { overEvents, overSocket } from '../../../support/subscribe.ts';

const VIEWER = 'query Me { viewer { account { name } } }';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const operations = { me: VIEWER };

let started: StartedService;
/** Runs any operation, and persisted ones by id. */
let open: TestServer;
/** Runs persisted operations only. */
let strict: TestServer;
beforeAll(async () => {
  started = await startService({ browser: 'fake' });
  open = await startTestServer(started.service, { persisted: { operations } });
  strict = await startTestServer(started.service, { persisted: { operations, persistedOnly: true } });
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await strict[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

const post = (server: TestServer, body: unknown) =>
  callApi(server.url, 'POST', '/graphql', { key: started.key, body });
const get = (server: TestServer, query: Record<string, string>) =>
  callApi(server.url, 'GET', `/graphql?${new URLSearchParams(query)}`, { key: started.key });

const ME = { data: { viewer: { account: { name: 'test' } } } };

describe.each([
  ['with any operation allowed', () => open],
  ['with persisted operations only', () => strict],
])('a persisted operation, %s', (_where, server) => {
  test.each([
    ['its id', { documentId: 'me' }],
    ['its hash', { documentId: sha256(VIEWER) }],
    ['its hash as GraphQL over HTTP writes it', { documentId: `sha256:${sha256(VIEWER)}` }],
    [
      "its hash in Apollo's form",
      { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(VIEWER) } } },
    ],
    ['its very text', { query: VIEWER }],
  ])('runs by %s', async (_how, body) => {
    expect(await post(server(), body)).toMatchObject({ status: 200, body: ME });
  });

  test('runs by GET', async () => {
    expect(await get(server(), { documentId: 'me' })).toMatchObject({ status: 200, body: ME });
    const extensions = JSON.stringify({ persistedQuery: { sha256Hash: sha256(VIEWER) } });
    expect(await get(server(), { extensions })).toMatchObject({ status: 200, body: ME });
  });

  test('can be one of the service itself, by name or hash, with variables', async () => {
    const variables = { first: 1, status: ['ACTIVE'] };
    const expected = { body: { data: { sessions: { edges: [] } } } };
    expect(await post(server(), { documentId: 'ListSessions', variables })).toMatchObject(expected);
    const hash = sha256(OPERATIONS.ListSessions);
    expect(await post(server(), { documentId: hash, variables })).toMatchObject(expected);
  });

  test('answers 401 without a key', async () => {
    const answer = await callApi(server().url, 'POST', '/graphql', { body: { documentId: 'me' } });
    expect(answer).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'MISSING_API_KEY' } }] },
    });
  });

  test('answers PERSISTED_QUERY_NOT_FOUND for an unknown id, after which Apollo clients send the text', async () => {
    for (const body of [
      { documentId: 'nobody' },
      { documentId: 'constructor' },
      { extensions: { persistedQuery: { sha256Hash: sha256('{ x }') } } },
    ])
      expect(await post(server(), body)).toMatchObject({
        status: 404,
        body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
      });
  });

  test.each([
    ['its id', { documentId: 'me' }],
    ['its hash', { extensions: { persistedQuery: { sha256Hash: sha256(VIEWER) } } }],
  ])('runs over WebSocket by %s', async (_how, payload) => {
    const client = createClient({
      url: `${server().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${started.key}` },
    });
    // The protocol requires `query`; it may be empty.
    const results = client.iterate({ query: '', ...payload });
    expect((await results.next()).value).toMatchObject(ME);
    await client.dispose();
  });
});

describe('with persisted operations only', () => {
  const ANOTHER = '{ viewer { account { tier } } }';
  const refusal = [{ extensions: { code: 'PERSISTED_QUERY_ONLY' } }];

  test.each([
    ['another', { query: ANOTHER }],
    ['another beside the id of one', { query: ANOTHER, documentId: 'me' }],
    [
      'another beside the hash of one',
      { query: ANOTHER, extensions: { persistedQuery: { sha256Hash: sha256(VIEWER) } } },
    ],
    ['introspection', { query: '{ __schema { types { name } } }' }],
  ])('%s over POST answers PERSISTED_QUERY_ONLY', async (_what, body) => {
    expect(await post(strict, body)).toMatchObject({ status: 403, body: { errors: refusal } });
  });

  test('another operation over GET answers PERSISTED_QUERY_ONLY', async () => {
    expect(await get(strict, { query: ANOTHER })).toMatchObject({ status: 403, body: { errors: refusal } });
  });

  test('another operation over server-sent events answers PERSISTED_QUERY_ONLY', async () => {
    const results = overEvents(
      { url: strict.url, key: started.key },
      'subscription { sessionStatusChanged { status } }',
    );
    expect((await results.next()).value).toMatchObject({ errors: refusal });
    await results.return();
  });

  test('another operation over WebSocket answers PERSISTED_QUERY_ONLY', async () => {
    const results = overSocket(
      { url: strict.url, key: started.key },
      'subscription { sessionStatusChanged { status } }',
    );
    expect((await results.next()).value).toMatchObject({ errors: refusal });
    await results.return();
  });

  test('REST works', async () => {
    expect((await callApi(strict.url, 'GET', '/sessions', { key: started.key })).status).toBe(200);
  });

  test('GET /graphql serves no GraphiQL', async () => {
    const headers = { accept: 'text/html' };
    expect((await callApi(strict.url, 'GET', '/graphql', { headers })).text).not.toContain('<html');
    expect((await callApi(open.url, 'GET', '/graphql', { headers })).text).toContain('<html');
  });
});

describe('parsePersistedOperations', () => {
  test('returns the texts by id', () => {
    expect(parsePersistedOperations(JSON.stringify(operations))).toEqual(operations);
  });

  test.each(['', '[]', '{"a": 1}', '{"a": ""}', '{"": "{ x }"}', 'null'])('throws for %j', text => {
    expect(() => parsePersistedOperations(text)).toThrow(/not a JSON object of operation texts by id/);
  });

  test('createServer throws an error that names every operation that does not fit the schema', async () => {
    const persisted = { operations: { wrong: '{ nothing }', torn: '{ viewer {', good: VIEWER } };
    await expect(startTestServer(started.service, { persisted })).rejects.toThrow(
      /wrong: Cannot query field "nothing"[\s\S]*torn: Syntax Error/,
    );
  });
});
