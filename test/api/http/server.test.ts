import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

describe('request ids', () => {
  const idFor = async (sent?: string) => {
    const headers = sent === undefined ? {} : { 'x-request-id': sent };
    return (await callApi(product.url, 'GET', '/health', { headers })).headers.get('x-request-id');
  };

  test('are made where none is sent', async () => {
    expect(await idFor()).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('are taken over when they are sane', async () => {
    expect(await idFor('trace-42:a/b')).toBe('trace-42:a/b');
  });

  test.each(['with space', 'x'.repeat(129), '<script>', '"quoted"'])('are made anew for %j', async sent => {
    expect(await idFor(sent)).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test.each(['/health', '/nope', '/docs', '/session/start', '/graphql'])(
  '%s names the version and is not to be sniffed',
  async path => {
    const { headers } = await callApi(product.url, 'GET', path);
    expect(headers.get('x-pagespace-version')).toBe('0.0.0-test');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('no origin is let in by CORS', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const answer = await callApi(product.url, 'OPTIONS', '/graphql', { headers });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

describe('a body that is too large', () => {
  const large = 'x'.repeat(20_000_000);

  test.each(['/session/start', '/graphql'])('is refused at %s by its length', async path => {
    const answer = await callApi(product.url, 'POST', path, { key: product.key, body: large });
    expect(answer.status).toBe(413);
    const code = path === '/graphql' ? answer.body.errors[0].extensions.code : answer.body.code;
    expect(code).toBe('BODY_TOO_LARGE');
  });

  test('is refused while it comes in pieces, without being read whole', async () => {
    const { port } = product;
    const headers = { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' };
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/session/start', headers });
    sending.on('error', () => undefined);
    const answered = once(sending, 'response');
    const piece = Buffer.alloc(64_000, 120);
    let pieces = 0;
    const send = (): void => {
      // 20 MB would be 312 pieces.
      while (pieces < 312 && sending.writable) {
        pieces += 1;
        if (!sending.write(piece)) {
          sending.once('drain', send);
          return;
        }
      }
    };
    send();
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    sending.destroy();
  });

  test('is refused before it is sent when the caller asks first', async () => {
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

  test('costs the service nothing: the next call is answered', async () => {
    expect((await callApi(product.url, 'GET', '/health')).status).toBe(200);
  });
});

test('a caller that asks first and is let through is answered', async () => {
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

test('an offer of another protocol is no upgrade: the request is answered', async () => {
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

test('a secret of the caller is never logged', async () => {
  await callApi(product.url, 'POST', '/session/start', { key: product.key, body: { unknown: 'hunter2' } });
  await expect.poll(() => JSON.stringify(product.logLines)).toContain('/session/start');
  const logged = JSON.stringify(product.logLines);
  expect(logged).not.toContain(product.key);
  expect(logged).not.toContain('hunter2');
});

test('what is no HTTP is answered 400 and cut off', async () => {
  const socket = connect(product.port, '127.0.0.1');
  socket.write('nonsense\r\n\r\n');
  const [data] = await once(socket, 'data');
  expect(String(data)).toMatch(/^HTTP\/1\.1 400 /);
  await once(socket, 'close');
});

test('when the caller goes away, the operation is told', async () => {
  const told = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  await using doors = await startTestServer({
    ...product.started.service,
    start: async (_viewer, { signal }) => {
      begun.resolve();
      await once(signal, 'abort');
      told.resolve();
      throw signal.reason;
    },
  });
  const gone = new AbortController();
  const calling = fetch(`${doors.url}/session/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' },
    body: '{}',
    signal: gone.signal,
  }).catch(() => null);
  await begun.promise;
  gone.abort();
  await calling;
  await told.promise;
});

test('/ready says when there is no room', async () => {
  await using full = await startTestServer({ ...product.started.service, hasCapacity: () => false });
  expect(await callApi(full.url, 'GET', '/ready')).toMatchObject({
    status: 503,
    body: { status: 'at_capacity' },
  });
});

test('/metrics counts requests by path and status, and no path of a caller makes a label', async () => {
  await using doors = await startTestServer(product.started.service);
  await callApi(doors.url, 'GET', '/nope/a-path-of-the-callers');
  await callGraphql(doors.url, product.key, '{ viewer { keyId } }');
  const { text } = await callApi(doors.url, 'GET', '/metrics');
  expect(text).toContain('pagespace_http_requests_total{path="/graphql",status="200"} 1');
  expect(text).toContain('pagespace_http_requests_total{path="other",status="404"} 1');
  expect(text).not.toContain('a-path-of-the-callers');
});
