import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type ApiResponse, callApi } from '../support/callApi.ts';
import { type OtlpCollector, startOtlpCollector } from '../support/otlpCollector.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { type RunningProgram, runProgram } from './runProgram.ts';

/** Every secret that the service receives contains one of these. None may appear in a log, file or response. */
const MARK = {
  typed: 'mark-typed-1f7',
  typedOverGraphql: 'mark-graphql-2e6',
  typedOverSocket: 'mark-socket-3d5',
  typedNowhere: 'mark-nowhere-4c4',
  pageCookie: 'mark-cookie-5b3',
  pageHeader: 'mark-header-6a2',
  address: 'mark-address-791',
  proxyUser: 'mark-proxyuser-880',
  proxyPassword: 'mark-proxypass-97f',
  badKey: 'mark-badkey-a6e',
  badBody: 'mark-body-b5d',
  badDocument: 'mark-document-c4c',
  badCookie: 'markcookied3b0123456789',
} as const;

const LOGIN = `<title>Sign in</title>
<form method="post" action="/done"><label>Name <input name="n"></label>
<label>Password <input type="password" name="p"></label><button>Go</button></form>
<script>
document.cookie = 'seen=${MARK.pageCookie}';
fetch('/api', { headers: { authorization: 'Bearer ${MARK.pageHeader}' } });
</script>`;

/** The exporter sends spans every 50 ms. */
const SPANS_SENT = { timeout: 60_000, interval: 20 };

const EVERY_QUERY = `{ sessions { edges { node {
  id url pageTitle error tabs { url title } space { markdown actions { value } messages { text } } events { edges { node {
    type
    ... on SessionFailedEvent { failure { detail } } ... on SessionSteppedEvent { action { description } url }
    ... on SessionObservedEvent { url } ... on SessionBlockedEvent { url detail } ... on SessionTabEvent { url }
  } } }
} } } }`;

/** The file with the first key, which the command line of this machine reads. Only its owner can; SECURITY.md says so. */
const LOCAL_KEY = 'key';

