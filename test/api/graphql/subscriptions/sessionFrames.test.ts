import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../../support/callApi.ts';
import { type ServedPages, servePages } from '../../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { addAccount } from '../../../support/startService.ts';
import { overEvents, overSocket, type SubscriptionResult } from '../../../support/subscribe.ts';

let product: TestProduct;
let pages: ServedPages;
beforeAll(async () => {
  pages = await servePages({
    '/': '<title>One</title><body style="background:#fff"><button onclick="document.body.style.background=\'#00f\'">Blue</button><a href="/two" target="_blank">Two</a>',
    '/two': '<title>Two</title><body style="background:#f00">',
    '/moving':
      '<title>Moving</title><script>let i = 0; const draw = () => { document.body.style.background = "hsl(" + (i++ % 360) + " 90% 50%)"; requestAnimationFrame(draw); }; onload = draw;</script>',
  });
  product = await startTestProduct();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const QUERY =
  'subscription ($id: ID!, $maxWidth: Int, $quality: Int) { sessionFrames(sessionId: $id, maxWidth: $maxWidth, quality: $quality) { image tabId width height at } }';

const rest = async (path: string, body: object) =>
  (await callApi(product.url, 'POST', path, { key: product.key, body })).body;
const start = async (): Promise<string> => (await rest('/session/start', {})).session_id;
const observe = (session_id: string, path: string) =>
  rest('/env/observe', { session_id, url: `${pages.url}${path}` });
const close = (session_id: string) => rest('/session/close', { session_id });

/** Width and height from the start-of-frame segment of a JPEG (ITU T.81, B.2.2). */
function sizeOf(image: string): { width: number; height: number } {
  const bytes = Buffer.from(image, 'base64');
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  throw new Error('the picture is no JPEG');
}

async function nextFrame(frames: AsyncIterator<SubscriptionResult>) {
  const { done, value } = await frames.next();
  if (done || value.data == null) throw new Error(`no frame: ${JSON.stringify(value)}`);
  return value.data.sessionFrames;
}

describe.each([
  ['WebSocket', overSocket],
  ['server-sent events', overEvents],
] as const)('sessionFrames over %s', (_transport, subscribe) => {
  const watch = (id: string, more: object = {}, key = product.key) =>
    subscribe({ url: product.url, key }, QUERY, { id, ...more });

  test('returns the page as it is, then as it changes, and ends with the session', async () => {
    const id = await start();
    const { space } = await observe(id, '/');
    const frames = watch(id, { maxWidth: 320 });
    const first = await nextFrame(frames);
    expect(first).toMatchObject({ tabId: 'T1', width: 1280, height: 720 });
    expect(sizeOf(first.image)).toEqual({ width: 320, height: 180 });
    const blue = space.actions.find((action: { name: string }) => action.name === 'Blue').id;
    await rest('/env/step', { session_id: id, action_id: blue });
    expect((await nextFrame(frames)).image).not.toBe(first.image);
    await close(id);
    for await (const frame of frames) expect(frame.data).toBeDefined();
  });

  test('answers VALIDATION_ERROR for an invalid width or quality, SESSION_NOT_FOUND to another account, and SESSION_CLOSED after the end', async () => {
    const id = await start();
    for (const more of [{ maxWidth: 1 }, { quality: 101 }]) {
      const { value } = await watch(id, more).next();
      expect(value?.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
    }
    const { key } = await addAccount(product.started.store, product.started.clock, 'stranger');
    const { value: refused } = await watch(id, {}, key).next();
    expect(refused?.errors?.[0]?.extensions.code).toBe('SESSION_NOT_FOUND');
    await close(id);
    const { value } = await watch(id).next();
    expect(value?.errors?.[0]?.extensions.code).toBe('SESSION_CLOSED');
  });
});

const watch = (id: string) => overSocket({ url: product.url, key: product.key }, QUERY, { id });

test('sessionFrames follows the active tab', async () => {
  const id = await start();
  const { space } = await observe(id, '/');
  const frames = watch(id);
  expect((await nextFrame(frames)).tabId).toBe('T1');
  const two = space.actions.find((action: { name: string }) => action.name === 'Two').id;
  await rest('/env/step', { session_id: id, action_id: two });
  let frame = await nextFrame(frames);
  while (frame.tabId === 'T1') frame = await nextFrame(frames);
  expect(frame.tabId).toBe('T2');
  await frames.return();
  await close(id);
});

test('sessionFrames gives a later reader the present picture at once, in its own size', async () => {
  const id = await start();
  await observe(id, '/');
  const sized = (maxWidth: number) =>
    overSocket({ url: product.url, key: product.key }, QUERY, { id, maxWidth });
  const large = sized(1_280);
  const first = await nextFrame(large);
  const small = sized(320);
  const second = await nextFrame(small);
  expect([sizeOf(first.image).width, sizeOf(second.image)]).toEqual([1280, { width: 320, height: 180 }]);
  await Promise.all([large.return(), small.return()]);
  await close(id);
});

test('sessionFrames answers RATE_LIMITED to the fifty-first subscriber of a session', async () => {
  const id = await start();
  const readers = Array.from({ length: 50 }, () => watch(id));
  await Promise.all(readers.map(nextFrame));
  const { value } = await watch(id).next();
  expect(value?.errors?.[0]?.extensions.code).toBe('RATE_LIMITED');
  await Promise.all(readers.map(reader => reader.return()));
  await close(id);
});

test('sessionFrames drops frames for a stalled reader and affects no other', async () => {
  const id = await start();
  await observe(id, '/moving');
  // Other tests of the same process have buffers too.
  const { arrayBuffers: before } = process.memoryUsage();
  const body = JSON.stringify({ query: QUERY, variables: { id, maxWidth: 1280, quality: 100 } });
  const socket = connect(product.port, '127.0.0.1');
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.key}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  socket.pause();
  const brisk = watch(id);
  for (let n = 0; n < 15; n++) await nextFrame(brisk);
  const read = await callApi(product.url, 'GET', `/session/${id}`, { key: product.key });
  expect(read.body.status).toBe('active');
  await brisk.return();
  socket.destroy();
  await close(id);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
});
