/** The record over REST. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
let pages: ServedPages;
/** It begins at the time of the files of this machine. */
const clock = manualClock(Date.now());
beforeAll(async () => {
  pages = await servePages({ '/': '<title>One</title><a href="/">Again</a>' });
  product = await startTestProduct({ browser: 'fake', recordRetentionDays: 7, clock });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const call = (method: string, path: string, body?: object, headers = {}) =>
  callApi(product.url, method, path, { key: product.key, headers, ...(body && { body }) });

async function run(): Promise<string> {
  const { session_id } = (await call('POST', '/session/start', { name: 'One', record: 'steps' })).body;
  await call('POST', '/env/observe', { session_id, url: `${pages.url}/` }, { 'x-pagespace-caller': 'cli' });
  await call('POST', '/env/step', { session_id, action_id: 'B9' });
  await call('POST', '/session/close', { session_id });
  return session_id;
}

it('lists the events with their operations, page by page', async () => {
  const id = await run();
  const { body } = await call('GET', `/session/${id}/events?limit=2`);
  expect(body).toMatchObject({
    next_after: 2,
    events: [
      { seq: 1, type: 'created' },
      {
        seq: 2,
        type: 'observed',
        at: expect.stringMatching(/^2.*Z$/),
        performed: {
          caller: { kind: 'cli', key_name: 'test' },
          duration_ms: expect.any(Number),
          input: { url: `${pages.url}/` },
          outcome: { observation_id: 'O1', title: 'One', picture: 1 },
        },
      },
    ],
  });
  const rest = (await call('GET', `/session/${id}/events?after=2`)).body;
  expect(rest).toMatchObject({
    next_after: null,
    events: [{ type: 'failed', performed: { input: { action_id: 'B9' } } }, { type: 'ended' }],
  });
});

it('returns an observation and a picture as they were', async () => {
  const id = await run();
  const { body } = await call('GET', `/session/${id}/observations/O1`);
  expect(body).toMatchObject({ observation_id: 'O1', title: 'One', space: { actions: [{ name: 'Again' }] } });
  const picture = await call('GET', `/session/${id}/frames/1`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

it.each([
  ['/events?after=x', 422, 'VALIDATION_ERROR'],
  ['/events?limit=0', 422, 'VALIDATION_ERROR'],
  ['/observations/O7', 404, 'NOT_FOUND'],
  ['/observations/x', 404, 'NOT_FOUND'],
  ['/frames/9', 404, 'NOT_FOUND'],
  ['/frames/1?kind=frame', 404, 'NOT_FOUND'],
  ['/console?limit=1001', 422, 'VALIDATION_ERROR'],
  ['/export?format=pdf', 422, 'VALIDATION_ERROR'],
])('refuses %s', async (path, status, code) => {
  const id = await run();
  const response = await call('GET', `/session/${id}${path}`);
  expect([response.status, response.body.code]).toEqual([status, code]);
});

it('says of a record whose retention is over for how long records are kept, and of an unknown session, or that of another account, that there is none', async () => {
  const id = await run();
  const { store } = product.started;
  clock.advance(8 * 86_400_000);
  await expect.poll(async () => (await call('GET', `/session/${id}/observations/O1`)).status).toBe(410);
  const stranger = await addAccount(store, clock, 'stranger');
  const none = '0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11';
  for (const path of ['/observations/O1', '/frames/1', '/console', '/network', '/export']) {
    const removed = await call('GET', `/session/${id}${path}`);
    expect([path, removed.status, removed.body.code]).toEqual([path, 410, 'RECORD_EXPIRED']);
    expect(removed.body.detail).toContain('kept for 7 days');
    for (const [key, session] of [
      [stranger.key, id],
      [product.key, none],
    ]) {
      const { status, body } = await callApi(product.url, 'GET', `/session/${session}${path}`, {
        key: key ?? '',
      });
      expect([path, status, body.code]).toEqual([path, 404, 'SESSION_NOT_FOUND']);
    }
  }
  expect((await call('GET', `/session/${id}/events`)).status).toBe(200);
});

it('changes name and labels, and extends a session', async () => {
  const { session_id } = (await call('POST', '/session/start', {})).body;
  const { body } = await call('POST', '/session/update', { session_id, name: 'Two', labels: ['b', 'a'] });
  expect(body).toMatchObject({ name: 'Two', labels: ['a', 'b'], record: 'off' });
  const extended = await call('POST', '/session/extend', { session_id, session_timeout_minutes: 7 });
  expect(extended.body).toMatchObject({ timeout_minutes: 7, status: 'active' });
});
