import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../support/startServer.ts';
import { type StartedService, startService } from '../../support/startService.ts';

let started: StartedService;
beforeAll(async () => {
  started = await startService({ browser: 'fake' });
});
afterAll(() => started[Symbol.asyncDispose]());

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

/** Opens a connection and waits until the server has accepted it. */
async function hold(server: TestServer, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
  held.push(socket);
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Sends a request on a new connection. */
async function ask(
  server: TestServer,
  options: RequestOptions = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: string }> {
  const agent = new Agent();
  const asking = request({ port: server.port, host: '127.0.0.1', path: '/health', agent, ...options });
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const body = await text(response);
  agent.destroy();
  return { status: response.statusCode, headers: response.headers, body };
}

describe('A connection above the limit', () => {
  test('gets 503 TOO_MANY_CONNECTIONS with Retry-After and is closed', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 2, perAddress: null },
    });
    await hold(server);
    await hold(server);
    const response = await ask(server);
    expect(response).toMatchObject({
      status: 503,
      headers: {
        'retry-after': '5',
        connection: 'close',
        'content-type': expect.stringContaining('problem+json'),
      },
    });
    expect(JSON.parse(response.body)).toMatchObject({
      code: 'TOO_MANY_CONNECTIONS',
      retryable: true,
      detail: expect.stringContaining('2 connections already'),
    });
  });

  test('gets a GraphQL error at /graphql', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 1, perAddress: null },
    });
    await hold(server);
    const { body } = await ask(server, { path: '/graphql', method: 'POST' });
    expect(JSON.parse(body).errors[0].extensions.code).toBe('TOO_MANY_CONNECTIONS');
  });

  test('cannot open a WebSocket', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 1, perAddress: null },
    });
    await hold(server);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/graphql`, 'graphql-transport-ws');
    const [error] = await once(socket, 'error');
    expect(error.message).toMatch(/503/);
  });

  test('is accepted after another connection has closed', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 1, perAddress: null },
    });
    const first = await hold(server);
    expect((await ask(server)).status).toBe(503);
    first.destroy();
    await expect.poll(async () => (await ask(server)).status).toBe(200);
  });

  test('is counted per network address when that has a limit', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: null, perAddress: 1 },
    });
    await hold(server, '127.0.0.2');
    const again = await ask(server, { localAddress: '127.0.0.2' });
    expect(again.status).toBe(503);
    expect(JSON.parse(again.body).detail).toMatch(/^Your network address has 1 connections/);
    expect((await ask(server, { localAddress: '127.0.0.3' })).status).toBe(200);
  });

  test('is not counted per address behind a proxy, because all callers have the address of the proxy', async () => {
    const connections = { total: null, perAddress: 1 };
    await using server = await startTestServer(started.service, { connections, trustedProxies: 1 });
    await hold(server);
    expect((await ask(server)).status).toBe(200);
  });

  test('is closed without a response when a hundred others wait for theirs', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 1, perAddress: null },
    });
    await hold(server);
    const silent = Array.from({ length: 100 }, () => connect({ port: server.port, host: '127.0.0.1' }));
    held.push(...silent);
    await Promise.all(silent.map(socket => once(socket, 'connect')));
    await expect(ask(server)).rejects.toThrow(/socket hang up|ECONNRESET/);
  });
});
