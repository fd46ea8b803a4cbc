import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

describe('shutdown', () => {
  test('lets running requests finish, and tells new callers when to come again for as long', async () => {
    const begun = Promise.withResolvers<void>();
    const may = Promise.withResolvers<void>();
    const { service } = product.started;
    const doors = await startTestServer({
      ...service,
      start: async (viewer, command) => {
        begun.resolve();
        await may.promise;
        return service.start(viewer, command);
      },
    });
    const running = callApi(doors.url, 'POST', '/session/start', { key: product.key, body: {} });
    await begun.promise;
    const closing = doors.close(5_000);
    const late = await callApi(doors.url, 'POST', '/session/start', { key: product.key, body: {} });
    expect(late).toMatchObject({ status: 503, body: { code: 'SHUTTING_DOWN' } });
    expect(late.headers.get('retry-after')).toBe('5');
    for (const probe of ['/health', '/ready'])
      expect(await callApi(doors.url, 'GET', probe)).toMatchObject({
        status: 503,
        body: { status: 'shutting_down' },
      });
    may.resolve();
    expect((await running).status).toBe(200);
    await closing;
    await expect(callApi(doors.url, 'GET', '/health')).rejects.toThrow();
  });

  test('answers 503 with Retry-After on a connection that is still open', async () => {
    const begun = Promise.withResolvers<void>();
    const may = Promise.withResolvers<void>();
    const { service } = product.started;
    const doors = await startTestServer({
      ...service,
      sessions: async (viewer, ids) => {
        begun.resolve();
        await may.promise;
        return service.sessions(viewer, ids);
      },
    });
    const socket = connect(doors.port, '127.0.0.1');
    const head = `Host: x\r\nAuthorization: Bearer ${product.key}\r\n\r\n`;
    let received = '';
    socket.on('data', data => {
      received += data;
    });
    // Two requests one after the other on one connection: the second is read when the first is answered.
    socket.write(
      `GET /session/0b4a7c5e-0000-4000-8000-000000000000 HTTP/1.1\r\n${head}GET /sessions HTTP/1.1\r\n${head}`,
    );
    await begun.promise;
    const closing = doors.close(5_000);
    may.resolve();
    await once(socket, 'close');
    await closing;
    expect(received).toMatch(/^HTTP\/1\.1 404 /);
    if (received.includes('HTTP/1.1 503')) expect(received.toLowerCase()).toContain('retry-after: 5');
  });

  test('cuts off at the deadline what never ends', async () => {
    const begun = Promise.withResolvers<void>();
    const doors = await startTestServer({
      ...product.started.service,
      start: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    const running = callApi(doors.url, 'POST', '/session/start', { key: product.key, body: {} });
    const outcome = running.catch(error => error);
    await begun.promise;
    await doors.close(50);
    expect(await outcome).toBeInstanceOf(Error);
  });

  test('ends event streams and closes sockets with 1001', async () => {
    const doors = await startTestServer(product.started.service);
    const query = 'subscription { sessionStatusChanged { id } }';
    const stream = await fetch(`${doors.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query }),
    });
    const closed = Promise.withResolvers<number>();
    const opened = Promise.withResolvers<void>();
    const client = createClient({
      url: `${doors.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${product.key}` },
      retryAttempts: 0,
      lazy: false,
      onNonLazyError: () => undefined,
      on: {
        connected: () => opened.resolve(),
        closed: event => closed.resolve((event as { code: number }).code),
      },
    });
    await opened.promise;
    await doors.close(5_000);
    expect(await closed.promise).toBe(1001);
    await stream.text();
    await client.dispose();
  });

  test('may be asked for twice', async () => {
    const doors = await startTestServer(product.started.service);
    await Promise.all([doors.close(1_000), doors.close(1_000)]);
  });
});
