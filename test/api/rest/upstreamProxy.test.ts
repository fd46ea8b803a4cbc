import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startProxy } from '../../support/proxyServer.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let pages: ServedPages;
let isThere: URL;
beforeAll(async () => {
  pages = await servePages({ '/': '<title>Through</title><p>Through</p><script>fetch("/more")</script>' });
  isThere = new URL(pages.url);
  product = await startTestProduct();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const post = (path: string, body: unknown) => callApi(product.url, 'POST', path, { key: product.key, body });
const startWith = (proxy: unknown) => post('/session/start', { proxy });

describe('A session that is started with a proxy', () => {
  test('loads its pages through the proxy', async () => {
    await using proxy = await startProxy({ requiredCredentials: 'ann:s3cret' });
    const { body: session } = await startWith({
      server: proxy.server,
      username: 'ann',
      password: 's3cret',
    });
    const { session_id } = session;
    const seen = await post('/env/observe', { session_id, url: pages.url });
    expect(seen.body.metadata).toMatchObject({ title: 'Through', http_status: 200 });
    expect(new Set(proxy.targets)).toEqual(new Set([`127.0.0.1:${isThere.port}`]));
    await post('/session/close', { session_id });
  });

  test('does not affect other sessions', async () => {
    await using proxy = await startProxy();
    await startWith({ server: proxy.server });
    const other = await post('/env/observe', { url: pages.url });
    expect(other.body.metadata.title).toBe('Through');
    expect(proxy.targets).toEqual([]);
  });

  test('gets NAVIGATION_FAILED when the proxy cannot be reached', async () => {
    const { server, ...proxy } = await startProxy();
    await proxy[Symbol.asyncDispose]();
    const { body: session } = await startWith({ server });
    const seen = await post('/env/observe', { session_id: session.session_id, url: pages.url });
    expect(seen).toMatchObject({
      status: 502,
      body: {
        code: 'NAVIGATION_FAILED',
        detail: `"${pages.url}/" could not be opened: the session's proxy ${server} cannot be reached.`,
      },
    });
  });

  test('cannot reach blocked addresses through the proxy', async () => {
    await using proxy = await startProxy();
    const { body: session } = await startWith({ server: proxy.server });
    const seen = await post('/env/observe', {
      session_id: session.session_id,
      url: 'http://169.254.169.254/latest/meta-data/',
    });
    expect(seen).toMatchObject({ status: 403, body: { code: 'URL_BLOCKED' } });
    expect(proxy.targets).toEqual([]);
  });

  test.each(['http://10.0.0.1:3128', 'socks5://192.168.1.1:1080', 'http://127.0.0.1:6379'])(
    'is refused when the proxy %s has a blocked address, and holds no capacity',
    async server => {
      const held = product.started.browsers.sessionCount;
      expect(await startWith({ server, username: 'ann', password: 's3cret' })).toMatchObject({
        status: 403,
        body: { code: 'URL_BLOCKED', detail: expect.stringContaining(server) },
      });
      expect(product.started.browsers.sessionCount).toBe(held);
    },
  );

  test.each([
    [{ server: 'proxy.example:3128' }, 'proxy.server', /http, https or socks5/],
    [{ server: 'http://ann:pw@proxy.example' }, 'proxy.server', /without user name/],
    [{ server: 'http://proxy.example', username: 'a:b' }, 'proxy.username', /colon/],
    [{ server: 'http://proxy.example', username: 'a\r\nx: y' }, 'proxy.username', /control/],
    [{ server: 'http://proxy.example', password: 'x' }, 'proxy.password', /needs username/],
    [{ server: 'http://proxy.example', bypass: '*' }, 'proxy.bypass', /not a field/],
    [{}, 'proxy.server', /required/],
  ])('is refused with the proxy %j, and the failure names the field', async (proxy, path, message) => {
    expect(await startWith(proxy)).toMatchObject({
      status: 422,
      body: {
        code: 'VALIDATION_ERROR',
        errors: [{ path, message: expect.stringMatching(message) }],
      },
    });
  });

  test('works over GraphQL too', async () => {
    await using proxy = await startProxy();
    const start = 'mutation ($input: StartSessionInput!) { startSession(input: $input) { id } }';
    const started = await callGraphql(product.url, product.key, start, {
      input: { proxy: { server: proxy.server } },
    });
    const observe = 'mutation ($input: ObserveInput!) { observe(input: $input) { metadata { title } } }';
    const { body } = await callGraphql(product.url, product.key, observe, {
      input: { sessionId: started.body.data.startSession.id, url: pages.url },
    });
    expect(body.data.observe.metadata.title).toBe('Through');
    expect(proxy.targets).not.toEqual([]);
    const alone = await callGraphql(product.url, product.key, start, {
      input: { proxy: { server: proxy.server, password: 'x' } },
    });
    expect(alone.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('has no user name or password in responses, events or the log', async () => {
    await using proxy = await startProxy({ requiredCredentials: 'ann:other' });
    const credentials = { username: 'ann-the-user', password: 's3cret-w0rd' };
    const { text, body } = await startWith({ server: proxy.server, ...credentials });
    const seen = await post('/env/observe', { session_id: body.session_id, url: pages.url });
    expect(seen.body.detail).toMatch(/did not accept the user name and password/);
    const events = await product.started.service.events(product.started.viewer, body.session_id, 0, 100);
    const outputs = [text, seen.text, JSON.stringify([events, product.logLines, product.started.warnings])];
    for (const secret of Object.values(credentials)) expect(outputs.join()).not.toContain(secret);
  });
});
