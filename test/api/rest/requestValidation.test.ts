import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
const post = (path: string, body: unknown, headers = {}) =>
  callApi(product.url, 'POST', path, { key: product.key, body, headers });

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake', globalTimeoutMinutes: 20 });
});
afterAll(() => product[Symbol.asyncDispose]());

const UNKNOWN = '0b4a7c5e-0000-4000-8000-000000000000';

const faults: readonly [string, object, string, RegExp][] = [
  ['/session/start', { session_timeout_minutes: 0 }, 'session_timeout_minutes', /above 0/],
  ['/session/start', { session_timeout_minutes: 30 }, 'session_timeout_minutes', /below 30/],
  ['/session/start', { session_timeout_minutes: 2.5 }, 'session_timeout_minutes', /./],
  ['/session/start', { session_timeout_minutes: '5' }, 'session_timeout_minutes', /number|int/],
  ['/session/start', { session_timeout_minutes: 21 }, 'session_timeout_minutes', /20/],
  ['/session/start', { session_timeout: 30 }, 'session_timeout', /below 30/],
  ['/session/start', { session_timeout: 4, session_timeout_minutes: 5 }, 'session_timeout', /the same/],
  ['/session/start', { session_id: UNKNOWN }, 'session_id', /absent or null/],
  ['/session/start', { keep_alive: 'yes' }, 'keep_alive', /boolean/],
  ['/session/start', { screenshot: 1 }, 'screenshot', /boolean/],
  ['/session/start', { keepAlive: true }, 'keepAlive', /not a field/],
  ['/env/observe', {}, 'url', /required/],
  ['/env/observe', { url: '' }, 'url', /empty/],
  ['/env/observe', { url: 'http://' }, 'url', /lacks the host/],
  ['/env/observe', { url: 7 }, 'url', /string/],
  ['/env/observe', { session_id: 7, url: 'https://example.com' }, 'session_id', /string/],
  [
    '/env/observe',
    { url: 'https://example.com', max_nb_actions: 0 },
    'max_nb_actions',
    /^must be at least 1$/,
  ],
  [
    '/env/observe',
    { url: 'https://example.com', max_nb_actions: 20_000 },
    'max_nb_actions',
    /^must be at most 10,000$/,
  ],
  [
    '/env/scrape',
    { url: 'https://example.com', max_characters: 5 },
    'max_characters',
    /^must be at least 1,000$/,
  ],
  ['/env/scrape', { url: 'https://example.com', kinds: 'link' }, 'kinds', /^must be an array, not a string$/],
  [
    '/env/observe',
    { url: 'https://example.com', only_main_content: true },
    'only_main_content',
    /not a field/,
  ],
  ['/env/step', { action_id: 'B1' }, 'session_id', /required/],
  ['/env/step', { session_id: UNKNOWN }, 'action_id', /required/],
  ['/env/step', { session_id: UNKNOWN, action_id: 'button 1' }, 'action_id', /action id/],
  ['/env/step', { session_id: UNKNOWN, action_id: 'B1', value: 5 }, 'value', /string/],
  ['/env/step', { session_id: UNKNOWN, action_id: 'B1', enter: 'no' }, 'enter', /boolean/],
  [
    '/env/scrape',
    { url: 'https://example.com', min_nb_actions: 5, max_nb_actions: 2 },
    'min_nb_actions',
    /above/,
  ],
  ['/env/scrape', { url: 'https://example.com', min_nb_actions: 101 }, 'min_nb_actions', /above/],
  ['/session/close', {}, 'session_id', /required/],
  ['/session/close', { session_id: null }, 'session_id', /string/],
];

test.each(faults)(
  'POST %s %j answers VALIDATION_ERROR with the field',
  async (path, body, field, message) => {
    const response = await post(path, body);
    expect(response).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
    expect(response.body.errors.map((fault: { path: string }) => fault.path)).toContain(field);
    expect(response.body.errors[0].message).toMatch(message);
  },
);

