import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { type LogLine, startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let accountId: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  accountId = product.started.account.id;
});
beforeEach(() => {
  product.logLines.length = 0;
});
afterAll(() => product[Symbol.asyncDispose]());

const requestLines = (): LogLine[] => product.logLines.filter(line => line.msg === 'request');

/** Returns the line of the last request. There must be exactly one. */
async function onlyLine(): Promise<LogLine> {
  await expect.poll(requestLines).toHaveLength(1);
  const [line] = requestLines();
  if (line === undefined) throw new Error('There is no line.');
  expect(line.durationMs).toBeTypeOf('number');
  return line;
}

const startSession = () => callApi(product.url, 'POST', '/session/start', { key: product.key, body: {} });

/** Starts a session and removes the line of that request. */
async function newSession(): Promise<string> {
  const { body } = await startSession();
  await onlyLine();
  product.logLines.length = 0;
  return body.session_id;
}

describe('The request log has one line for', () => {
  test('a REST operation that starts a session', async () => {
    const { body, headers } = await startSession();
    expect(await onlyLine()).toMatchObject({
      requestId: headers.get('x-request-id'),
      method: 'POST',
      path: '/session/start',
      status: 200,
      operation: 'POST /session/start',
      accountId,
      sessionId: body.session_id,
      outcome: 'ok',
    });
  });

  test('a REST read, with the route as its operation', async () => {
    const sessionId = await newSession();
    await callApi(product.url, 'GET', `/v1/session/${sessionId}`, { key: product.key });
    expect(await onlyLine()).toMatchObject({ operation: 'GET /session/{session_id}', accountId, sessionId });
  });

  test('a REST request that fails, with its code', async () => {
    const sessionId = await newSession();
    const body = { session_id: sessionId, action_id: 'B1' };
    await callApi(product.url, 'POST', '/step', { key: product.key, body });
    const expected = { operation: 'POST /step', status: 422, sessionId, accountId, outcome: 'NOT_OBSERVED' };
    expect(await onlyLine()).toMatchObject(expected);
  });

  test('a request without a valid key, without an account', async () => {
    await callApi(product.url, 'GET', '/sessions', { key: 'psk_nonsense' });
    expect(await onlyLine()).toMatchObject({ status: 401, accountId: null, outcome: 'INVALID_API_KEY' });
  });

  test('an uploaded file', async () => {
    const sessionId = await newSession();
    const path = `/session/${sessionId}/uploads`;
    await callApi(product.url, 'POST', `${path}?name=a.txt`, { key: product.key, body: 'text' });
    const operation = 'POST /session/{session_id}/uploads';
    expect(await onlyLine()).toMatchObject({ operation, path, accountId, sessionId, outcome: 'ok' });
  });

  test('a GraphQL operation over HTTP, with its root fields as its operation', async () => {
    const { body } = await callGraphql(product.url, product.key, 'mutation { startSession { id } }');
    expect(await onlyLine()).toMatchObject({
      path: '/graphql',
      status: 200,
      operation: 'mutation startSession',
      accountId,
      sessionId: body.data.startSession.id,
      outcome: 'ok',
    });
  });

  test('a GraphQL operation that names a session', async () => {
    const sessionId = await newSession();
    const query = 'query ($id: ID!) { session(id: $id) { status } viewer { keyId } }';
    await callGraphql(product.url, product.key, query, { id: sessionId });
    expect(await onlyLine()).toMatchObject({ operation: 'query session, viewer', sessionId });
  });

  test('a GraphQL operation that fails with HTTP status 200, with its code', async () => {
    const query = 'mutation { closeSession(input: {sessionId: "nonsense"}) { id } }';
    await callGraphql(product.url, product.key, query);
    expect(await onlyLine()).toMatchObject({ status: 200, outcome: 'SESSION_NOT_FOUND' });
  });

  test('a wallet request', async () => {
    await callApi(product.url, 'POST', '/wallet/visit', { body: {}, headers: { origin: product.url } });
    expect(await onlyLine()).toMatchObject({ operation: 'POST /wallet/visit', outcome: 'ok' });
  });

  test('a path that does not exist, and a method that a path does not take', async () => {
    await callApi(product.url, 'GET', '/nope');
    expect(await onlyLine()).toMatchObject({ path: '/nope', operation: null, outcome: 'NOT_FOUND' });
    product.logLines.length = 0;
    await callApi(product.url, 'DELETE', '/sessions');
    expect(await onlyLine()).toMatchObject({ method: 'DELETE', outcome: 'METHOD_NOT_ALLOWED' });
  });

  test.each(['/health', '/ready', '/metrics'])('%s, with the level debug while it succeeds', async path => {
    await callApi(product.url, 'GET', path);
    expect(await onlyLine()).toMatchObject({ level: 20, path, outcome: 'ok' });
    product.logLines.length = 0;
    await callApi(product.url, 'POST', path);
    expect(await onlyLine()).toMatchObject({ level: 30, path, outcome: 'METHOD_NOT_ALLOWED' });
  });

  test('an event stream, when its caller disconnects', async () => {
    const disconnect = new AbortController();
    await fetch(`${product.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query: 'subscription { sessionStatusChanged { id } }' }),
      signal: disconnect.signal,
    });
    expect(requestLines()).toEqual([]);
    disconnect.abort();
    const operation = 'subscription sessionStatusChanged';
    expect(await onlyLine()).toMatchObject({ operation, accountId, outcome: 'aborted' });
  });
});

describe('The request log has one line for each WebSocket operation', () => {
  const connect = () =>
    createClient({
      url: `${product.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${product.key}` },
    });

  test('that returns one result', async () => {
    const client = connect();
    const { value } = await client.iterate({ query: 'mutation { startSession { id } }' }).next();
    expect(await onlyLine()).toMatchObject({
      transport: 'websocket',
      operation: 'mutation startSession',
      accountId,
      sessionId: value.data.startSession.id,
      outcome: 'ok',
    });
    await client.dispose();
  });

  test('that fails, with its code', async () => {
    const client = connect();
    await client.iterate({ query: 'mutation { closeSession(input: {sessionId: "x"}) { id } }' }).next();
    expect(await onlyLine()).toMatchObject({ accountId, outcome: 'SESSION_NOT_FOUND' });
    product.logLines.length = 0;
    await expect(client.iterate({ query: '{ nothing }' }).next()).rejects.toBeDefined();
    expect(await onlyLine()).toMatchObject({ accountId, operation: null, outcome: 'VALIDATION_ERROR' });
    await client.dispose();
  });

  test('that subscribes, when its client completes it or disconnects', async () => {
    const sessionId = await newSession();
    const query = `subscription { sessionEvents(sessionId: "${sessionId}") { seq } }`;
    const client = connect();
    const completed = client.iterate({ query });
    await completed.next();
    await completed.return?.();
    const line = { operation: 'subscription sessionEvents', sessionId, accountId };
    expect(await onlyLine()).toMatchObject({ ...line, outcome: 'ok' });
    product.logLines.length = 0;
    await client.iterate({ query }).next();
    client.terminate();
    expect(await onlyLine()).toMatchObject({ ...line, outcome: 'aborted' });
    await client.dispose();
  });
});

test('The request log holds no key, no query string and no body', async () => {
  const headers = { cookie: 'pagespace_visit=secret-cookie' };
  const body = { url: 'https://user:secret-password@example.com/?secret-query', value: 'secret-body' };
  await callApi(product.url, 'POST', '/env/observe?secret-parameter', { key: product.key, body, headers });
  const query = 'query SecretName { viewer { secretAlias: keyId } }';
  await callGraphql(product.url, product.key, query);
  await expect.poll(requestLines).toHaveLength(2);
  const text = JSON.stringify(product.logLines);
  expect(text).not.toMatch(/secret/i);
  expect(text).not.toContain(product.key);
});