let folder: string;
let running: RunningProgram;
let collector: OtlpCollector;
let site: ServedPages;
let key = '';
/** Keys and tokens that the service issued. Only the response that issued one may contain it. */
const given: string[] = [];
/** The responses to callers with a key. They contain what was asked for, but no secret. */
const answers: string[] = [];
/** Credentials that the servers of the pages received. They prove that the secrets were used. */
const arrived: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-secrets-'));
  site = await servePages({
    '/login': (_request, response) => {
      response.setHeader('set-cookie', `session=${MARK.pageCookie}; HttpOnly`).end(LOGIN);
    },
    '/done': (request, response) => {
      request.on('data', chunk => arrived.push(String(chunk)));
      request.on('end', () => response.end('<title>Done</title><h1>Welcome</h1>'));
    },
    '/api': (request, response) => {
      arrived.push(String(request.headers.authorization), String(request.headers.cookie));
      response.end('{}');
    },
    '/basic': (request, response) => {
      const { authorization } = request.headers;
      if (authorization === undefined)
        return void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      arrived.push(Buffer.from(authorization.slice(6), 'base64').toString());
      response.end('<title>In</title><a href="/login">Login</a>');
    },
  });
  collector = await startOtlpCollector();
  running = runProgram(['serve'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    PORT: '0',
    LOG_LEVEL: 'trace',
    PAGESPACE_DATA_DIR: join(folder, 'data'),
    PAGESPACE_WARM_CONTEXTS: '0',
    PAGESPACE_EGRESS_ALLOW: '127.0.0.0/8,localhost',
    ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
  });
  const [, url = ''] = await running.waitForOutput(/listens on (\S+)/);
  [key = ''] = await running.waitForOutput(/^psk_\w+$/m);
  await useAllInterfaces(url);
});
afterAll(async () => {
  running.child.kill('SIGKILL');
  await running.result;
  await collector[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function useAllInterfaces(url: string): Promise<void> {
  const seen = (answer: ApiResponse): ApiResponse => {
    answers.push(answer.text);
    return answer;
  };
  const rest = async (path: string, body: object) =>
    seen(await callApi(url, 'POST', path, { key, body })).body;
  const graphql = async (query: string, variables?: object) =>
    seen(await callApi(url, 'POST', '/graphql', { key, body: { query, variables } })).body;

  // A value typed into a password field, over REST, GraphQL and WebSocket.
  const observed = await rest('/env/observe', { url: `${site.url}/login`, keep_alive: true });
  const session: string = observed.session.session_id;
  const fields: { id: string; description: string }[] = observed.space.actions;
  const password = fields.find(({ description }) => /password/i.test(description))?.id ?? '';
  const type = { session_id: session, action_id: password, value: MARK.typed, idempotency_key: 'k' };
  await rest('/env/step', type);
  await rest('/env/step', { ...type, idempotency_key: 'another' });
  const STEP = `mutation ($input: StepInput!) { step(input: $input) { space { markdown actions { value description } } } }`;
  const input = { sessionId: session, actionId: password };
  await graphql(STEP, { input: { ...input, value: MARK.typedOverGraphql } });
  await graphql(
    `mutation { step(input: {sessionId: "${session}", actionId: "${password}", value: "${MARK.typedOverGraphql}"}) { space { markdown } } }`,
  );
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${key}` },
  });
  const variables = { input: { ...input, value: MARK.typedOverSocket } };
  answers.push(JSON.stringify((await client.iterate({ query: STEP, variables }).next()).value));
  await client.dispose();
  await rest('/env/step', { session_id: session, action_id: 'I99', value: MARK.typedNowhere });
  await rest('/env/step', {
    session_id: '0b4a7c5e-0000-4000-8000-000000000000',
    action_id: 'I1',
    value: MARK.typedNowhere,
  });
  await rest('/env/scrape', { session_id: session, only_main_content: false, scrape_images: true });
  const go = fields.find(({ description }) => /\bGo\b/.test(description))?.id;
  await rest('/env/step', { session_id: session, action_id: go });

  // A user name and password in a URL, and of a proxy.
  const secret = site.url.replace('//', `//me:${MARK.address}@`);
  await rest('/env/observe', { session_id: session, url: `${secret}/basic` });
  await rest('/env/scrape', { session_id: session, url: `${secret}/nothing` });
  await rest('/env/observe', { session_id: session, url: `http://me:${MARK.address}@127.0.0.1:1/` });
  await rest('/env/observe', { session_id: session, url: `http://me:${MARK.address}@10.0.0.1/` });
  const proxy = { server: 'http://127.0.0.1:1', username: MARK.proxyUser, password: MARK.proxyPassword };
  const proxied = await rest('/session/start', { proxy });
  await rest('/env/observe', { session_id: proxied.session_id, url: 'http://198.51.100.7/' });
  await rest('/session/start', { proxy: { ...proxy, server: 'http://10.0.0.1' } });

  // Every query.
  const { errors } = await graphql(EVERY_QUERY);
  expect(errors).toBeUndefined();
  for (const path of ['/sessions', `/session/${session}`, '/account/ledger.csv', '/metrics'])
    seen(await callApi(url, 'GET', path, { key }));

  // Rejected requests: a response may repeat the request, the log may not.
  for (const path of ['/env/step', '/graphql', '/wallet/sign-in'])
    await callApi(url, 'POST', path, { key, body: `{"a": "${MARK.badBody}`, headers: { origin: url } });
  await callApi(url, 'POST', '/env/step', { key, body: { [MARK.badBody]: MARK.badBody } });
  await callApi(url, 'POST', '/graphql', { key, body: { query: `{ viewer(a: "${MARK.badDocument}" }` } });
  await callApi(url, 'POST', '/graphql', {
    key,
    body: { query: `{ ${MARK.badDocument.replaceAll('-', '_')} }` },
  });
  for (const headers of [
    { authorization: `Bearer psk_${MARK.badKey}` },
    { authorization: `Basic ${MARK.badKey}` },
    { cookie: `pagespace_visit=${MARK.badCookie}`, origin: url },
  ])
    seen(await callApi(url, 'POST', '/graphql', { body: { query: '{ viewer { keyId } }' }, headers }));
  const refused = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer psk_${MARK.badKey}` },
  });
  await refused
    .iterate({ query: '{ viewer { keyId } }' })
    .next()
    .catch(() => undefined);

  // Keys and web sessions that the service issues, and a key in the wrong place.
  given.push(key);
  const MAKE = 'mutation { createApiKey(input: {name: "k"}) { key } }';
  const made = await callApi(url, 'POST', '/graphql', { key, body: { query: MAKE } });
  given.push(made.body.data.createApiKey.key);
  const wallet = privateKeyToAccount(generatePrivateKey());
  const ask = (path: string, body: object) => callApi(url, 'POST', path, { body, headers: { origin: url } });
  const { message } = (await ask('/wallet/challenge', { address: wallet.address })).body;
  const signature = await wallet.signMessage({ message });
  const cookie = (await ask('/wallet/sign-in', { message, signature })).headers.get('set-cookie') ?? '';
  given.push(/=([\w-]{43});/.exec(cookie)?.[1] ?? 'no web session');
  seen(
    await callApi(url, 'GET', `/session/${key}?key=${key}`, { headers: { 'user-agent': key, referer: key } }),
  );
  await callApi(url, 'GET', '/health', { headers: { 'x-request-id': key } });
  for (const session_id of [key, `psk_${MARK.badKey}`]) {
    await callApi(url, 'POST', '/env/observe', { key, body: { session_id } });
    const query = `mutation { closeSession(input: {sessionId: "${session_id}"}) { id } }`;
    await callApi(url, 'POST', '/graphql', { key, body: { query } });
  }
  seen(await callApi(url, 'GET', '/sessions', { key: given[1] ?? null }));
  await vi.waitFor(() => expect(collector.named('GET /sessions').length).toBeGreaterThan(1), SPANS_SENT);
}

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && entry.name !== LOCAL_KEY)
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}

test('The secrets reached the pages and proxies they were for', () => {
  const all = arrived.join('\n');
  for (const mark of [MARK.typedOverSocket, MARK.pageCookie, MARK.pageHeader, MARK.address])
    expect(all).toContain(mark);
  expect(given).toEqual([
    expect.stringMatching(/^psk_/),
    expect.stringMatching(/^psk_/),
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
});

describe.each(Object.entries(MARK))('The secret %s', (_what, mark) => {
  test('is in no line of the log at level trace', () => {
    expect(running.err()).toContain('/graphql');
    expect(running.err()).not.toContain(mark);
    expect(running.out()).not.toContain(mark);
  });

  test('is in no file of the data folder', () => {
    const files = filesIn(join(folder, 'data'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(text => text.includes(mark))).toEqual([]);
  });

  test('is in no span', () => {
    expect(collector.named('session.step').length).toBeGreaterThan(2);
    expect(JSON.stringify(collector.spans)).not.toContain(mark);
  });

  test('is in no response', () => {
    expect(answers.filter(text => text.includes(mark))).toEqual([]);
  });
});

test('A key or cookie that was issued is in no log, no span, no file and no later response', () => {
  for (const secret of given) {
    expect(running.err()).not.toContain(secret);
    expect(JSON.stringify(collector.spans)).not.toContain(secret);
    for (const text of filesIn(join(folder, 'data'))) expect(text).not.toContain(secret);
    for (const text of answers) expect(text).not.toContain(secret);
  }
});
