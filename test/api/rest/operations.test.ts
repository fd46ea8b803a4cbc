import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionBody } from '../../../src/api/rest/selection.ts';
import { callApi } from '../../support/callApi.ts';
import { parseObservation } from '../../support/restBodies.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';

interface ActionBody {
  readonly id: string;
  readonly name: string | null;
}

let site: TestSite;
let product: TestProduct;
const post = (path: string, body: unknown) => callApi(product.url, 'POST', path, { key: product.key, body });

beforeAll(async () => {
  site = await startTestSite();
  // One page never answers. A second is too short for the others on a busy machine.
  product = await startTestProduct({ navigationTimeoutMs: 5_000 });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site.close();
});

const started = async (): Promise<string> => (await post('/session/start', {})).body.session_id;
/** The session of the tests that leave it active. */
let shared: Promise<string> | null = null;
const sharedSession = (): Promise<string> => {
  shared ??= started();
  return shared;
};

async function observed(
  path: string,
  session: Promise<string> = sharedSession(),
): Promise<{ session_id: string; actions: readonly ActionBody[] }> {
  const session_id = await session;
  const { body } = await post('/env/observe', { session_id, url: site.url + path });
  expect(body).toMatchObject({ space: { actions: expect.any(Array) } });
  return { session_id, actions: body.space.actions };
}
const idOf = (actions: readonly ActionBody[], name: string): string => {
  const found = actions.find(action => action.name === name);
  if (found === undefined) throw new Error(`No action is named ${name}.`);
  return found.id;
};

test('Start, observe, step, scrape and close work in sequence', async () => {
  const start = await post('/session/start', {});
  expect(start.status).toBe(200);
  expect(SessionBody.strict().parse(start.body)).toMatchObject({
    status: 'active',
    error: null,
    timeout_minutes: 5,
  });
  const { session_id } = start.body;

  const observe = await post('/env/observe', { session_id, url: `${site.url}/forms` });
  expect(parseObservation(observe.body)).toMatchObject({
    session: { session_id, status: 'active' },
    metadata: { url: `${site.url}/forms`, page_title: 'Forms', title: 'Forms', http_status: 200 },
    screenshot: null,
    data: null,
  });
  const name = idOf(observe.body.space.actions, 'Name');

  const step = await post('/env/step', { session_id, action_id: name, value: 'Ada' });
  expect(parseObservation(step.body).space?.actions.find(action => action.id === name)?.value).toBe('Ada');

  const scrape = await post('/env/scrape', { session_id });
  const { data } = parseObservation(scrape.body);
  expect(data?.main_content).toContain('Forms');
  expect(data?.markdown).toContain('Forms');
  expect(data).not.toHaveProperty('images');

  const close = await post('/session/close', { session_id });
  expect(SessionBody.strict().parse(close.body)).toMatchObject({ session_id, status: 'closed', error: null });

  const read = await callApi(product.url, 'GET', `/session/${session_id}`, { key: product.key });
  expect(read.body).toMatchObject({ session_id, status: 'closed', url: `${site.url}/forms` });
});

describe('keep_alive', () => {
  test('absent: a scrape without a session starts one and closes it', async () => {
    const { body } = await post('/env/scrape', { url: site.url });
    expect(body.session.status).toBe('closed');
    expect(body.data.main_content).toContain('Pages to drive');
  });

  test('true: the session that a scrape started stays active', async () => {
    const { body } = await post('/env/scrape', { url: site.url, keep_alive: true });
    expect(body.session.status).toBe('active');
  });

  test('false: a session that the request names is closed', async () => {
    const { session_id } = await observed('/', started());
    const { body } = await post('/env/scrape', { session_id, keep_alive: false });
    expect(body.session.status).toBe('closed');
  });
});

describe('Screenshots', () => {
  const PNG = /^iVBORw0KGgo/;

  test('are returned only on request', async () => {
    const { session_id } = await observed('/');
    expect((await post('/env/scrape', { session_id })).body.screenshot).toBeNull();
    expect((await post('/env/scrape', { session_id, screenshot: true })).body.screenshot).toMatch(PNG);
  });

  test('are always returned by the step S3', async () => {
    const { session_id } = await observed('/');
    expect((await post('/env/step', { session_id, action_id: 'S3' })).body.screenshot).toMatch(PNG);
  });

  test('are returned by close on request', async () => {
    const { session_id } = await observed('/', started());
    expect((await post('/session/close', { session_id, screenshot: true })).body.screenshot).toMatch(PNG);
  });
});

test('POST /step with S2 returns the content of the page', async () => {
  const { session_id } = await observed('/');
  expect((await post('/step', { session_id, action_id: 'S2' })).body.data.markdown).toContain(
    'Pages to drive',
  );
});

test('POST /step with another action returns no content', async () => {
  const { session_id } = await observed('/');
  expect((await post('/step', { session_id, action_id: 'S6' })).body.data).toBeNull();
});

test('POST /env/observe answers 200 when the page itself answers 404', async () => {
  const { body, status } = await post('/env/observe', {
    session_id: await sharedSession(),
    url: `${site.url}/status/404`,
  });
  expect(status).toBe(200);
  expect(body.metadata.http_status).toBe(404);
});

test('max_nb_actions limits the list, and the response has truncated and total_actions', async () => {
  const session_id = await sharedSession();
  const { body } = await post('/env/observe', { session_id, url: `${site.url}/forms`, max_nb_actions: 3 });
  expect(body.space.actions).toHaveLength(3);
  expect(body.space.truncated).toBe(true);
  expect(body.space.total_actions).toBeGreaterThan(3);
});

