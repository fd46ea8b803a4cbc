import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callApi, callGraphql } from '../support/callApi.ts';
import { plainClient } from '../support/mcpClients.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

let product: TestProduct;
let pages: ServedPages;
/** The headers of the last request to a path, by host and path. */
const headersOf = new Map<string, IncomingHttpHeaders>();

/** The fields that each global scope reads of itself. */
const SAID = `userAgent: navigator.userAgent, appVersion: navigator.appVersion,
  brands: (navigator.userAgentData?.brands ?? []).map(({ brand }) => brand), platform: navigator.platform,
  languages: navigator.languages, number: (1234.5).toLocaleString(),
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,`;

/** Shows what the page, a worker and a popup read, as JSON in its own text. */
const PROBE = `<title>Probe</title><pre id=out></pre><a href="/popup" target="_blank">Popup</a><script>
const read = async () => ({
  size: [innerWidth, innerHeight], touch: navigator.maxTouchPoints, scale: devicePixelRatio,
  ${SAID}
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  place: await new Promise(done => navigator.geolocation.getCurrentPosition(
    ({ coords }) => done([coords.latitude, coords.longitude]), ({ code }) => done(code))),
  camera: (await navigator.permissions.query({ name: 'camera' })).state, cookie: document.cookie, stored: localStorage.getItem('cart'),
});
const ask = path => new Promise(done => {
  const worker = new Worker(path);
  worker.onmessage = ({ data }) => done(data);
});
(async () => {
  const [page, worker] = [await read(), await ask('/worker.js')];
  await fetch('/data').catch(() => {});
  out.textContent = JSON.stringify({ page, worker });
})();
</script>`;
const WORKER = `(async () => {
  await fetch('/worker-data');
  postMessage({
    ${SAID}
  });
})()`;
/** Asks a shared worker and a service worker, and shows what they say as the probe does. */
const WORKERS = `<title>Workers</title><pre id=out></pre><script>(async () => {
  const worker = new SharedWorker('/shared.js'), shared = await new Promise(done => { worker.port.onmessage = ({ data }) => done(data) });
  const { installing, waiting, active } = await navigator.serviceWorker.register('/service/worker.js');
  const { port1, port2 } = new MessageChannel();
  (installing ?? waiting ?? active).postMessage('read', [port2]);
  const service = await new Promise(done => { port1.onmessage = ({ data }) => done(data) });
  out.textContent = JSON.stringify({ page: 'page', shared, service });
})()</script>`;
const SHARED = `const said = { ${SAID} }; onconnect = async ({ ports: [port] }) => { await fetch('/shared-data'); port.postMessage(said); }`;
const SERVICE = `const said = { ${SAID} }; onmessage = async ({ ports: [port] }) => { await fetch('/service-data'); port.postMessage(said); }`;

/** Reaches for hosts of the lists, and for one of none, in every way: PORT is that of the pages. */
const LISTS = `<title>Lists</title><script>
  const port = location.port, at = (host, path) => 'http://' + host + ':' + port + '/' + path;
  const hosts = ['static.criteo.net', 'static.hotjar.com', 'tags.tiqcdn.com', 'cdn.jwplayer.com', 'w.sharethis.com', 'plain.test'];
  const reach = "for (const host of hosts) { fetch(at(host, where), { mode: 'no-cors' }).catch(() => {}); " +
    "new WebSocket(at(host, where + '-socket').replace('http', 'ws')); }";
  const code = where => 'const port = ' + port + ', where = ' + JSON.stringify(where) + ', at = ' + at + ', hosts = ' + JSON.stringify(hosts) + ';' + reach;
  const url = where => URL.createObjectURL(new Blob([code(where)]));
  for (const host of hosts) {
    document.write('<script src="' + at(host, 'script') + '"><' + '/script><img src="' + at(host, 'image') + '"><iframe src="' + at(host, 'frame') + '"></iframe>');
  }
  new Function(code('page'))(); new Worker(url('worker')); new SharedWorker(url('shared'));
  const inner = document.createElement('iframe'); inner.srcdoc = '<script>' + code('inner') + '<' + '/script>'; document.documentElement.append(inner);
</script><a href="javascript:void open(at('tags.tiqcdn.com', 'popup-of-list'))">Open</a>`;

