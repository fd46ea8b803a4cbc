/** The console and the requests of a session: over GraphQL and REST, live and after the end, without secrets; and the exports of a session. */
import { Ajv } from 'ajv';
// @ts-expect-error the package has no types
import harSchemas from 'har-schema';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { overSocket } from '../../support/subscribe.ts';

const HOME = `<title>Log</title><h1>Log</h1>
  <label>Password <input type="password"></label>
  <button onclick="console.log('typed', document.querySelector('input').value); fetch('/found?q=' + document.querySelector('input').value)">Tell</button>
  <img src="/dot"><iframe src="FRAME"></iframe>
  <script>
    console.log('%s has %d items', 'Cart', 3, { a: 1, b: ['x'] });
    console.warn('careful');
    console.debug('detail');
    fetch('/gone');
    fetch('/moved?access_token=abc123&page=2');
    fetch('http://10.1.2.3/private').catch(() => {});
    new Worker('/worker.js');
    new SharedWorker('/worker.js?shared');
    navigator.serviceWorker.register('/worker.js?service');
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
    setTimeout(() => { throw new Error('nobody caught this') });
  </script>`;
const WORKER = `const kind = location.search; console.log('in the worker' + kind); fetch('/found?from=worker' + kind);
  setTimeout(() => { throw new Error('the worker broke' + kind) })`;
const FRAME = `<title>Frame</title><button onclick="console.error('the frame refuses'); throw new Error('broken')">Fail</button><script>console.info('in the frame'); fetch('/found?from=frame')</script>`;

let product: TestProduct;
let pages: ServedPages;
let id: string;

const rest = (method: string, path: string, body?: object) =>
  callApi(product.url, method, path, { key: product.key, ...(body && { body }) });
const graphql = async (query: string, variables: object = {}) =>
  (await callGraphql(product.url, product.key, query, variables)).body;

const CONSOLE = `query ($id: ID!) { session(id: $id) { pageLog console(first: 100) {
  edges { cursor node { number tabId level text url line at } } pageInfo { hasNextPage } } } }`;
const NETWORK = `query ($id: ID!) { session(id: $id) { network(first: 100) { edges { node {
  number method url resourceType status mimeType bytes durationMs servedBy redirectUrl error blockedReason timing { wait receive } } } } } }`;

interface Request {
  readonly url: string;
  readonly resourceType: string;
}
const consoleOf = async (session: string) =>
  (await graphql(CONSOLE, { id: session })).data.session.console.edges.map(
    (edge: { node: { text: string } }) => edge.node,
  );
const networkOf = async (session: string): Promise<Request[]> =>
  (await graphql(NETWORK, { id: session })).data.session.network.edges.map(
    (edge: { node: Request }) => edge.node,
  );

