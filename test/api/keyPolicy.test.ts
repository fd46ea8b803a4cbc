import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callApi, callGraphql } from '../support/callApi.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

/** The ways in which a page of the allowed host reaches for another: `to` is the address. */
const WAYS = (
  to: string,
): string => `<title>Ways</title><img src="${to}/image"><iframe src="${to}/frame"></iframe>
  <link rel=preconnect href="${to}"><link rel=dns-prefetch href="${to}"><link rel=prefetch href="${to}/prefetch">
  <link rel=stylesheet href="${to}/style"><script src="${to}/script"></script>
  <iframe src="/redirect"></iframe><script type=speculationrules>{"prefetch": [{"urls": ["${to}/speculation"]}]}</script>
  <script>const to = '${to}';
  fetch(to + '/fetch', { mode: 'no-cors' }).catch(() => {}); navigator.sendBeacon(to + '/beacon', 'a'); open(to + '/popup');
  new WebSocket(to.replace('http', 'ws') + '/socket'); new EventSource(to + '/events');
  const code = "fetch('" + to + "/worker', { mode: 'no-cors' }).catch(() => {})";
  new Worker(URL.createObjectURL(new Blob([code]))); new SharedWorker(URL.createObjectURL(new Blob([code])));
  new RTCPeerConnection({ iceServers: [{ urls: 'turn:' + new URL(to).host + '?transport=tcp', username: 'a', credential: 'b' }] }).createDataChannel('a');
  </script>`;

let product: TestProduct;
let pages: ServedPages;
let port: string;
const received: string[] = [];
/** Lets the page answer that is asked for. */
const slow = Promise.withResolvers<() => void>();
const at = (host: string): string => `http://${host}:${port}`;

