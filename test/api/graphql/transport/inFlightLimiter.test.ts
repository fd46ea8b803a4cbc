import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { callApi } from '../../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../../support/startServer.ts';

let doors: TestProduct;
beforeAll(async () => {
  doors = await startTestProduct();
});
afterAll(() => doors[Symbol.asyncDispose]());

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

async function stranger(): Promise<WebSocket> {
  const socket = new WebSocket(`${doors.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  opened.push(socket.on('error', () => undefined));
  await once(socket, 'open');
  return socket;
}

async function known(): Promise<WebSocket> {
  const socket = await stranger();
  const payload = { authorization: `Bearer ${doors.key}` };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  await once(socket, 'message');
  return socket;
}

const subscribe = (id: string, query: string, variables = {}): string =>
  JSON.stringify({ id, type: 'subscribe', payload: { query, variables } });
const WATCH = 'subscription { sessionStatusChanged { id } }';

async function openSockets(): Promise<number> {
  const { text } = await callApi(doors.url, 'GET', '/metrics');
  return Number(/^pagespace_websockets (\d+)$/m.exec(text)?.[1]);
}

/** Sends the same again and again without reading what is answered, for as long as the socket takes it. */
function flood(socket: WebSocket, message: (index: number) => string): void {
  socket.pause();
  let index = 0;
  const send = () => {
    if (socket.readyState !== socket.OPEN || index > 20_000) return;
    socket.send(message(index++), () => setImmediate(send));
  };
  send();
}

describe('a socket that asks and does not read is cut off', () => {
  test('when it pings', async () => {
    flood(await known(), () => JSON.stringify({ type: 'ping', payload: { a: 'x'.repeat(50_000) } }));
    await expect.poll(openSockets, { timeout: 25_000 }).toBe(0);
  });

  test('when it begins operations and ends them before they are answered', async () => {
    const wrong = `{ ${'x'.repeat(50_000)} }`;
    flood(await known(), index =>
      index % 2 === 0
        ? subscribe(`${index}`, wrong)
        : JSON.stringify({ id: `${index - 1}`, type: 'complete' }),
    );
    await expect.poll(openSockets, { timeout: 25_000 }).toBe(0);
  });
});

describe('a socket is closed', () => {
  test('with 1009 when it sends much before it has said who it is, in however small pieces', async () => {
    const socket = await stranger();
    for (let pings = 0; pings < 700; pings++)
      socket.send(JSON.stringify({ type: 'ping', payload: { a: 'x'.repeat(100) } }));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1009);
  });

  test('with 4408 when it does not say who it is', async () => {
    const [code] = await once(await stranger(), 'close');
    expect(code).toBe(4408);
  }, 10_000);

  test('with 4429 when it asks for one operation more than it may have at once', async () => {
    const socket = await known();
    for (let id = 0; id <= 100; id++) socket.send(subscribe(`${id}`, WATCH));
    const [code] = await once(socket, 'close');
    expect(code).toBe(4429);
  });

  test('with 4409 when it uses an id twice, however long the id', async () => {
    const socket = await known();
    const id = 'é'.repeat(500);
    for (let times = 0; times < 2; times++) socket.send(subscribe(id, WATCH));
    const [code, reason] = await once(socket, 'close');
    expect(code).toBe(4409);
    expect(String(reason)).toMatch(/^Subscriber for éé/);
    expect(doors.logLines.filter(line => line.level >= 50)).toEqual([]);
  });
});

test('a socket that has said who it is may send a value as long as a step takes', async () => {
  const socket = await known();
  const input = { sessionId: 'x', actionId: 'B1', value: 'x'.repeat(1_000_000) };
  const query = 'mutation ($input: StepInput!) { step(input: $input) { session { id } } }';
  socket.send(subscribe('1', query, { input }));
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message)).payload.errors[0].extensions.code).toBe('SESSION_NOT_FOUND');
});

test('a document of which no operation is named is refused as over HTTP', async () => {
  const socket = await known();
  socket.send(subscribe('1', 'query A { viewer { keyId } } query B { viewer { keyId } }'));
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message))).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'VALIDATION_ERROR', status: 422 } }],
  });
});

test('messages are not unpacked: compression, and the bombs that come with it, are not spoken', async () => {
  expect((await stranger()).extensions).toBe('');
});
