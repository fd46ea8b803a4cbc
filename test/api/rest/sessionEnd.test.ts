import { expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { startTestProduct } from '../../support/startServer.ts';
import { startTestSite } from '../../support/testSite.ts';

const MINUTE_MS = 60_000;

test('a session times out after its idle timeout, although it is read meanwhile', async () => {
  const clock = manualClock();
  await using product = await startTestProduct({ browser: 'fake', clock });
  const post = (path: string, body: object) => callApi(product.url, 'POST', path, { key: product.key, body });
  const { session_id, expires_at } = (await post('/session/start', { session_timeout_minutes: 2 })).body;
  expect(expires_at).toBe('2026-03-09T12:02:00.000Z');

  clock.advance(MINUTE_MS);
  const read = await callApi(product.url, 'GET', `/session/${session_id}`, { key: product.key });
  expect(read.body).toMatchObject({
    status: 'active',
    duration: '1 minute',
    duration_ms: MINUTE_MS,
    expires_at,
  });

  clock.advance(MINUTE_MS);
  const step = await post('/env/step', { session_id, action_id: 'S6' });
  expect(step).toMatchObject({
    status: 410,
    body: {
      code: 'SESSION_TIMED_OUT',
      session: {
        status: 'timed_out',
        ended_at: '2026-03-09T12:02:00.000Z',
        duration: '2 minutes',
        expires_at: null,
      },
    },
  });
  const query = `mutation { observe(input: {sessionId: "${session_id}", url: "https://example.com"}) { session { id } } }`;
  const gql = await callGraphql(product.url, product.key, query);
  expect(gql.body.errors[0].extensions).toMatchObject({
    code: 'SESSION_TIMED_OUT',
    status: 410,
    session: { id: session_id, status: 'TIMED_OUT' },
  });
  expect(await post('/session/close', { session_id })).toMatchObject({
    status: 200,
    body: { status: 'timed_out' },
  });
});

test('POST /env/step answers SESSION_BUSY after eight waiting operations; POST /session/close skips the queue', async () => {
  const site = await startTestSite();
  await using product = await startTestProduct();
  const post = (path: string, body: object) => callApi(product.url, 'POST', path, { key: product.key, body });
  const { session_id } = (await post('/session/start', {})).body;
  await post('/env/observe', { session_id, url: site.url });

  const wait = { session_id, action_id: 'S7', value: '15' };
  const ten = Array.from({ length: 10 }, () => post('/env/step', wait));
  const refused = await Promise.race(ten);
  expect(refused).toMatchObject({ status: 409, body: { code: 'SESSION_BUSY', retryable: true } });

  expect((await post('/session/close', { session_id })).body.status).toBe('closed');
  const codes = (await Promise.all(ten)).map(response => response.body.code);
  expect(codes.filter(code => code === 'SESSION_BUSY')).toHaveLength(1);
  expect(codes.filter(code => code === 'SESSION_CLOSED')).toHaveLength(9);
  await site.close();
});
