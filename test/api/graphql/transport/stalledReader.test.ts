import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { SessionUpdate } from '../../../../src/domain/ports/eventBus.ts';
import { newSession } from '../../../../src/domain/session/session.ts';
import { callApi } from '../../../support/callApi.ts';
import { startTestServer, type TestServer } from '../../../support/startServer.ts';
import { type StartedService, startService } from '../../../support/startService.ts';

let started: StartedService;
let server: TestServer;
/** Number of updates read from the bus. */
let taken = 0;

/** Yields updates without end; each is a kilobyte on the wire. */
async function* flood(signal?: AbortSignal): AsyncGenerator<SessionUpdate> {
  const session = {
    ...newSession({ id: 'x', accountId: 'a', at: 0, timeoutMinutes: 5 }),
    pageTitle: 'x'.repeat(1_000),
  };
  const events = [{ sessionId: 'x', seq: 1, event: { type: 'created', at: 0 } }] as const;
  while (signal?.aborted !== true) {
    taken += 1;
    yield { session, events };
  }
}

beforeAll(async () => {
  started = await startService({ browser: 'fake' });
  server = await startTestServer({
    ...started.service,
    sessionUpdates: (_viewer, options) => flood(options?.signal),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

const QUERY = 'subscription { sessionStatusChanged { pageTitle } }';

/** Waits until no more updates are read. Never resolves while reading goes on, so that the test times out. */
async function standstill(): Promise<void> {
  let before = -1;
  while (before !== taken || taken === 0) {
    before = taken;
    for (let turns = 0; turns < 200; turns += 1) await turn();
  }
}

/** The buffers of two sockets hold a few megabytes; a service with a buffer of its own would read more. */
const MAX_TAKEN = 30_000;

test('a stalled reader of server-sent events stops only its own subscription', async () => {
  taken = 0;
  const body = JSON.stringify({ query: QUERY });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${started.key}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  await standstill();
  expect(taken).toBeLessThan(MAX_TAKEN);
  expect((await callApi(server.url, 'GET', '/health')).status).toBe(200);
  socket.destroy();
});

test('a stalled WebSocket stops only its own subscription', async () => {
  taken = 0;
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(
    JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${started.key}` } }),
  );
  await once(socket, 'message');
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY } }));
  socket.pause();
  await standstill();
  expect(taken).toBeLessThan(MAX_TAKEN);
  expect((await callApi(server.url, 'GET', '/health')).status).toBe(200);
  socket.terminate();
});
