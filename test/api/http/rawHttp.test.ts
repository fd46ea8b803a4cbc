import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

/**
 * Malformed requests, sent byte by byte. The H ids are permanent. A second request follows each of them in the same
 * packet: when the end of the first one is ambiguous, the second must not be answered (request smuggling).
 */

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(() => product[Symbol.asyncDispose]());

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

function open(port = product.port): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  held.push(socket.on('error', () => undefined));
  return socket;
}

/** Sends bytes and returns the statuses of all responses until the server closes the connection. */
async function statuses(bytes: string | Buffer, port = product.port): Promise<number[]> {
  const socket = open(port);
  let received = '';
  socket.on('data', chunk => {
    received += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

const NEXT = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (headers: string, body: string): string =>
  `POST /session/close HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}${NEXT}`;
const get = (line: string, headers = 'Host: x'): string => `${line}\r\n${headers}\r\n\r\n${NEXT}`;

describe('A malformed or ambiguous request gets 400, and the next one on the connection is not read', () => {
  test.each([
    [
      'H-001',
      'Content-Length and then chunks',
      post('Content-Length: 4\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
    ],
    [
      'H-002',
      'chunks and then Content-Length',
      post('Transfer-Encoding: chunked\r\nContent-Length: 4', '0\r\n\r\n'),
    ],
    ['H-003', 'two Content-Lengths', post('Content-Length: 2\r\nContent-Length: 4', '{}')],
    ['H-004', 'a list in Content-Length', post('Content-Length: 2, 2', '{}')],
    ['H-005', 'a Content-Length with a sign', post('Content-Length: +2', '{}')],
    ['H-006', 'a hexadecimal Content-Length', post('Content-Length: 0x2', '{}')],
    ['H-007', 'an unknown Transfer-Encoding', post('Transfer-Encoding: xchunked', '0\r\n\r\n')],
    ['H-008', 'a Transfer-Encoding after chunked', post('Transfer-Encoding: chunked, identity', '0\r\n\r\n')],
    ['H-009', 'chunked twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
    ['H-010', 'a space before the colon', post('Transfer-Encoding : chunked', '0\r\n\r\n')],
    ['H-011', 'a folded header line', post('Transfer-Encoding:\r\n chunked', '0\r\n\r\n')],
    ['H-012', 'a vertical tab in Transfer-Encoding', post('Transfer-Encoding: \vchunked', '0\r\n\r\n')],
    ['H-013', 'bare line feeds', 'GET /health HTTP/1.1\nHost: x\n\n'],
    ['H-014', 'a bare carriage return', get('GET /health HTTP/1.1', 'Host: x\rX: y')],
    ['H-015', 'chunks that end in line feeds', post('Transfer-Encoding: chunked', '2\n{}\n0\n\n')],
    ['H-016', 'a chunk of negative size', post('Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n')],
    [
      'H-017',
      'a chunk size above 64 bits',
      post('Transfer-Encoding: chunked', 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'),
    ],
    ['H-018', 'a zero byte in a header', get('GET /health HTTP/1.1', 'Host: x\r\nX: a\0b')],
    ['H-019', 'a header without a name', get('GET /health HTTP/1.1', 'Host: x\r\n: y')],
    ['H-020', 'no Host', get('GET /health HTTP/1.1', 'X: y')],
    ['H-021', 'two Hosts', get('GET /health HTTP/1.1', 'Host: a\r\nHost: b')],
    ['H-022', 'an unknown HTTP version', get('GET /health HTTP/1.2')],
    ['H-023', 'the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['H-024', 'a path that is not ASCII', Buffer.from(get('GET /sessiön HTTP/1.1'))],
    ['H-025', 'an unknown method', get('NONSENSE /health HTTP/1.1')],
  ])('%s: %s', async (_id, _what, bytes) => {
    expect(await statuses(bytes)).toEqual([400]);
  });
});

describe('A request that is too large is refused, and its connection closed', () => {
  const many = (count: number, length: number): string =>
    Array.from({ length: count }, (_, index) => `X${index}: ${'a'.repeat(length)}`).join('\r\n');
  test.each([
    ['H-101', 'a long header', get('GET /health HTTP/1.1', `Host: x\r\n${many(1, 20_000)}`), 431],
    ['H-102', 'many headers', get('GET /health HTTP/1.1', `Host: x\r\n${many(3_000, 1)}`), 431],
    ['H-103', 'a long path', get(`GET /${'a'.repeat(20_000)} HTTP/1.1`), 431],
    [
      'H-104',
      'long chunk extensions',
      post('Transfer-Encoding: chunked', `2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
      413,
    ],
  ])('%s: %s', async (_id, _what, bytes, status) => {
    expect((await statuses(bytes)).at(-1)).toBe(status);
  });
});

describe('A request target or method that the service does not serve gets 404 or 405', () => {
  const last = (line: string, headers = '') =>
    statuses(`${line}\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
  test.each([
    ['H-201', 'an absolute URL, as to a proxy', 'GET http://169.254.169.254/latest HTTP/1.1', 404],
    ['H-202', 'OPTIONS *', 'OPTIONS * HTTP/1.1', 404],
    ['H-203', 'TRACE', 'TRACE /health HTTP/1.1', 405],
    ['H-204', 'a path with two slashes', 'GET //health HTTP/1.1', 404],
    ['H-205', 'a path with a dot', 'GET /./health HTTP/1.1', 404],
    ['H-206', 'a path with ..', 'GET /docs/../health HTTP/1.1', 404],
    ['H-207', 'a path with percent-encoded ..', 'GET /docs/%2e%2e/health HTTP/1.1', 404],
    ['H-208', 'a path with a percent-encoded zero byte', 'GET /health%00 HTTP/1.1', 404],
    ['H-209', '/v1 twice', 'GET /v1/v1/health HTTP/1.1', 404],
  ])('%s: %s', async (_id, _what, line, status) => {
    expect(await last(line)).toEqual([status]);
  });

  test('H-210: CONNECT gets no response', async () => {
    expect(await last('CONNECT 127.0.0.1:22 HTTP/1.1')).toEqual([]);
  });

  test('H-211: method override headers are ignored', async () => {
    const override = 'X-HTTP-Method-Override: POST\r\nX-Method-Override: POST\r\nX-HTTP-Method: POST\r\n';
    expect(await last('GET /session/close?_method=POST HTTP/1.1', override)).toEqual([405]);
  });

  test.each([
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e',
    '..\\..\\etc',
    'D1%00',
    '%ff',
    '__proto__',
    'constructor',
  ])('H-212: GET …/downloads/%s answers 404', async name => {
    const session = (await callApi(product.url, 'POST', '/session/start', { key: product.key, body: {} }))
      .body;
    const path = `/session/${session.session_id}/downloads/${name}`;
    const response = await statuses(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${product.key}\r\n\r\n`,
    );
    expect(response).toEqual([404]);
    await callApi(product.url, 'POST', '/session/close', {
      key: product.key,
      body: { session_id: session.session_id },
    });
  });
});

describe('A path or query that is not UTF-8 or very long gets problem details with a code', () => {
  const LONG = 'x'.repeat(14_000);
  const ID = '0b4a7c5e-0000-4000-8000-000000000000';
  test.each([
    ['H-301', '/%ff', 404, 'NOT_FOUND'],
    ['H-302', '/%', 404, 'NOT_FOUND'],
    ['H-303', '/%zz', 404, 'NOT_FOUND'],
    ['H-304', '/v1/docs/%C3%28', 404, 'NOT_FOUND'],
    ['H-305', `/${LONG}`, 404, 'NOT_FOUND'],
    ['H-306', '/session/%ff', 404, 'SESSION_NOT_FOUND'],
    ['H-307', '/session/%', 404, 'SESSION_NOT_FOUND'],
    ['H-308', `/session/${LONG}`, 404, 'SESSION_NOT_FOUND'],
    ['H-309', `/session/${ID}/downloads/%E0%A4%A`, 404, 'SESSION_NOT_FOUND'],
    ['H-310', `/session/${ID}/uploads?name=%ff`, 422, 'VALIDATION_ERROR'],
    ['H-311', '/sessions?status=%ff', 422, 'VALIDATION_ERROR'],
    ['H-312', `/sessions?search=${LONG}`, 422, 'VALIDATION_ERROR'],
    ['H-313', `/sessions?limit=${LONG}`, 422, 'VALIDATION_ERROR'],
    ['H-314', '/sessions?after=%ff', 422, 'VALIDATION_ERROR'],
    ['H-315', `/sessions?${'a=1&'.repeat(3_500)}`, 422, 'VALIDATION_ERROR'],
    ['H-316', '/account/ledger.csv?from=%00', 422, 'VALIDATION_ERROR'],
    ['H-317', `/account/ledger.csv?to=${LONG}`, 422, 'VALIDATION_ERROR'],
  ])('%s: GET %s', async (_id, path, status, code) => {
    const { body, headers } = await callApi(product.url, 'GET', path, { key: product.key });
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({ status, code });
    expect(body.detail.length).toBeLessThan(500);
  });

  test.each(['?search=%ff%fe', '?search=%ED%A0%80', '?search=%00'])(
    'H-318: GET /sessions%s finds nothing',
    async query => {
      const { status, body } = await callApi(product.url, 'GET', `/sessions${query}`, { key: product.key });
      expect({ status, body }).toEqual({ status: 200, body: { sessions: [], next_cursor: null } });
    },
  );
});

describe('A connection is closed', () => {
  test('when the body does not arrive, after the response', async () => {
    const send = (method: string) =>
      statuses(`${method} /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc`);
    const methods = ['GET', 'HEAD', 'POST', 'DELETE'];
    expect(await Promise.all(methods.map(send))).toEqual([[200], [200], [405], [405]]);
  });

  test('when it sends nothing, or only half of its headers', async () => {
    await using impatient = await startTestServer(product.started.service, { headersTimeoutMs: 100 });
    const beginnings = ['', 'GET /health HTTP/1.1\r\nHost: x\r\n'];
    const answers = beginnings.map(bytes => statuses(bytes, impatient.port));
    expect(await Promise.all(answers)).toEqual([[408], [408]]);
  });

  test('when it does not read its response', async () => {
    const connections = { total: 1, perAddress: null };
    await using short = await startTestServer(product.started.service, {
      responseIdleTimeoutMs: 50,
      connections,
    });
    const socket = open(short.port);
    // The script of GraphiQL is larger than the socket buffers.
    socket.write('GET /graphql/graphiql.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    socket.pause();
    await once(socket, 'connect');
    await expect
      .poll(
        async () => (await callApi(short.url, 'GET', '/health', { headers: { connection: 'close' } })).status,
      )
      .toBe(200);
  });
});

describe('GET /metrics from this machine without a key', () => {
  const metrics = (host: string) =>
    statuses(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  test.each(['localhost', 'localhost:4000', '127.0.0.1:4000', '[::1]:4000'])(
    'answers 200 for Host %s',
    async host => {
      expect(await metrics(host)).toEqual([200]);
    },
  );

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:4000', '0.0.0.0'])(
    'answers 401 for Host %s, which may be DNS rebinding',
    async host => {
      expect(await metrics(host)).toEqual([401]);
    },
  );
});
