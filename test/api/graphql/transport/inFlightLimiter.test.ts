import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { callApi } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  opened.push(socket.on('error', () => undefined));
  await once(socket, 'open');
  return socket;
}

async function authenticatedSocket(): Promise<WebSocket> {
  const socket = await openSocket();
  const payload = { authorization: `Bearer ${product.key}` };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  await once(socket, 'message');
  return socket;
}

const subscribe = (id: string, query: string, variables = {}): string =>
  JSON.stringify({ id, type: 'subscribe', payload: { query, variables } });
const WATCH = 'subscription { sessionStatusChanged { id } }';

async function openSockets(): Promise<number> {
  const { text } = await callApi(product.url, 'GET', '/metrics');
  return Number(/^pagespace_websockets (\d+)$/m.exec(text)?.[1]);
}

/** Sends messages as long as the socket is open, and reads no responses. */
function flood(socket: WebSocket, message: (index: number) => string): void {
  socket.pause();
  let index = 0;
  const send = () => {
    if (socket.readyState !== socket.OPEN || index > 20_000) return;
    socket.send(message(index++), () => setImmediate(send));
  };
  send();
}

describe('the server terminates a socket that sends and does not read', () => {
  test('when it sends pings', async () => {
    flood(await authenticatedSocket(), () =>
      JSON.stringify({ type: 'ping', payload: { a: 'x'.repeat(50_000) } }),
    );
    await expect.poll(openSockets, { timeout: 25_000 }).toBe(0);
  });

  test('when it starts operations and completes them before their response', async () => {
    // Small requests with responses of more than a kilobyte, which fill the buffers soon.
    const wrong = `{ ${'x'.repeat(2_000)} }`;
    flood(await authenticatedSocket(), index =>
      index % 2 === 0
        ? subscribe(`${index}`, wrong)
        : JSON.stringify({ id: `${index - 1}`, type: 'complete' }),
    );
    await expect.poll(openSockets, { timeout: 25_000 }).toBe(0);
  });
});

describe('the server closes a socket', () => {
  test('with 1009 when it sends too many bytes before it is authenticated', async () => {
    const socket = await openSocket();
    // Fewer messages than the limit of messages in progress (300), which would close the socket with 4429.
    for (let pings = 0; pings < 250; pings++)
      socket.send(JSON.stringify({ type: 'ping', payload: { a: 'x'.repeat(300) } }));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1009);
  });

  test('with 4429 when it starts more than 100 operations at once', async () => {
    const socket = await authenticatedSocket();
    for (let id = 0; id <= 100; id++) socket.send(subscribe(`${id}`, WATCH));
    const [code] = await once(socket, 'close');
    expect(code).toBe(4429);
  });

  test('with 4409 when it uses an id twice, even a very long one', async () => {
    const socket = await authenticatedSocket();
    const id = 'é'.repeat(500);
    for (let times = 0; times < 2; times++) socket.send(subscribe(id, WATCH));
    const [code, reason] = await once(socket, 'close');
    expect(code).toBe(4409);
    expect(String(reason)).toMatch(/^Subscriber for éé/);
    expect(product.logLines.filter(line => line.level >= 50)).toEqual([]);
  });
});

test('an authenticated socket can send a step with a value of maximum length', async () => {
  const socket = await authenticatedSocket();
  const input = { sessionId: 'x', actionId: 'B1', value: 'x'.repeat(1_000_000) };
  const query = 'mutation ($input: StepInput!) { step(input: $input) { session { id } } }';
  socket.send(subscribe('1', query, { input }));
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message)).payload.errors[0].extensions.code).toBe('SESSION_NOT_FOUND');
});

test('a document with several operations and no operationName answers VALIDATION_ERROR', async () => {
  const socket = await authenticatedSocket();
  socket.send(subscribe('1', 'query A { viewer { keyId } } query B { viewer { keyId } }'));
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message))).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'VALIDATION_ERROR', status: 422 } }],
  });
});

test('the server negotiates no compression, so no message can be a decompression bomb', async () => {
  expect((await openSocket()).extensions).toBe('');
});