test('VALIDATION_ERROR lists every invalid field', async () => {
  const response = await post('/session/start', {
    keep_alive: 1,
    session_timeout_minutes: 40,
    colour: 'red',
  });
  expect(response.body.errors.map((fault: { path: string }) => fault.path).sort()).toEqual([
    'colour',
    'keep_alive',
    'session_timeout_minutes',
  ]);
});

test.each(['null', '[]', '"text"', '7'])(
  'POST /session/start refuses the JSON %s, which is not an object',
  async body => {
    expect(await post('/session/start', body)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR' },
    });
  },
);

test.each(['{', '{"a":1,}', 'session_id=1', '\u0000'])(
  'POST /session/start answers INVALID_JSON to %j',
  async body => {
    expect(await post('/session/start', body)).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
  },
);

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
  'POST /session/start answers 415 to the Content-Type %j',
  async type => {
    const response = await post('/session/start', '{}', { 'content-type': type });
    expect(response).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  },
);

test('POST /session/start accepts a charset in the Content-Type', async () => {
  const response = await post('/session/start', '{}', { 'content-type': 'Application/JSON; charset=utf-8' });
  expect(response.status).toBe(200);
});

describe('null means the same as an absent field', () => {
  test('for every field of start', async () => {
    const nothing = {
      keep_alive: null,
      screenshot: null,
      session_timeout_minutes: null,
      session_timeout: null,
      session_id: null,
    };
    expect(await post('/session/start', nothing)).toMatchObject({
      status: 200,
      body: { timeout_minutes: 5 },
    });
  });

  test('for the optional fields of close', async () => {
    const { body } = await post('/session/start', {});
    const close = {
      session_id: body.session_id,
      keep_alive: null,
      screenshot: null,
      session_timeout_minutes: null,
    };
    expect(await post('/session/close', close)).toMatchObject({ status: 200, body: { status: 'closed' } });
  });
});

test('session_timeout means the same as session_timeout_minutes', async () => {
  expect((await post('/session/start', { session_timeout: 7 })).body.timeout_minutes).toBe(7);
  const both = { session_timeout: 8, session_timeout_minutes: 8 };
  expect((await post('/session/start', both)).body.timeout_minutes).toBe(8);
});

describe('A session_id that is not a session of the account', () => {
  const ids = [UNKNOWN, 'not-a-uuid', '', "'; drop table sessions; --"];

  test.each(ids)('%j gets 404 from every operation', async session_id => {
    for (const [path, more] of [
      ['/env/observe', { url: 'https://example.com' }],
      ['/env/step', { action_id: 'B1' }],
      ['/env/scrape', {}],
      ['/session/close', {}],
    ] as const) {
      const response = await post(path, { session_id, ...more });
      expect(response).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
    }
  });

  test.each([UNKNOWN, 'not-a-uuid', '%20', '%ff'])('GET /session/%s answers 404', async id => {
    const response = await callApi(product.url, 'GET', `/session/${id}`, { key: product.key });
    expect(response).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  });
});

describe('GET /sessions', () => {
  const get = (query: string) => callApi(product.url, 'GET', `/sessions${query}`, { key: product.key });

  test('returns all sessions in pages, each once', async () => {
    await using own = await startTestProduct({ browser: 'fake' });
    const ids = new Set<string>();
    for (let count = 0; count < 5; count += 1)
      ids.add((await callApi(own.url, 'POST', '/session/start', { key: own.key, body: {} })).body.session_id);
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { body } = await callApi(own.url, 'GET', `/sessions${query}`, { key: own.key });
      seen.push(...body.sessions.map((session: { session_id: string }) => session.session_id));
      if (body.next_cursor === null) break;
      query = `?limit=2&after=${encodeURIComponent(body.next_cursor)}`;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(ids);
  });

  test('filters by several statuses', async () => {
    const { body } = await post('/session/start', {});
    await post('/session/close', { session_id: body.session_id });
    const found = await get('?status=closed,error');
    expect(found.body.sessions.map((session: { status: string }) => session.status)).not.toContain('active');
  });

  test.each(['?limit=0', '?limit=101', '?limit=x', '?limit=1.5', '?status=open', '?page=2', '?after=%00'])(
    '%s is refused',
    async query => {
      expect(await get(query)).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
    },
  );
});