beforeAll(async () => {
  let url = '';
  pages = await servePages(
    {
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(HOME.replace('FRAME', `${pages.otherOrigin}/frame`));
      },
      '/frame': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'origin-agent-cluster': '?1' });
        response.end(FRAME);
      },
      '/framed': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<title>Framed</title><iframe src="${pages.otherOrigin}/frame"></iframe>`);
      },
      '/found': 'found',
      '/worker.js': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end(WORKER);
      },
      '/moved': (_request, response) => {
        response.writeHead(302, { location: '/found' });
        response.end();
      },
      '/dot': (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(
          Buffer.from(
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
            'base64',
          ),
        );
      },
    },
    socket => socket.close(),
  );
  url = pages.url;
  product = await startTestProduct();
  id = (await rest('POST', '/session/start', { name: 'A *run*' })).body.session_id;
  const { space } = (await rest('POST', '/env/observe', { session_id: id, url: `${url}/` })).body;
  const idOf = (name: string) => space.actions.find((action: { name: string }) => action.name === name).id;
  await rest('POST', '/env/step', { session_id: id, action_id: idOf('Password'), value: 'hunter2-secret' });
  await rest('POST', '/env/step', { session_id: id, action_id: idOf('Tell') });
  // What a page tells at last may come after the answer.
  await vi.waitFor(
    async () => {
      const told = JSON.stringify([await consoleOf(id), await networkOf(id)]);
      const ofWorkers = ['"', '?shared', '?service'].flatMap(kind => [
        `in the worker${kind}`,
        `from=worker${kind}`,
        `the worker broke${kind === '"' ? '' : kind}`,
      ]);
      for (const part of [...ofWorkers, '10.1.2.3', 'q=']) expect(told).toContain(part);
    },
    { timeout: 60_000, interval: 100 },
  );
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

it('has the console of the page, of its workers of each kind and of its frame, with exceptions', async () => {
  const messages = await consoleOf(id);
  const expected: [string, RegExp][] = [
    ['LOG', /^Cart has 3 items \{a: 1, b: Array\(1\)\}$/],
    ['WARNING', /^careful$/],
    ['DEBUG', /^detail$/],
    ['INFO', /^in the frame$/],
    ['LOG', /^in the worker$/],
    ['LOG', /^in the worker\?shared$/],
    ['LOG', /^in the worker\?service$/],
    ['EXCEPTION', /Uncaught.*the worker broke\?shared/],
    ['EXCEPTION', /Uncaught.*nobody caught this/],
    ['EXCEPTION', /Uncaught.*the worker broke/],
    ['ERROR', /404/],
  ];
  for (const [level, text] of expected)
    expect(messages).toContainEqual(expect.objectContaining({ level, text: expect.stringMatching(text) }));
  expect(messages.map(({ number }: { number: number }) => number)).toEqual(
    messages.map((_: unknown, i: number) => i + 1),
  );
  expect(messages[0]).toMatchObject({ tabId: 'T1', line: expect.any(Number) });
});

it('has the requests with status, type, size, times, and why they were blocked', async () => {
  const requests = await networkOf(id);
  const at = (path: string) => ({ url: `${pages.url}${path}` });
  const has = (fields: object) => expect(requests).toContainEqual(expect.objectContaining(fields));
  has({
    ...at('/'),
    method: 'GET',
    resourceType: 'document',
    status: 200,
    mimeType: 'text/html',
    servedBy: 'NETWORK',
  });
  has({
    ...at('/gone'),
    resourceType: 'fetch',
    status: 404,
    bytes: expect.any(Number),
    durationMs: expect.any(Number),
  });
  has({ ...at('/moved?access_token=••••••••&page=2'), status: 302, redirectUrl: `${pages.url}/found` });
  has({
    ...at('/dot'),
    resourceType: 'image',
    status: 200,
    timing: { wait: expect.any(Number), receive: expect.any(Number) },
  });
  for (const kind of ['', '?shared', '?service']) has({ ...at(`/found?from=worker${kind}`), status: 200 });
  has({ url: `${pages.otherOrigin}/found?from=frame`, status: 200 });
  has({ url: expect.stringMatching(/^ws:.*\/socket$/), resourceType: 'websocket', status: 101 });
  has({
    url: 'http://10.1.2.3/private',
    status: null,
    error: expect.any(String),
    blockedReason: expect.stringContaining('10.1.2.3'),
  });
});

it('counts the errors of a frame with a process of its own in the console line of a step', async () => {
  const { session_id } = (await rest('POST', '/session/start', {})).body;
  const { space } = (await rest('POST', '/env/observe', { session_id, url: `${pages.url}/framed` })).body;
  const [{ id: action_id }] = space.actions;
  const stepped = (await rest('POST', '/env/step', { session_id, action_id })).body;
  expect(stepped.space.console).toMatchObject({ errors: 2, first: 'the frame refuses' });
  await rest('POST', '/session/close', { session_id });
});

it('tells no secret, over any interface', async () => {
  const answers = await Promise.all([
    graphql(CONSOLE, { id }),
    graphql(NETWORK, { id }),
    ...['console', 'network', 'export?format=json', 'export?format=har', 'export'].map(
      async path => (await rest('GET', `/session/${id}/${path}`)).text,
    ),
  ]);
  const text = JSON.stringify(answers);
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain('abc123');
  expect(text).toContain('typed ••••••••');
  expect(text).toContain('/found?q=••••••••');
});

it('is listed over REST page by page, and over subscriptions from a number on', async () => {
  const { body } = await rest('GET', `/session/${id}/console?limit=2`);
  expect(body).toMatchObject({ console: [{ number: 1, tab_id: 'T1' }, { number: 2 }], next_after: 2 });
  const { network } = (await rest('GET', `/session/${id}/network?after=1&limit=1`)).body;
  expect(network).toMatchObject([{ number: 2, served_by: expect.any(String) }]);
  const watch = `subscription ($id: ID!) { consoleMessages(sessionId: $id, after: 2) { number } }`;
  for await (const { data } of overSocket(product, watch, { id })) {
    expect(data.consoleMessages.number).toBe(3);
    break;
  }
});

it('is the same after the end of the session; a subscription that waits gets the rest and ends', async () => {
  const query = `subscription ($id: ID!) { networkRequests(sessionId: $id) { number } }`;
  const live: number[] = [];
  const before = await consoleOf(id);
  const count = (await networkOf(id)).length;
  for await (const { data } of overSocket(product, query, { id })) {
    live.push(data.networkRequests.number);
    if (live.length === count) await rest('POST', '/session/close', { session_id: id });
  }
  expect(live.slice(0, count)).toEqual(live.slice(0, count).map((_, i) => i + 1));
  expect(await consoleOf(id)).toEqual(before);
  const [page] = (await rest('GET', `/session/${id}/console?after=3&limit=1`)).body.console;
  expect(page.number).toBe(4);
});

it('is exported as valid HAR 1.2, as JSON and as Markdown, also by a signed address', async () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const schema of Object.values(harSchemas as Record<string, object>)) {
    const { $schema: _, ...rules } = schema as { $schema?: string };
    ajv.addSchema(rules);
  }
  const link = async (format: string): Promise<Response> => {
    const query = `query ($id: ID!, $format: ExportFormat!) { session(id: $id) { exportUrl(format: $format) } }`;
    return fetch(product.url + (await graphql(query, { id, format })).data.session.exportUrl);
  };
  const har = (await (await link('HAR')).json()) as { log: { entries: unknown[] } };
  expect(ajv.validate('har.json#', har), ajv.errorsText()).toBe(true);
  expect(har.log.entries.length).toBeGreaterThan(8);

  const json = (await (await link('JSON')).json()) as Record<string, unknown[]>;
  expect(json).toMatchObject({
    session: { session_id: id, name: 'A *run*' },
    events: expect.arrayContaining([expect.objectContaining({ type: 'stepped', action_id: 'B1' })]),
  });
  const { headers, text } = await rest('GET', `/session/${id}/export`);
  expect(headers.get('content-disposition')).toContain(`session-${id}.md`);
  expect(text).toContain('# A \\*run\\*');
  expect(text).toMatch(/^\d+\. .* opened `http/m);
  expect(text).toContain('## Errors in the console');
  expect(text).toContain('value `••••••••`');
});

it('is off by the setting of the key', async () => {
  const create = `mutation { createApiKey(input: { name: "quiet", pageLog: false, record: STEPS }) { key apiKey { pageLog record } } }`;
  const { key, apiKey } = (await graphql(create)).data.createApiKey;
  expect(apiKey).toEqual({ pageLog: false, record: 'STEPS' });
  const call = async (path: string, body: object) =>
    (await callApi(product.url, 'POST', path, { key, body })).body;
  const { session_id, record } = await call('/session/start', {});
  expect(record).toBe('steps');
  await call('/env/observe', { session_id, url: `${pages.url}/frame` });
  await call('/session/close', { session_id });
  const { data } = await graphql(CONSOLE, { id: session_id });
  expect(data.session).toMatchObject({ pageLog: false, console: { edges: [] } });
  expect(await networkOf(session_id)).toEqual([]);
});