beforeAll(async () => {
  pages = await servePages(
    {
      '/ways': (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(WAYS(at('denied.localhost'))),
      '/redirect': (_, response) =>
        response.writeHead(302, { location: `${at('denied.localhost')}/redirected` }).end(),
      '/form': `<title>Form</title><form method=post action=/sent><label>Name <input name=n></label><button>Send</button></form>
        <button onclick="fetch('/sent', { method: 'POST' })">Script</button><input type=file aria-label=File>
        <a href=/file download>File</a><p>Done</p>`,
      '/file': 'contents',
      '/slow': (_, response) => {
        slow.resolve(() => response.end('<title>Slow</title>'));
      },
      '/sent': (request, response) => {
        received.push(`${request.method} ${request.headers.host} /sent`);
        response.end();
      },
      '*': (request, response) => {
        received.push(`${request.method} ${request.headers.host}`);
        response.end('<title>Other</title>');
      },
    },
    () => received.push('socket'),
  );
  port = new URL(pages.url).port;
  product = await startTestProduct();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

async function keyWith(policy: object): Promise<{ readonly id: string; readonly key: string }> {
  const create = `mutation ($policy: KeyPolicyInput) { createApiKey(input: { name: "agent", policy: $policy }) { key apiKey { id policy { denySteps } } } }`;
  const { body } = await callGraphql(product.url, product.key, create, { policy });
  const { key, apiKey } = body.data.createApiKey;
  return { key, id: apiKey.id };
}

const post = async (key: string, path: string, body: object) =>
  (await callApi(product.url, 'POST', path, { key, body })).body;

async function open(key: string, path: string) {
  const body = await post(key, '/env/observe', {
    url: `${at('allowed.localhost')}${path}`,
    keep_alive: true,
  });
  const session_id: string = body.session?.session_id;
  const idOf = (name: string): string | undefined =>
    body.space.actions.find((action: { name: string }) => action.name === name)?.id;
  return { body, session_id, idOf };
}

describe('The policy of a key', () => {
  test('keeps a host from every way of a page, and each session lists what was refused', async () => {
    const { key } = await keyWith({ allowHosts: ['ALLOWED.localhost.'] });
    const { body, session_id } = await open(key, '/ways');
    expect(body.code).toBeUndefined();
    for (const url of [
      `${at('denied.localhost')}/goto`,
      `${at('denied.localhost.')}/goto`,
      `${at('127.0.0.1')}/goto`,
    ])
      expect(await post(key, '/env/observe', { session_id, url }), url).toMatchObject({
        status: 403,
        code: 'POLICY_REFUSED',
      });
    const redirected = await post(key, '/env/observe', {
      session_id,
      url: `${at('allowed.localhost')}/redirect`,
    });
    expect(redirected.code).toBe('URL_BLOCKED');
    expect(redirected.detail).toContain('the policy of the API key does not allow the host denied.localhost');
    await vi.waitFor(async () => {
      const { body: log } = await callGraphql(
        product.url,
        key,
        `{ session(id: "${session_id}") { events(first: 50) { edges { node { ... on SessionBlockedEvent { url detail } } } } } }`,
      );
      expect(JSON.stringify(log)).toContain('does not allow the host denied.localhost');
    }, 20_000);
    expect(received.filter(line => line.includes('denied') || line === 'socket')).toEqual([]);
    await post(key, '/session/close', { session_id });
  });

  test('that forbids the first address refuses the start, and leaves nothing behind', async () => {
    const { key } = await keyWith({ denyHosts: ['*.localhost'] });
    const count = async () =>
      (await callApi(product.url, 'GET', '/sessions?limit=100', { key })).body.sessions.length;
    const before = await count();
    const url = `${at('allowed.localhost')}/form`;
    expect(await post(key, '/session/start', { url })).toMatchObject({ code: 'POLICY_REFUSED' });
    const withoutScheme = { url: `allowed.localhost.:${port}/form` };
    expect(await post(key, '/session/start', withoutScheme)).toMatchObject({ code: 'POLICY_REFUSED' });
    const proxy = { server: `http://${new URL(pages.url).host}` };
    expect(await post(key, '/session/start', { proxy })).toMatchObject({
      code: 'POLICY_REFUSED',
      detail: expect.stringContaining('allowHosts must name it'),
    });
    expect(await post(key, '/env/scrape', { url })).toMatchObject({ code: 'POLICY_REFUSED' });
    expect(
      await post(key, '/session/start', { profile: { name: 'shop', mode: 'write' }, url }),
    ).toMatchObject({
      code: 'POLICY_REFUSED',
    });
    expect(await count()).toBe(before);
    expect(product.started.browsers.sessionCount).toBe(0);
  });

  test('refuses steps of a kind, and a form sends nothing', async () => {
    const { key } = await keyWith({ denySteps: ['SUBMIT', 'UPLOAD', 'DOWNLOAD', 'VAULT'] });
    const { session_id, idOf } = await open(key, '/form');
    const step = (action_id: string | undefined, more: object = {}) =>
      post(key, '/env/step', { session_id, action_id, ...more });
    expect((await step(idOf('Send'))).code).toBe('POLICY_REFUSED');
    expect((await step(idOf('Name'), { value: 'Ann', enter: true })).code).toBe('POLICY_REFUSED');
    expect((await step('S11', { value: 'Enter' })).code).toBe('POLICY_REFUSED');
    expect((await step('S21', { value: idOf('Send') })).code).toBe('POLICY_REFUSED');
    for (const [action_id, value] of [
      ['S11', 'Space'],
      ['S21', '@10,10'],
      ['S17', `U1->${idOf('Send')}`],
      ['S23', 'a b'],
    ])
      expect((await step(action_id, { value })).code, `${action_id} ${value}`).toBe('POLICY_REFUSED');
    expect((await step(idOf('File'), { value: 'U1' })).code).toBe('POLICY_REFUSED');
    expect((await step(idOf('Name'), { value: 'Ann' })).code).toBeUndefined();
    // A script that sends nevertheless is refused by its method.
    expect((await step(idOf('Script'))).code).toBeUndefined();
    const upload = await callApi(product.url, 'POST', `/session/${session_id}/uploads?name=a`, {
      key,
      body: {},
    });
    expect(upload.body.code).toBe('POLICY_REFUSED');
    const blocked = async () => {
      const query = `{ session(id: "${session_id}") { events(first: 50) { edges { node { ... on SessionBlockedEvent { detail } } } } } }`;
      return JSON.stringify((await callGraphql(product.url, key, query)).body);
    };
    // On a busy machine the proxy refuses the request after the answer of the step.
    await expect.poll(blocked).toContain('does not allow the method POST');
    expect(received.filter(line => line.includes('/sent'))).toEqual([]);
    await post(key, '/session/close', { session_id });
  });

  test('for reading opens and reads pages only', async () => {
    const { key } = await keyWith({ denySteps: ['WRITE'] });
    const { session_id, idOf } = await open(key, '/form');
    const step = async (action_id: string | undefined, more: object = {}) =>
      (await post(key, '/env/step', { session_id, action_id, ...more })).code;
    expect(await step(idOf('Name'), { value: 'Ann' })).toBe('POLICY_REFUSED');
    expect(await step('S11', { value: 'Tab' })).toBe('POLICY_REFUSED');
    expect(await step('S9')).toBeUndefined();
    await post(key, '/session/close', { session_id });
  });

  test('names profiles and vault entries, and holds in the sessions of its key only', async () => {
    const { key, id } = await keyWith({ profiles: ['shop'], vaultEntries: ['shop'] });
    expect((await post(key, '/session/start', { profile: { name: 'bank' } })).code).toBe('POLICY_REFUSED');
    expect((await post(key, '/session/start', { profile: { name: 'shop' } })).code).toBe('PROFILE_NOT_FOUND');
    const { session_id, idOf } = await open(key, '/form');
    const value = '{{vault.bank.password}}';
    expect((await post(key, '/env/step', { session_id, action_id: idOf('Name'), value })).code).toBe(
      'POLICY_REFUSED',
    );
    const other = await open(product.key, '/form');
    expect((await post(key, '/env/observe', { session_id: other.session_id })).code).toBe('POLICY_REFUSED');
    expect((await post(key, '/session/close', { session_id: other.session_id })).code).toBe('POLICY_REFUSED');
    // A changed policy holds for the next step.
    const change = `mutation ($id: ID!, $policy: KeyPolicyInput) { setKeyPolicy(id: $id, policy: $policy) { policy { denySteps } } }`;
    await callGraphql(product.url, product.key, change, { id, policy: { denySteps: ['WRITE'] } });
    const typed = await post(key, '/env/step', { session_id, action_id: idOf('Name'), value: 'Ann' });
    expect(typed.code).toBe('POLICY_REFUSED');
    // Also for one that waits for its turn meanwhile.
    await callGraphql(product.url, product.key, change, { id, policy: {} });
    const opening = post(key, '/env/observe', { session_id, url: `${at('allowed.localhost')}/slow` });
    const answer = await slow.promise;
    const step = vi.spyOn(product.started.service, 'step');
    const waiting = post(key, '/env/step', { session_id, action_id: 'S11', value: 'Tab' });
    await vi.waitFor(() => expect(step).toHaveBeenCalled(), 20_000);
    step.mockRestore();
    await callGraphql(product.url, product.key, change, { id, policy: { denySteps: ['WRITE'] } });
    answer();
    expect((await opening).code).toBeUndefined();
    expect((await waiting).code).toBe('POLICY_REFUSED');
    for (const each of [session_id, other.session_id])
      await post(product.key, '/session/close', { session_id: each });
  });

  test('has budgets a day, and none for a key that manages keys', async () => {
    const { key } = await keyWith({ minutesPerDay: 1 });
    const { keyUsageOnDay } = product.started.store.ledger;
    const spy = vi.spyOn(product.started.store.ledger, 'keyUsageOnDay');
    expect((await post(key, '/session/start', {})).session_id).toEqual(expect.any(String));
    spy.mockResolvedValue({ browserMs: 60_000, amountMicros: 0 });
    expect((await post(key, '/session/start', {})).code).toBe('QUOTA_EXHAUSTED');
    spy.mockRestore();
    expect(product.started.store.ledger.keyUsageOnDay).toBe(keyUsageOnDay);
    const admin = `mutation { createApiKey(input: { name: "a", scopes: [ADMIN], policy: { methods: ["GET"] } }) { key } }`;
    const { body } = await callGraphql(product.url, product.key, admin);
    expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
  });
});