beforeAll(async () => {
  const note =
    (type: string, body: string) =>
    (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
      headersOf.set(`${request.headers.host?.split(':')[0]}${request.url}`, request.headers);
      response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
    };
  pages = await servePages({
    '/': note('text/html', PROBE),
    '/popup': note('text/html', PROBE.replace('Probe', 'Opened')),
    '/worker.js': note('text/javascript', WORKER),
    '/workers': note('text/html', WORKERS),
    '/shared.js': note('text/javascript', SHARED),
    '/service/worker.js': note('text/javascript', SERVICE),
    '/data': note('text/plain', 'x'),
    '/worker-data': note('text/plain', 'x'),
    '/font.woff2': note('font/woff2', 'x'),
    '/picture.png': note('image/png', 'x'),
    '/sound.mp3': note('audio/mpeg', 'x'),
    '/heavy': note(
      'text/html',
      '<title>Heavy</title><style>@font-face{font-family:F;src:url(/font.woff2)}p{font-family:F}</style><p>Text</p><img src="/picture.png"><audio src="/sound.mp3" preload="auto"></audio>',
    ),
    '*': note('text/javascript', ''),
    '/banner': note(
      'text/html',
      `<title>Banner</title><div id=cookie-banner role=dialog>We use cookies. <button>Accept all</button>
      <button onclick="this.parentNode.remove(); document.body.append(Object.assign(document.createElement('button'), { textContent: 'Refused' }))">Reject all</button></div>`,
    ),
    '/lists': note('text/html', LISTS),
    '/popup-of-list': note(
      'text/html',
      '<title>Opened by the tab</title><script src=/first-party.js></script><button onclick="fetch(\'/later.js\')">Later</button>',
    ),
    '/leave': (request, response) => {
      headersOf.set(`${request.headers.host?.split(':')[0]}/leave`, request.headers);
      response.writeHead(302, { location: `${pages.otherOrigin}/data` }).end();
    },
    '/stay': (_, response) => response.writeHead(302, { location: '/data' }).end(),
    '/private': (request, response) => {
      headersOf.set(`${request.headers.host?.split(':')[0]}/private`, request.headers);
      const isIn = request.headers.authorization === `Basic ${btoa('ann:s3cret-pass')}`;
      response
        .writeHead(isIn ? 200 : 401, { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="x"' })
        .end(isIn ? '<title>In</title><p>s3cret-pass</p>' : '<title>Out</title>');
    },
  });
  product = await startTestProduct({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const post = (path: string, body: unknown) => callApi(product.url, 'POST', path, { key: product.key, body });

async function startWith(options: object): Promise<string> {
  const { status, body } = await post('/session/start', options);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.session_id;
}

/** Opens the probe, and returns what it read. */
async function probe(session_id: string, path = '/') {
  const { body } = await post('/env/scrape', {
    session_id,
    url: pages.url + path,
    formats: ['text'],
    wait_for: 'text "page"',
    wait_ms: 60_000,
  });
  expect(body, JSON.stringify(body)).toHaveProperty('data');
  return JSON.parse(/\{.*\}/s.exec(body.data.text)?.[0] ?? 'null');
}

describe('A session that is started with options', () => {
  test('shows them to its pages, requests, workers and popups', async () => {
    const options = {
      viewport: { width: 900, height: 640 },
      user_agent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      locale: 'de-DE',
      timezone: 'Asia/Tokyo',
      geolocation: { latitude: 52.5, longitude: 13.4 },
      color_scheme: 'dark',
      reduced_motion: 'reduce',
      permissions: ['camera'],
    };
    const session_id = await startWith(options);
    const expected = {
      userAgent: options.user_agent,
      appVersion: options.user_agent.replace('Mozilla/', ''),
      brands: ['Not:A-Brand', 'Chromium', 'Google Chrome'],
      platform: 'Win32',
      languages: ['de-DE'],
      number: '1.234,5',
      timezone: 'Asia/Tokyo',
    };
    const page = {
      ...expected,
      size: [900, 640],
      dark: true,
      still: true,
      place: [52.5, 13.4],
      camera: 'granted',
    };
    expect(await probe(session_id)).toMatchObject({ page, worker: expected });
    expect(await probe(session_id, '/workers')).toEqual({
      page: 'page',
      shared: expected,
      service: expected,
    });
    const requests = ['/', '/data', '/worker.js', '/worker-data', '/shared.js', '/shared-data'];
    for (const path of [...requests, '/service/worker.js', '/service-data'])
      expect(headersOf.get(`127.0.0.1${path}`)).toMatchObject({
        'user-agent': options.user_agent,
        'accept-language': expect.stringContaining('de'),
      });

    const { body } = await post('/env/observe', { session_id, url: `${pages.url}/` });
    const popup = body.space.actions.find(({ name }: { name: string }) => name === 'Popup');
    await post('/env/step', { session_id, action_id: popup.id });
    const opened = await post('/env/scrape', { session_id, formats: ['text'], wait_for: 'text "page"' });
    expect(opened.body.metadata.title).toBe('Opened');
    for (const path of ['/', '/popup'])
      expect(headersOf.get(`127.0.0.1${path}`), path).toMatchObject({
        'user-agent': options.user_agent,
        'sec-ch-ua': expect.stringContaining('"Google Chrome";v="140"'),
        'sec-ch-ua-platform': '"Windows"',
      });
    expect(JSON.parse(/\{.*\}/s.exec(opened.body.data.text)?.[0] ?? 'null')).toMatchObject({
      page,
      worker: expected,
    });

    const told = await callApi(product.url, 'GET', `/session/${session_id}`, { key: product.key });
    expect(told.body.options).toEqual(options);
    await post('/session/close', { session_id });
  });

  test('shows them too when a program of MCP has started it', async () => {
    const options = {
      viewport: { width: 820, height: 610 },
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Paper/1',
      locale: 'fr-FR',
      timezone: 'America/Lima',
    };
    const mcp = plainClient(product.url, product.key);
    const { session_id } = (await mcp.call('start', { options })).structuredContent;
    const { page, worker } = await probe(session_id);
    const expected = { userAgent: options.user_agent, languages: ['fr-FR'], timezone: 'America/Lima' };
    expect(page).toMatchObject({ ...expected, size: [820, 610] });
    expect(worker).toMatchObject(expected);
    await mcp.call('close', { session_id });
  });

  test('does not change other sessions, whose user agent names no headless browser', async () => {
    const other = await startWith({
      locale: 'fr-FR',
      color_scheme: 'dark',
      cookies: [{ name: 'a', value: 'b', domain: '127.0.0.1' }],
    });
    const plain = await startWith({});
    await probe(other);
    const { page, worker } = await probe(plain);
    expect(page).toMatchObject({
      camera: 'denied',
      size: [1280, 720],
      languages: ['en-US'],
      dark: false,
      place: 1,
      cookie: '',
    });
    expect(JSON.stringify([page, worker])).not.toMatch(/headless/i);
    expect(JSON.stringify([...headersOf.values()])).not.toMatch(/headless/i);
    expect(page.brands).toContain('Google Chrome');
  });

  test('shows a device of the table', async () => {
    const session_id = await startWith({ device: 'iPhone 15' });
    const { page } = await probe(session_id);
    expect(page).toMatchObject({
      scale: 3,
      platform: 'iPhone',
      brands: [],
      userAgent: expect.stringContaining('iPhone'),
    });
    expect(page.touch).toBeGreaterThan(0);
    // A picture of the whole page has the pixels of the device, and leaves the page as it is.
    const screenshot_options = { full_page: true };
    const { body } = await post('/env/observe', { session_id, screenshot: true, screenshot_options });
    expect(Buffer.from(body.screenshot ?? '', 'base64').readUInt32BE(16) % 3).toBe(0);
    expect((await probe(session_id)).page).toMatchObject({ size: page.size, scale: 3, touch: page.touch });
  });

  test('sends a header to its origin only, also after a redirect, and tells no value', async () => {
    const session_id = await startWith({
      headers: [{ origin: pages.url, name: 'X-Api-Key', value: 'top-secret-value' }],
    });
    await post('/env/observe', { session_id, url: `${pages.url}/stay` });
    expect(headersOf.get('127.0.0.1/data')?.['x-api-key']).toBe('top-secret-value');
    await probe(session_id);
    for (const path of ['/', '/worker.js', '/worker-data'])
      expect(headersOf.get(`127.0.0.1${path}`)?.['x-api-key'], path).toBe('top-secret-value');
    await post('/env/observe', { session_id, url: `${pages.url}/leave` });
    expect(headersOf.get('127.0.0.1/leave')?.['x-api-key']).toBe('top-secret-value');
    expect(headersOf.get('localhost/data')).toBeDefined();
    expect(headersOf.get('localhost/data')?.['x-api-key']).toBeUndefined();
    const told = await callApi(product.url, 'GET', `/session/${session_id}`, { key: product.key });
    expect(told.body.options).toEqual({ headers: [{ origin: pages.url, name: 'X-Api-Key' }] });
    expect(told.text).not.toContain('top-secret');
  });

  test('signs in at its origin only, and masks the password', async () => {
    const session_id = await startWith({
      http_credentials: [{ origin: pages.url, username: 'ann', password: 's3cret-pass' }],
    });
    const own = await post('/env/scrape', { session_id, url: `${pages.url}/private` });
    expect(own.body.metadata).toMatchObject({ title: 'In', http_status: 200 });
    expect(own.text).not.toContain('s3cret-pass');
    const other = await post('/env/observe', { session_id, url: `${pages.otherOrigin}/private` });
    expect(other.body.metadata.http_status).toBe(401);
    expect(headersOf.get('localhost/private')?.authorization).toBeUndefined();
  });

  test('sends no requests of the kinds that it blocks', async () => {
    const session_id = await startWith({ block: ['media', 'fonts', 'images'] });
    await post('/env/observe', { session_id, url: `${pages.url}/heavy` });
    const paths = [...headersOf.keys()];
    expect(paths).toContain('127.0.0.1/heavy');
    for (const path of ['/font.woff2', '/picture.png', '/sound.mp3'])
      expect(paths).not.toContain(`127.0.0.1${path}`);
  });

  test('sends nothing to advertising and tracking, from pages, frames and workers, unless a tab opens a page of theirs', async () => {
    const reached = (host: string) => [...headersOf.keys()].filter(path => path.startsWith(host)).sort();
    const ways = [
      'frame',
      'image',
      'inner',
      'inner-socket',
      'page',
      'page-socket',
      'script',
      'shared',
      'shared-socket',
      'worker',
      'worker-socket',
    ];
    const session_id = await startWith({ block: ['ads'] });
    await post('/env/observe', { session_id, url: `${pages.url}/lists` });
    const all = (host: string) => ways.map(way => `${host}/${way}`);
    const plain = () => vi.waitFor(() => expect(reached('plain.test')).toEqual(all('plain.test')), 20_000);
    await plain();
    for (const host of ['static.hotjar.com', 'tags.tiqcdn.com', 'w.sharethis.com'])
      await vi.waitFor(() => expect(reached(host)).toEqual(all(host)), 20_000);
    expect(reached('static.criteo.net')).toEqual([]);

    headersOf.clear();
    const update = await post('/session/update', { session_id, block: ['ads', 'trackers'] });
    expect(update.body.options).toEqual({ block: ['ads', 'trackers'] });
    const { body } = await post('/env/observe', { session_id, url: `${pages.url}/lists` });
    await plain();
    for (const host of ['static.criteo.net', 'static.hotjar.com', 'tags.tiqcdn.com'])
      expect(reached(host), host).toEqual([]);
    // A player is no advertisement, although its company is in the list of them.
    await vi.waitFor(() => expect(reached('cdn.jwplayer.com')).toEqual(all('cdn.jwplayer.com')), 20_000);
    const network = await callApi(product.url, 'GET', `/session/${session_id}/network`, { key: product.key });
    expect(network.text).toContain('ERR_BLOCKED_BY_CLIENT');
    const events = await callApi(product.url, 'GET', `/session/${session_id}/events`, { key: product.key });
    expect(events.text).toContain('the session blocks what Hotjar serves to other pages');

    const { id } = body.space.actions.find(({ name }: { name: string }) => name === 'Open');
    const opened = await post('/env/step', { session_id, action_id: id });
    expect(opened.body.metadata.title).toBe('Opened by the tab');
    await vi.waitFor(
      () => expect(reached('tags.tiqcdn.com')).toContain('tags.tiqcdn.com/first-party.js'),
      20_000,
    );
    await post('/session/close', { session_id });

    // A page that was open before its company is blocked.
    const later = await startWith({});
    const { url } = opened.body.metadata;
    const seen = await post('/env/observe', { session_id: later, url });
    await post('/session/update', { session_id: later, block: ['trackers'] });
    const [{ id: action_id }] = seen.body.space.actions;
    await post('/env/step', { session_id: later, action_id });
    await vi.waitFor(() => expect(reached('tags.tiqcdn.com')).toContain('tags.tiqcdn.com/later.js'), 20_000);
    await post('/session/close', { session_id: later });
  });

  test('refuses what a consent banner asks for, before a page is listed', async () => {
    const session_id = await startWith({ dismiss_banners: true });
    const { body } = await post('/env/observe', { session_id, url: `${pages.url}/banner` });
    expect(body.session.options).toEqual({ dismiss_banners: true });
    expect(body.space.actions.map(({ name }: { name: string }) => name)).toEqual(['Refused']);
    await post('/session/close', { session_id });
  });

  test('begins with cookies and the storage state', async () => {
    const { host: _, origin } = { host: '', origin: pages.url };
    const session_id = await startWith({
      cookies: [{ name: 'own', value: '1', domain: '127.0.0.1' }],
      storage_state: {
        cookies: [{ name: 'kept', value: '2', domain: '127.0.0.1', path: '/' }],
        origins: [{ origin, localStorage: [{ name: 'cart', value: 'seven' }] }],
      },
    });
    const { page } = await probe(session_id);
    expect(page.stored).toBe('seven');
    expect(page.cookie.split('; ').sort()).toEqual(['kept=2', 'own=1']);
  });

  test('opens a URL at once', async () => {
    const { body } = await post('/session/start', { url: `${pages.url}/heavy` });
    expect(body).toMatchObject({ status: 'active', url: `${pages.url}/heavy`, page_title: 'Heavy' });
    const failed = await post('/session/start', { url: 'http://10.0.0.1/' });
    expect(failed.body).toMatchObject({ code: 'URL_BLOCKED' });
  });

  test('ends at the maximum lifetime that it has chosen', async () => {
    const { body } = await post('/session/start', { max_lifetime_minutes: 2 });
    expect(body.options).toEqual({ max_lifetime_minutes: 2 });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBeLessThanOrEqual(120_000);
  });

  test('changes those that can change, for open tabs too', async () => {
    const session_id = await startWith({ locale: 'de-DE' });
    await probe(session_id);
    const changed = await callApi(product.url, 'POST', '/session/update', {
      key: product.key,
      body: {
        session_id,
        viewport: { width: 700, height: 500 },
        geolocation: { latitude: 1, longitude: 2 },
        headers: [{ origin: pages.url, name: 'X-Late', value: 'yes' }],
        cookies: [{ name: 'late', value: '3', domain: '127.0.0.1' }],
      },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.options).toMatchObject({
      locale: 'de-DE',
      viewport: { width: 700 },
      geolocation: { latitude: 1 },
    });
    const { page } = await probe(session_id);
    expect(page).toMatchObject({ size: [700, 500], place: [1, 2], cookie: 'late=3', languages: ['de-DE'] });
    expect(headersOf.get('127.0.0.1/')?.['x-late']).toBe('yes');
  });

  test('is the same over GraphQL', async () => {
    const { body } = await callGraphql(
      product.url,
      product.key,
      `mutation { startSession(input: { locale: "pt-BR", colorScheme: DARK, headers: [{ origin: "https://a.example", name: "X-A", value: "v" }] }) {
        id options { locale colorScheme headers { origin name } viewport { width } } } }`,
    );
    expect(body.data.startSession.options).toEqual({
      locale: 'pt-BR',
      colorScheme: 'DARK',
      headers: [{ origin: 'https://a.example', name: 'X-A' }],
      viewport: null,
    });
  });
});

describe('A start is refused, and no session begins,', () => {
  test.each([
    ['an unknown option', { colour: 'red' }, 'colour'],
    ['a device that is none', { device: 'Abacus 3' }, 'device'],
    ['a time zone that is none', { timezone: 'Mars/Base' }, 'timezone'],
    ['a language that is none', { locale: 'x_y' }, 'locale'],
    [
      'an origin with a path',
      { headers: [{ origin: 'https://a.example/b', name: 'A', value: 'b' }] },
      'headers.0.origin',
    ],
    [
      'a header that the browser sets',
      { headers: [{ origin: 'https://a.example', name: 'Host', value: 'b' }] },
      'headers.0.name',
    ],
    [
      'a storage state that is none',
      { storage_state: { cookies: [{ name: 'a' }] } },
      'storage_state.cookies.0.value',
    ],
    ['a viewport that is too small', { viewport: { width: 1, height: 1 } }, 'viewport.width'],
  ])('with 422 for %s', async (_, options, path) => {
    const { status, body } = await post('/session/start', options);
    expect({ status, paths: body.errors?.map((error: { path: string }) => error.path) }).toMatchObject({
      status: 422,
      paths: expect.arrayContaining([path]),
    });
  });
});