describe('Paths and methods:', () => {
  test.each([
    '/nope',
    '/session',
    '/session/start/',
    '/v1',
    '/v2/session/start',
    '/env',
    '//session/start',
    '/graphql/x',
  ])('GET %s answers 404', async path => {
    const response = await callApi(product.url, 'GET', path, { key: product.key });
    expect(response).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test.each([
    ['GET', '/session/start', 'POST'],
    ['DELETE', '/env/step', 'POST'],
    ['POST', '/sessions', 'GET, HEAD'],
    ['PUT', `/session/${UNKNOWN}`, 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
    ['PUT', '/graphql', 'GET, HEAD, POST'],
    ['OPTIONS', '/session/start', 'POST'],
  ])('%s %s answers 405 with Allow: %s', async (method, path, allow) => {
    const response = await callApi(product.url, method, path, { key: product.key });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
  });

  test.each(['/session/start', '/v1/session/start'])('POST %s starts a session', async path => {
    expect(await post(path, {})).toMatchObject({ status: 200, body: { status: 'active', error: null } });
  });

  test('GET /sessions lists more sessions than one turn of a caller completes', async () => {
    for (let n = 0; n < 6; n++) await post('/session/start', {});
    const { status, body } = await callApi(product.url, 'GET', '/sessions?limit=6', { key: product.key });
    expect([status, body.sessions?.length]).toEqual([200, 6]);
  });

  test('HEAD /sessions answers as GET does, without a body', async () => {
    const response = await callApi(product.url, 'HEAD', '/sessions', { key: product.key });
    expect(response.status).toBe(200);
    expect(response.text).toBe('');
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
  });
});

describe('A request that is nearly right', () => {
  test.each([
    [
      '/env/observe',
      { ur: 'https://example.com' },
      /ur is not a field of this request\. Did you mean url\?$/,
    ],
    [
      '/env/step',
      { session_id: UNKNOWN, actionId: 'B2' },
      /actionId is not a field of this request\. Did you mean action_id\?$/,
    ],
    ['/env/scrape', { url: 'https://example.com', keep_aliv: true }, /Did you mean keep_alive\?$/],
    [
      '/env/scrape',
      { url: 'https://example.com', nothing_like_it: true },
      /is not a field of this request\.$/,
    ],
  ])('%s %j is told the field that was meant', async (path, body, detail) => {
    const { status, body: problem } = await post(path, body);
    expect({ status, detail: problem.detail }).toEqual({
      status: 422,
      detail: expect.stringMatching(detail),
    });
  });

  test('is told the path that was meant', async () => {
    for (const path of ['/observe', '/api/observe', '/env/sessions'])
      expect((await post(path, {})).body.detail).toMatch(
        /^The path \S+ does not exist\. Did you mean (POST \/env\/observe|GET \/sessions)\? See \/docs\.$/,
      );
    expect((await post('/nothing', {})).body.detail).toBe('The path /nothing does not exist. See /docs.');
  });

  test('starts a session without a body; other operations say what they need', async () => {
    const send = (path: string) =>
      fetch(product.url + path, { method: 'POST', headers: { authorization: `Bearer ${product.key}` } });
    const started = await send('/session/start');
    expect(started.status).toBe(200);
    const { session_id } = await started.json();
    await post('/session/close', { session_id });
    const observed = await send('/env/observe');
    expect([observed.status, (await observed.json()).detail]).toEqual([
      422,
      expect.stringMatching(/^There is no page to read\. Send a url/),
    ]);
  });
});
