import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Readiness } from '../../../src/service/sessions/sessionReads.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

describe('X-Request-Id', () => {
  const idFor = async (sent?: string) => {
    const headers = sent === undefined ? {} : { 'x-request-id': sent };
    return (await callApi(product.url, 'GET', '/health', { headers })).headers.get('x-request-id');
  };

  test('is a new UUID when the request has none', async () => {
    expect(await idFor()).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is the one of the request when that is valid', async () => {
    expect(await idFor('trace-42:a/b')).toBe('trace-42:a/b');
  });

  test.each(['with space', 'x'.repeat(129), '<script>', '"quoted"'])(
    'is a new UUID when the request sends %j',
    async sent => {
      expect(await idFor(sent)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

test.each(['/health', '/nope', '/docs', '/session/start', '/graphql'])(
  '%s has X-Pagespace-Version and nosniff, and no CORS header',
  async path => {
    const { headers } = await callApi(product.url, 'GET', path);
    expect(headers.get('x-pagespace-version')).toBe('0.0.0-test');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('OPTIONS with an Origin gets 405 and no CORS header', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const answer = await callApi(product.url, 'OPTIONS', '/graphql', { headers });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

describe('A body that is too large gets 413', () => {
  const large = 'x'.repeat(20_000_000);

  test.each(['/session/start', '/graphql'])('at %s by its Content-Length', async path => {
    const answer = await callApi(product.url, 'POST', path, { key: product.key, body: large });
    expect(answer.status).toBe(413);
    const code = path === '/graphql' ? answer.body.errors[0].extensions.code : answer.body.code;
    expect(code).toBe('BODY_TOO_LARGE');
  });

  test('while it arrives in chunks, before all of it is read', async () => {
    const { port } = product;
    const headers = { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' };
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/session/start', headers });
    sending.on('error', () => undefined);
    const responded = once(sending, 'response');
    const chunk = Buffer.alloc(64_000, 120);
    let chunks = 0;
    const send = (): void => {
      // 312 chunks are 20 MB.
      while (chunks < 312 && sending.writable) {
        chunks += 1;
        if (!sending.write(chunk)) {
          sending.once('drain', send);
          return;
        }
      }
    };
    send();
    const [response] = await responded;
    expect(response.statusCode).toBe(413);
    sending.destroy();
  });

  test('before it is sent when the client expects 100-continue', async () => {
    const headers = {
      authorization: `Bearer ${product.key}`,
      'content-type': 'application/json',
      'content-length': 20_000_000,
      expect: '100-continue',
    };
    const sending = request({
      port: product.port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/session/start',
      headers,
    });
    sending.on('error', () => undefined);
    let invited = false;
    sending.on('continue', () => {
      invited = true;
    });
    sending.flushHeaders();
    const [response] = await once(sending, 'response');
    expect(response.statusCode).toBe(413);
    expect(invited).toBe(false);
    sending.destroy();
  });

  test('and the next request is answered', async () => {
    expect((await callApi(product.url, 'GET', '/health')).status).toBe(200);
  });
});

test('A request that expects 100-continue gets 100 and then its response', async () => {
  const headers = {
    authorization: `Bearer ${product.key}`,
    'content-type': 'application/json',
    expect: '100-continue',
  };
  const sending = request({
    port: product.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/session/start',
    headers,
  });
  sending.on('continue', () => sending.end('{}'));
  sending.flushHeaders();
  const [response] = await once(sending, 'response');
  response.resume();
  expect(response.statusCode).toBe(200);
});

test('A request that offers Upgrade: h2c is answered over HTTP/1.1', async () => {
  const headers = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAAP__',
  };
  const asking = request({ port: product.port, host: '127.0.0.1', path: '/health', headers });
  asking.end();
  const [response] = await once(asking, 'response');
  response.resume();
  expect(response.statusCode).toBe(200);
});

test('The log has no API key and no field of a body', async () => {
  await callApi(product.url, 'POST', '/session/start', { key: product.key, body: { unknown: 'hunter2' } });
  await expect.poll(() => JSON.stringify(product.logLines)).toContain('/session/start');
  const logged = JSON.stringify(product.logLines);
  expect(logged).not.toContain(product.key);
  expect(logged).not.toContain('hunter2');
});

test('Bytes that are not HTTP get 400, and the connection is closed', async () => {
  const socket = connect(product.port, '127.0.0.1');
  socket.write('nonsense\r\n\r\n');
  const [data] = await once(socket, 'data');
  expect(String(data)).toMatch(/^HTTP\/1\.1 400 /);
  await once(socket, 'close');
});

test('The signal of an operation aborts when its caller disconnects', async () => {
  const aborted = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  await using server = await startTestServer({
    ...product.started.service,
    start: async (_viewer, { signal }) => {
      started.resolve();
      await once(signal, 'abort');
      aborted.resolve();
      throw signal.reason;
    },
  });
  const gone = new AbortController();
  const calling = fetch(`${server.url}/session/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' },
    body: '{}',
    signal: gone.signal,
  }).catch(() => null);
  await started.promise;
  gone.abort();
  await calling;
  await aborted.promise;
});

test('GET /ready answers 503 when the service is at capacity', async () => {
  await using full = await startTestServer({
    ...product.started.service,
    readiness: () => 'at_capacity' as const,
  });
  expect(await callApi(full.url, 'GET', '/ready')).toMatchObject({
    status: 503,
    body: { status: 'at_capacity' },
  });
});

test('GET /ready?capacity=ignore answers 200 at capacity, and 503 for any other reason', async () => {
  let status: Readiness = 'at_capacity';
  await using server = await startTestServer({ ...product.started.service, readiness: () => status });
  const probe = () => callApi(server.url, 'GET', '/ready?capacity=ignore');
  expect(await probe()).toMatchObject({ status: 200, body: { status: 'ready' } });
  status = 'draining';
  expect(await probe()).toMatchObject({ status: 503, body: { status: 'draining' } });
  // A drain is no reason to restart the process.
  expect((await callApi(server.url, 'GET', '/health')).status).toBe(200);
});

test('/metrics names a REST route by its path with placeholders', async () => {
  await using server = await startTestServer(product.started.service);
  for (const path of ['/session/1', '/v1/session/2', '/session/3/downloads'])
    await callApi(server.url, 'GET', path, { key: product.key });
  const { text } = await callApi(server.url, 'GET', '/metrics');
  expect(text).toContain('requests_total{path="/session/{session_id}",status="404"} 2');
  expect(text).toContain('requests_total{path="/session/{session_id}/downloads",status="404"} 1');
});

test('/metrics counts requests by route and status; unknown paths share one label', async () => {
  await using server = await startTestServer(product.started.service);
  await callApi(server.url, 'GET', '/nope/a-path-of-the-callers');
  await callGraphql(server.url, product.key, '{ viewer { keyId } }');
  const { text } = await callApi(server.url, 'GET', '/metrics');
  expect(text).toContain('pagespace_http_requests_total{path="/graphql",status="200"} 1');
  expect(text).toContain('pagespace_http_requests_total{path="other",status="404"} 1');
  expect(text).not.toContain('a-path-of-the-callers');
});
