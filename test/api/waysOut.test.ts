import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { RequestRecord } from '../../src/api/http/requestRecord.ts';
import { readPage } from '../../src/cli/pageCommands.ts';
import { reportFailure } from '../../src/cli/terminal.ts';
import { PagespaceError } from '../../src/client/main.ts';
import { terminalJson } from '../../src/domain/terminalText.ts';
import { createLog } from '../../src/log.ts';
import { createTokenAccounts } from '../../src/service/accounts/apiKeys.ts';
import { callApi, callGraphql } from '../support/callApi.ts';
import { UNSAFE_CHARACTERS } from '../support/hostileText.ts';
import { servePages } from '../support/servePages.ts';
import { startTestServer, type TestServer } from '../support/startServer.ts';
import { type StartedService, startService } from '../support/startService.ts';

/** Sends one hostile text into every place where a caller can write, and reads every way by which the service says something. */

const HOSTILE =
  'zqx"\'`<b>\n\r\t\u0000\u001B[31m\u001B]0;title\u0007\u009B2J\u007F\u0085\u2028\u202E\u2066\u200B\u2800\u3164\uFEFF\u{E0041}\uD83D';
const ENCODED = encodeURIComponent(HOSTILE.toWellFormed());

const logged: string[] = [];
const shown: string[] = [];
let started: StartedService;
let server: TestServer;
let session = '';

