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
  started = await startService();
});
afterAll(() => started[Symbol.asyncDispose]());

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

/** A connection that the server has taken. */
async function hold(server: TestServer, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
  held.push(socket);
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** A request on a connection of its own. */
async function ask(
  server: TestServer,
  options: RequestOptions = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: string }> {
  const agent = new Agent();
  const asking = request({ port: server.port, host: '127.0.0.1', path: '/health', agent, ...options });
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  const body = await text(answer);
  agent.destroy();
  return { status: answer.statusCode, headers: answer.headers, body };
}

describe('a connection beyond the limit', () => {
  test('is told so, when to come again, and closed', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 2, perAddress: null },
    });
    await hold(server);
    await hold(server);
    const answer = await ask(server);
    expect(answer).toMatchObject({
      status: 503,
      headers: {
        'retry-after': '5',
        connection: 'close',
        'content-type': expect.stringContaining('problem+json'),
      },
    });
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'TOO_MANY_CONNECTIONS',
      retryable: true,
      detail: expect.stringContaining('2 connections already'),
    });
  });

  test('is told in the form of GraphQL at /graphql', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 1, perAddress: null },
    });
    await hold(server);
    const { body } = await ask(server, { path: '/graphql', method: 'POST' });
    expect(JSON.parse(body).errors[0].extensions.code).toBe('TOO_MANY_CONNECTIONS');
  });

  test('gets no WebSocket', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 1, perAddress: null },
    });
    await hold(server);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/graphql`, 'graphql-transport-ws');
    const [error] = await once(socket, 'error');
    expect(error.message).toMatch(/503/);
  });

  test('is none any more when another has ended', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: 1, perAddress: null },
    });
    const first = await hold(server);
    expect((await ask(server)).status).toBe(503);
    first.destroy();
    await expect.poll(async () => (await ask(server)).status).toBe(200);
  });

  test('is counted for its network address alone where that has a limit', async () => {
    await using server = await startTestServer(started.service, {
      connections: { total: null, perAddress: 1 },
    });
    await hold(server, '127.0.0.2');
    const again = await ask(server, { localAddress: '127.0.0.2' });
    expect(again.status).toBe(503);
    expect(JSON.parse(again.body).detail).toMatch(/^Your network address has 1 connections/);
    expect((await ask(server, { localAddress: '127.0.0.3' })).status).toBe(200);
  });

  test('is not counted by address behind a proxy, whose address all callers have', async () => {
    const connections = { total: null, perAddress: 1 };
    await using server = await startTestServer(started.service, { connections, trustedProxies: 1 });
    await hold(server);
    expect((await ask(server)).status).toBe(200);
  });

  test('is cut off without a word where a hundred others are being told already', async () => {
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
