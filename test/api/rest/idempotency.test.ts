import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let site: ServedPages;
let product: TestProduct;
let clock: ManualClock;
beforeAll(async () => {
  clock = manualClock();
  site = await servePages({
    '/count': `<!doctype html><title>0</title><button onclick="document.title = ++n">More</button><script>let n = 0</script>`,
  });
  product = await startTestProduct({ clock });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const post = (path: string, body: unknown, key: string = product.key) =>
  callApi(product.url, 'POST', path, { key, body });
let names = 0;
const newName = () => `request-${++names}`;

async function counting(): Promise<{ session_id: string; action_id: string }> {
  const { session_id } = (await post('/session/start', {})).body;
  const { body } = await post('/env/observe', { session_id, url: `${site.url}/count` });
  return { session_id, action_id: body.space.actions[0].id };
}

test('The header Idempotency-Key does the same as the field, and both must be equal', async () => {
  const name = newName();
  const start = (body: unknown, header: string) =>
    callApi(product.url, 'POST', '/session/start', {
      key: product.key,
      body,
      headers: { 'idempotency-key': header },
    });
  const { session_id } = (await start({}, name)).body;
  for (const again of [await start({}, name), await post('/session/start', { idempotency_key: name })])
    expect(again.body.session_id).toBe(session_id);
  expect((await start({ session_timeout_minutes: 3 }, name)).status).toBe(422);
  const { status, body } = await start({ idempotency_key: 'another' }, name);
  expect([status, body.detail]).toEqual([
    422,
    'idempotency_key must be equal to the header Idempotency-Key.',
  ]);
  expect((await start({}, 'x'.repeat(256))).body.errors).toEqual([
    { path: 'idempotency_key', message: 'must be at most 255 characters' },
  ]);
  await post('/session/close', { session_id });
});

describe('A repeated request with the same idempotency_key', () => {
  test('runs once and returns the same response', async () => {
    const step = { ...(await counting()), idempotency_key: newName() };
    const first = await post('/step', step);
    const again = await post('/step', step);
    expect(again.body).toEqual(first.body);
    const { body } = await post('/env/observe', { session_id: step.session_id });
    expect(body.metadata.title).toBe('1');
  });

  test('that is concurrent runs once', async () => {
    const start = { idempotency_key: newName() };
    const responses = await Promise.all([post('/session/start', start), post('/session/start', start)]);
    expect(new Set(responses.map(({ body }) => body.session_id)).size).toBe(1);
  });

  test('runs again after ten minutes', async () => {
    const start = { idempotency_key: newName() };
    const first = await post('/session/start', start);
    clock.advance(600_001);
    expect((await post('/session/start', start)).body.session_id).not.toBe(first.body.session_id);
  });

  test('runs again when the first one failed before it did anything', async () => {
    const { session_id } = (await post('/session/start', {})).body;
    const observe = { session_id, idempotency_key: newName() };
    expect((await post('/env/observe', observe)).status).toBe(422);
    await post('/env/observe', { session_id, url: `${site.url}/count` });
    expect((await post('/env/observe', observe)).status).toBe(200);
  });

  test('steps after NOT_OBSERVED once the page was observed', async () => {
    const { session_id } = (await post('/session/start', {})).body;
    const step = { session_id, action_id: 'B1', idempotency_key: newName() };
    expect((await post('/step', step)).body.code).toBe('NOT_OBSERVED');
    await post('/env/observe', { session_id, url: `${site.url}/count` });
    expect((await post('/step', step)).body.metadata.title).toBe('1');
  });

  test('gets the response of a request whose caller disconnected', async () => {
    const { session_id, action_id } = await counting();
    const body = { session_id, action_id: 'S7', value: '1', idempotency_key: newName() };
    const gone = new AbortController();
    const sent = fetch(`${product.url}/step`, {
      method: 'POST',
      headers: { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: gone.signal,
    });
    await expect
      .poll(async () => {
        const read = await callApi(product.url, 'GET', `/session/${session_id}`, { key: product.key });
        return read.body.expires_at;
      })
      .toBeNull();
    gone.abort();
    await expect(sent).rejects.toThrow();
    expect((await post('/step', body)).status).toBe(200);
    expect((await post('/step', { session_id, action_id })).body.metadata.title).toBe('1');
  });
});

test('Another request with the same idempotency_key is refused', async () => {
  const idempotency_key = newName();
  await post('/session/start', { idempotency_key });
  const { status, body } = await post('/session/start', { idempotency_key, session_timeout_minutes: 7 });
  expect([status, body.code, body.errors[0].path]).toEqual([422, 'VALIDATION_ERROR', 'idempotency_key']);
});

test('Accounts do not share idempotency keys', async () => {
  const other = await addAccount(product.started.store, product.started.clock, 'other');
  const start = { idempotency_key: newName() };
  const mine = await post('/session/start', start);
  const theirs = await post('/session/start', start, other.key);
  expect(theirs.status).toBe(200);
  expect(theirs.body.session_id).not.toBe(mine.body.session_id);
});

test('idempotencyKey works over GraphQL too', async () => {
  const query = 'mutation ($key: String) { startSession(input: { idempotencyKey: $key }) { id } }';
  const ask = () => callGraphql(product.url, product.key, query, { key: 'graphql-1' });
  const [first, again] = [await ask(), await ask()];
  expect(again.body.data.startSession.id).toBe(first.body.data.startSession.id);
});
