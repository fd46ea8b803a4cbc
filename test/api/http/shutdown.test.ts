import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

describe('Server.close', () => {
  test('lets running requests finish and answers new ones with 503 SHUTTING_DOWN meanwhile', async () => {
    const started = Promise.withResolvers<void>();
    const allowed = Promise.withResolvers<void>();
    const { service } = product.started;
    const server = await startTestServer({
      ...service,
      start: async (viewer, command) => {
        started.resolve();
        await allowed.promise;
        return service.start(viewer, command);
      },
    });
    const running = callApi(server.url, 'POST', '/session/start', { key: product.key, body: {} });
    await started.promise;
    const closing = server.close(5_000);
    const late = await callApi(server.url, 'POST', '/session/start', { key: product.key, body: {} });
    expect(late).toMatchObject({ status: 503, body: { code: 'SHUTTING_DOWN' } });
    expect(late.headers.get('retry-after')).toBe('5');
    for (const probe of ['/health', '/ready'])
      expect(await callApi(server.url, 'GET', probe)).toMatchObject({
        status: 503,
        body: { status: 'shutting_down' },
      });
    allowed.resolve();
    expect((await running).status).toBe(200);
    await closing;
    await expect(callApi(server.url, 'GET', '/health')).rejects.toThrow();
  });

  test('answers 503 with Retry-After on a connection that was open before', async () => {
    const started = Promise.withResolvers<void>();
    const allowed = Promise.withResolvers<void>();
    const { service } = product.started;
    const server = await startTestServer({
      ...service,
      sessions: async (viewer, ids) => {
        started.resolve();
        await allowed.promise;
        return service.sessions(viewer, ids);
      },
    });
    const socket = connect(server.port, '127.0.0.1');
    const head = `Host: x\r\nAuthorization: Bearer ${product.key}\r\n\r\n`;
    let received = '';
    socket.on('data', data => {
      received += data;
    });
    // Two pipelined requests: the server reads the second after it has answered the first.
    socket.write(
      `GET /session/0b4a7c5e-0000-4000-8000-000000000000 HTTP/1.1\r\n${head}GET /sessions HTTP/1.1\r\n${head}`,
    );
    await started.promise;
    const closing = server.close(5_000);
    allowed.resolve();
    await once(socket, 'close');
    await closing;
    expect(received).toMatch(/^HTTP\/1\.1 404 /);
    if (received.includes('HTTP/1.1 503')) expect(received.toLowerCase()).toContain('retry-after: 5');
  });

  test('closes the connections of requests that have not finished at the deadline', async () => {
    const started = Promise.withResolvers<void>();
    const server = await startTestServer({
      ...product.started.service,
      start: () => {
        started.resolve();
        return new Promise(() => undefined);
      },
    });
    const running = callApi(server.url, 'POST', '/session/start', { key: product.key, body: {} });
    const outcome = running.catch(error => error);
    await started.promise;
    await server.close(50);
    expect(await outcome).toBeInstanceOf(Error);
  });

  test('ends event streams and closes WebSockets with 1001', async () => {
    const server = await startTestServer(product.started.service);
    const query = 'subscription { sessionStatusChanged { id } }';
    const stream = await fetch(`${server.url}/graphql`, {
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
      url: `${server.url.replace('http', 'ws')}/graphql`,
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
    await server.close(5_000);
    expect(await closed.promise).toBe(1001);
    await stream.text();
    await client.dispose();
  });

  test('can be called twice', async () => {
    const server = await startTestServer(product.started.service);
    await Promise.all([server.close(1_000), server.close(1_000)]);
  });
});
