import { once } from 'node:events';
import { connect } from 'node:net';
import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { manualClock } from '../../../support/manualClock.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';
import { overSocket } from '../../../support/subscribe.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const UNKNOWN = '0b4a7c5e-0000-4000-8000-000000000000';
const WATCH = 'subscription { sessionStatusChanged { id status } }';

const client = (key: string | null, url = product.url): Client =>
  createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(key !== null && { connectionParams: { authorization: `Bearer ${key}` } }),
  });

describe('GraphQL over WebSocket', () => {
  const closeEvent = async (socket: WebSocket): Promise<{ code: number; reason: string }> => {
    const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    return promise;
  };
  const open = async (path = '/graphql'): Promise<WebSocket> => {
    const socket = new WebSocket(`${product.url.replace('http', 'ws')}${path}`, 'graphql-transport-ws');
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return socket;
  };

  test.each([
    ['MISSING_API_KEY', undefined],
    ['INVALID_API_KEY', { authorization: 'Bearer psk_nonsense' }],
    ['MISSING_API_KEY', { authorization: 7 }],
  ])('is closed with 4403 and %s for connectionParams %j', async (reason, payload) => {
    const socket = await open();
    const end = closeEvent(socket);
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    expect(await end).toEqual({ code: 4403, reason });
  });

  test('is closed with 4401 when an operation comes before connection_init', async () => {
    const socket = await open();
    const end = closeEvent(socket);
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ viewer { keyId } }' } }));
    expect((await end).code).toBe(4401);
  });

  test('is closed with 4408 and gone seconds after its opening without connection_init, also if its client does not respond', async () => {
    const silent = connect(product.port, '127.0.0.1');
    const key = Buffer.alloc(16).toString('base64');
    silent.write(
      `GET /graphql HTTP/1.1\r\nHost: 127.0.0.1:${product.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
    );
    const openedAt = performance.now();
    const received: Buffer[] = [];
    silent.on('data', data => received.push(data));
    await once(silent, 'close');
    const code = Buffer.alloc(2);
    code.writeUInt16BE(4408);
    expect(Buffer.concat(received).includes(code)).toBe(true);
    expect(performance.now() - openedAt).toBeLessThan(15_000);
  });

  test('is closed with 4400 after a message that is not of the protocol', async () => {
    const socket = await open();
    const end = closeEvent(socket);
    socket.send('nonsense');
    expect((await end).code).toBe(4400);
  });

  test('is closed with 1009 when a message is too large', async () => {
    const socket = await open();
    const end = closeEvent(socket);
    socket.send('x'.repeat(2_000_001));
    expect((await end).code).toBe(1009);
  });

  test('is closed with 4403 when its key was revoked by another process', async () => {
    const clock = manualClock();
    await using own = await startTestProduct({ clock, browser: 'fake' });
    const { store, account, viewer } = own.started;
    const socket = client(own.key, own.url);
    const watching = socket.iterate({ query: WATCH }).next();
    watching.catch(() => {});
    const response = await socket.iterate({ query: '{ viewer { keyId } }' }).next();
    expect(response.value.data.viewer.keyId).toBe(viewer.keyId);
    await store.accounts.revokeKey(account.id, viewer.keyId, clock.now());
    // The cache of keys expires after five seconds.
    clock.advance(5_000);
    await expect(watching).rejects.toMatchObject({ code: 4403, reason: 'REVOKED_API_KEY' });
    await socket.dispose();
  });

  test('runs queries and mutations, with the failures of HTTP', async () => {
    const socket = client(product.key);
    const query = `mutation { closeSession(input: {sessionId: "${UNKNOWN}"}) { id } }`;
    const { value } = await socket.iterate({ query }).next();
    expect(value.errors[0].extensions).toMatchObject({ code: 'SESSION_NOT_FOUND', status: 404 });
    await socket.dispose();
  });

  test('applies the limits of operations', async () => {
    const fields = Array.from({ length: 51 }, (_, index) => `a${index}: keyId`).join(' ');
    const { value } = await overSocket(product, `{ viewer { ${fields} } }`).next();
    expect(value?.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
  });

  test.each(['/', '/nope', '/session/start'])('answers 404 at %s', async path => {
    await expect(open(path)).rejects.toThrow('404');
  });
});
