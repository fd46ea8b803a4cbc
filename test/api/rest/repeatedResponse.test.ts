import { expect, it } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { servePages } from '../../support/servePages.ts';
import { startTestProduct } from '../../support/startServer.ts';

it('A repeated idempotency key returns the stored response to the byte, also later', async () => {
  await using site = await servePages({ '/': '<title>A page</title><a href="/">Again</a>' });
  const clock = manualClock();
  await using product = await startTestProduct({ browser: 'fake', clock });
  const post = async (path: string, body: object) =>
    (await callApi(product.url, 'POST', path, { key: product.key, body })).text;
  const start = { session_timeout_minutes: 20, idempotency_key: 'start' };
  const started = await post('/session/start', start);
  const session_id: string = JSON.parse(started).session_id;
  const observe = { url: site.url, session_id, keep_alive: true, idempotency_key: 'observe' };
  const observed = await post('/env/observe', observe);
  const step = { session_id, action_id: 'L99', idempotency_key: 'step', keep_alive: true };
  await post('/env/step', step);
  clock.advance(90_000);
  expect(await post('/session/start', start)).toBe(started);
  expect(await post('/env/observe', observe)).toBe(observed);
});