describe('An operation', () => {
  test('on an unknown action_id answers ACTION_NOT_FOUND, and the session stays active', async () => {
    const { session_id } = await observed('/');
    const response = await post('/env/step', { session_id, action_id: 'B999' });
    expect(response).toMatchObject({
      status: 422,
      body: { code: 'ACTION_NOT_FOUND', session: { session_id, status: 'active' } },
    });
    expect((await post('/env/step', { session_id, action_id: 'S6' })).status).toBe(200);
  });

  test('before any observation answers NOT_OBSERVED', async () => {
    const { session_id } = (await post('/session/start', {})).body;
    expect(await post('/env/step', { session_id, action_id: 'B1' })).toMatchObject({
      status: 422,
      body: { code: 'NOT_OBSERVED' },
    });
  });

  test('on an element that is gone answers ACTION_STALE with a new space', async () => {
    const response = await staleStep(await sharedSession());
    expect(response).toMatchObject({
      status: 409,
      body: { code: 'ACTION_STALE', session: { status: 'active' } },
    });
    expect(response.body.space.actions.length).toBeGreaterThan(0);
    expect(response.body.space.markdown).toContain('#');
  });

  test('on a disabled element answers ACTION_BLOCKED', async () => {
    const { session_id, actions } = await observed('/forms');
    const response = await post('/env/step', { session_id, action_id: idOf(actions, 'Not yet') });
    expect(response).toMatchObject({ status: 409, body: { code: 'ACTION_BLOCKED' } });
  });

  describe('on a closed session:', () => {
    let session_id: string;
    beforeAll(async () => {
      session_id = await started();
      await post('/session/close', { session_id });
    });

    test.each(['/env/observe', '/env/step', '/env/scrape'])('%s answers SESSION_CLOSED', async path => {
      const more = path === '/env/step' ? { action_id: 'S6' } : { url: site.url };
      expect(await post(path, { session_id, ...more })).toMatchObject({
        status: 410,
        body: { code: 'SESSION_CLOSED', session: { status: 'closed' } },
      });
    });

    test('to close it answers its final status', async () => {
      expect(await post('/session/close', { session_id })).toMatchObject({
        status: 200,
        body: { status: 'closed' },
      });
    });
  });

  test('on a host that does not respond answers NAVIGATION_FAILED', async () => {
    const gone = await startTestSite();
    await gone.close();
    const response = await post('/env/observe', { session_id: await sharedSession(), url: gone.url });
    expect(response).toMatchObject({ status: 502, body: { code: 'NAVIGATION_FAILED' } });
  });

  test('on a page that never loads answers NAVIGATION_TIMEOUT without the password of its address, and the session stays active', async () => {
    const { session_id } = await observed('/');
    const url = `${site.url.replace('//', '//me:secret@')}/hang`;
    const response = await post('/env/observe', { session_id, url });
    expect(response).toMatchObject({
      status: 504,
      body: { code: 'NAVIGATION_TIMEOUT', session: { status: 'active' } },
    });
    const events = JSON.stringify(await product.started.store.sessions.events(session_id, 0, 100));
    expect(events).toContain('NAVIGATION_TIMEOUT');
    expect(response.text + events).not.toContain('secret');
    expect((await post('/env/observe', { session_id, url: site.url })).status).toBe(200);
  });

  test.each(['http://169.254.169.254/latest', 'http://10.0.0.1/', 'file:///etc/passwd', 'chrome://version'])(
    'on %s answers URL_BLOCKED',
    async url => {
      expect(await post('/env/observe', { session_id: await sharedSession(), url })).toMatchObject({
        status: 403,
        body: { code: 'URL_BLOCKED' },
      });
    },
  );
});

test('A caller that disconnects cancels its step; the session stays active, and no error is logged', async () => {
  const { session_id } = await observed('/');
  const gone = new AbortController();
  const calling = fetch(`${product.url}/env/step`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id, action_id: 'S7', value: '30' }),
    signal: gone.signal,
  });
  // Reads are answered during an operation, so the step has started now.
  const read = await callApi(product.url, 'GET', `/session/${session_id}`, { key: product.key });
  expect(read.status).toBe(200);
  gone.abort();
  await expect(calling).rejects.toThrow('aborted');
  expect((await post('/env/step', { session_id, action_id: 'S6' })).status).toBe(200);
  expect(product.logLines.filter(line => line.level >= 50)).toEqual([]);
});

test('A caller that disconnects during a start causes no error in the log', async () => {
  const gone = new AbortController();
  const calling = fetch(`${product.url}/session/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' },
    body: '{}',
    signal: gone.signal,
  });
  gone.abort();
  await expect(calling).rejects.toThrow('aborted');
  expect((await post('/session/start', {})).status).toBe(200);
  expect(product.logLines.filter(line => line.level >= 50)).toEqual([]);
});

/** Follows a link and then uses an id of the page before. */
async function staleStep(session_id: string) {
  const first = await post('/env/observe', { session_id, url: site.url });
  const link = idOf(first.body.space.actions, 'Forms');
  const widgets = idOf(first.body.space.actions, 'Widgets');
  await post('/env/step', { session_id, action_id: link });
  return post('/env/step', { session_id, action_id: widgets });
}