beforeAll(async () => {
  started = await startService({ browser: 'fake' });
  const terminal = createLog('debug', { write: line => void shown.push(line) }, true);
  const log = createLog('debug', {
    write: line => {
      logged.push(line);
      terminal.info(JSON.parse(line));
    },
  });
  server = await startTestServer(started.service, { log });
  session = (await post('/session/start', {})).body.session_id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  callApi(server.url, 'POST', path, { key: started.key, body, headers });

/** Every text in a JSON value, names of fields included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function expectOneLine(value: unknown): void {
  for (const text of textsIn(value)) expect(text).not.toMatch(/[\n\r\t]/);
  for (const text of textsIn(value)) expect(text).not.toMatch(UNSAFE_CHARACTERS);
}

test.each<[string, () => Promise<{ status: number; body: unknown }>]>([
  ['an unknown field', () => post('/env/observe', { [HOSTILE]: 1 })],
  ['an unknown field in a list', () => post('/env/scrape', { extract: { [HOSTILE]: HOSTILE } })],
  ['a session', () => post('/env/observe', { session_id: HOSTILE })],
  ['an action', () => post('/env/step', { session_id: session, action_id: HOSTILE })],
  ['an address', () => post('/env/observe', { url: HOSTILE })],
  ['a condition', () => post('/env/observe', { wait_for: HOSTILE })],
  ['a proxy', () => post('/session/start', { proxy: { server: HOSTILE } })],
  ['a body that is no JSON', () => post('/env/observe', `{"a": ${HOSTILE}`)],
  ['an encoding', () => post('/env/observe', {}, { 'content-encoding': '\u0085\u00AD' })],
  ['a path', () => callApi(server.url, 'GET', `/${ENCODED}`, { key: started.key })],
  ['a session in a path', () => callApi(server.url, 'GET', `/session/${ENCODED}`, { key: started.key })],
  ['a search', () => callApi(server.url, 'GET', `/sessions?status=${ENCODED}`, { key: started.key })],
  [
    'a download',
    () => callApi(server.url, 'GET', `/session/${session}/downloads/${ENCODED}`, { key: started.key }),
  ],
])('REST refuses %s in one line of visible characters', async (_what, send) => {
  const { status, body } = await send();
  expect(status).toBeGreaterThanOrEqual(400);
  expectOneLine(body);
});

const literal = JSON.stringify(HOSTILE.toWellFormed()).replaceAll('\u007F', '\\u007f');
test.each<[string, object]>([
  ['an id in the text', { query: `mutation { closeSession(input: {sessionId: ${literal}}) { id } }` }],
  [
    'an enum value',
    {
      query: 'query ($s: [SessionStatus!]) { sessions(status: $s) { totalCount } }',
      variables: { s: [HOSTILE] },
    },
  ],
  [
    'a field of an input',
    {
      query: 'mutation ($i: StartSessionInput) { startSession(input: $i) { id } }',
      variables: { i: { [HOSTILE]: 1 } },
    },
  ],
  ['a document', { documentId: HOSTILE }],
  [
    'an operation name',
    { query: 'query A { viewer { keyId } } query B { viewer { keyId } }', operationName: HOSTILE },
  ],
  ['the text', { query: HOSTILE }],
  [
    'the name of a key',
    {
      query: 'mutation ($n: String!) { createApiKey(input: {name: $n}) { key } }',
      variables: { n: HOSTILE },
    },
  ],
  ['the id of a key', { query: `mutation { revokeApiKey(id: ${literal}) { id } }` }],
  [
    'a credit',
    {
      query: `mutation { creditAccount(input: {accountId: "a", amountMicros: 1, reference: ${literal}}) { seq } }`,
    },
  ],
])('GraphQL refuses %s in one line of visible characters', async (_what, body) => {
  for (const accept of ['application/json', 'text/event-stream']) {
    const { text } = await post('/graphql', body, { accept });
    const result = JSON.parse(/^\{.*\}$/m.exec(text.replace(/^data: /gm, ''))?.[0] ?? '');
    expect(result.errors.length).toBeGreaterThan(0);
    expectOneLine(result.errors);
  }
});

test('A WebSocket closes with a reason in visible characters', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const { promise, resolve } = Promise.withResolvers<[number, string]>();
  const subscribe = {
    id: HOSTILE,
    type: 'subscribe',
    payload: { query: 'subscription { accountUsageChanged { operations } }' },
  };
  socket.on('open', () =>
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${started.key}` } }),
    ),
  );
  socket.once('message', () => {
    for (const _each of [1, 2]) socket.send(JSON.stringify(subscribe));
  });
  socket.on('close', (code, reason) => resolve([code, String(reason)]));
  const [code, reason] = await promise;
  expect(code).toBe(4409);
  expect(reason).toMatch(/^Subscriber for zqx/);
  expectOneLine(reason);
});

test.each<[string, string, object]>([
  ['a tool', 'tools/call', { name: HOSTILE, arguments: {} }],
  ['an argument', 'tools/call', { name: 'observe', arguments: { [HOSTILE]: HOSTILE, session_id: HOSTILE } }],
  ['a session', 'tools/call', { name: 'observe', arguments: { session_id: HOSTILE } }],
  ['an action', 'tools/call', { name: 'step', arguments: { session_id: session, action_id: HOSTILE } }],
  ['a resource', 'resources/read', { uri: HOSTILE }],
  ['params', 'resources/read', { [HOSTILE]: HOSTILE }],
])('MCP refuses %s in visible characters', async (_what, method, params) => {
  const accept = 'application/json, text/event-stream';
  const { text } = await post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, { accept });
  const { result, error } = JSON.parse(/^(?:data: )?(\{.*\})$/m.exec(text)?.[1] ?? '');
  const shownToModel = error === undefined ? [result.content, result.structuredContent] : error.message;
  expect(error?.code ?? result.isError).not.toBe(-32_603);
  for (const each of textsIn(shownToModel)) expect(each).not.toMatch(UNSAFE_CHARACTERS);
});

test('Names of files have visible characters only, in lists and in Content-Disposition', async () => {
  const upload = await callApi(server.url, 'POST', `/session/${session}/uploads?name=${ENCODED}`, {
    key: started.key,
    body: 'x',
  });
  expect(upload.status).toBe(200);
  expectOneLine(upload.body);
  const chunks = (async function* () {
    yield Buffer.from('x');
  })();
  const file = await started.files.save(
    { sessionId: session, accountId: started.account.id },
    'download',
    HOSTILE,
    chunks,
  );
  const path = `/session/${session}/downloads`;
  expectOneLine((await callApi(server.url, 'GET', path, { key: started.key })).body);
  const { headers } = await callApi(server.url, 'GET', `${path}/${file.id}`, { key: started.key });
  const disposition = headers.get('content-disposition') ?? '';
  expect(disposition).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''[\w.%-]+$/);
  expectOneLine([disposition, decodeURIComponent(disposition)]);
});

test('The account of a token has a name of visible characters, at most 100 of them from the issuer', async () => {
  const accounts = createTokenAccounts(started.store.accounts, started.clock);
  const { name } = await accounts.accountOfSubject('https://issuer.example/', HOSTILE + 'x'.repeat(500));
  expectOneLine(name);
  expect(name.length).toBeLessThan(130);
});

test('The record of a request has only ids as its session, for the log and for traces', () => {
  const record = new RequestRecord('r');
  for (const text of [HOSTILE, started.key]) {
    record.sessionId = text;
    expect(record.sessionId).toBeNull();
  }
  record.sessionId = session;
  expect(record.sessionId).toBe(session);
});

test('The log has no character that a terminal obeys or people cannot see, in JSON and as text', async () => {
  const log = createLog('info', { write: line => void logged.push(line) });
  log.error({ err: new Error(HOSTILE), title: HOSTILE, [HOSTILE]: 1 }, HOSTILE);
  expect(logged.length).toBeGreaterThan(30);
  for (const line of logged) {
    expect(() => JSON.parse(line)).not.toThrow();
    expect(line.trimEnd()).not.toMatch(UNSAFE_CHARACTERS);
    expect(line).not.toMatch(/\\ud83d(?!\\u)/);
  }
  for (const line of shown) expect(stripVTControlCharacters(line)).not.toMatch(UNSAFE_CHARACTERS);
});

test('The metrics have no text of a caller', async () => {
  const { text } = await callApi(server.url, 'GET', '/metrics');
  expect(text).toContain('pagespace_http_requests_total');
  expect(text).not.toContain('zqx');
});

test('The command line prints no character that a terminal obeys, of pages and of failures', async () => {
  await using site = await servePages({
    '/': `<title>${HOSTILE}</title><p>${HOSTILE}</p><a href="/">${HOSTILE}</a>`,
  });
  const { body } = await post('/env/observe', { url: site.url, keep_alive: true });
  const flags = { url: server.url, key: started.key, session: body.session.session_id };
  let printed = '';
  const write = (chunk: unknown): boolean => {
    printed += String(chunk);
    return true;
  };
  const spies = [process.stdout, process.stderr].map(stream =>
    vi.spyOn(stream, 'write').mockImplementation(write),
  );
  try {
    for (const more of [{}, { text: true }, { links: true }, { json: true }])
      await readPage({ ...flags, ...more });
    for (const json of [true, false]) reportFailure(new PagespaceError('INTERNAL', HOSTILE), json);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(printed).toContain('zqx');
  expect(printed).not.toMatch(UNSAFE_CHARACTERS);
  expect(JSON.parse(terminalJson({ a: HOSTILE }))).toEqual({ a: HOSTILE });
});

test('GraphQL lists what the service has stored of these requests in visible characters', async () => {
  const query =
    '{ viewer { account { name keys { name } } } sessions { edges { node { error downloads { name } uploads { name } } } } }';
  const { body } = await callGraphql(server.url, started.key, query);
  expect(body.errors).toBeUndefined();
  expectOneLine(body.data);
});
