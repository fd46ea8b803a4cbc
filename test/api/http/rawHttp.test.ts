import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

/**
 * Requests as no client writes them, byte by byte. Ids are permanent. Each is followed by a second request in the same
 * breath: where the first one's end can be read in two ways, the second must not be answered.
 */

let doors: TestProduct;
beforeAll(async () => {
  doors = await startTestProduct();
});
afterAll(() => doors[Symbol.asyncDispose]());

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

function open(port = doors.port): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  held.push(socket.on('error', () => undefined));
  return socket;
}

/** The statuses that are answered until the service closes the connection. */
async function statuses(bytes: string | Buffer): Promise<number[]> {
  const socket = open();
  let answered = '';
  socket.on('data', chunk => {
    answered += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return [...answered.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

const NEXT = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (headers: string, body: string): string =>
  `POST /session/close HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}${NEXT}`;
const get = (line: string, headers = 'Host: x'): string => `${line}\r\n${headers}\r\n\r\n${NEXT}`;

describe('what can be read in two ways is refused, and what follows it is not read', () => {
  test.each([
    ['H-001', 'a length and chunks', post('Content-Length: 4\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
    ['H-002', 'chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 4', '0\r\n\r\n')],
    ['H-003', 'two lengths', post('Content-Length: 2\r\nContent-Length: 4', '{}')],
    ['H-004', 'a list of lengths', post('Content-Length: 2, 2', '{}')],
    ['H-005', 'a length with a sign', post('Content-Length: +2', '{}')],
    ['H-006', 'a length in hex', post('Content-Length: 0x2', '{}')],
    ['H-007', 'a coding that is not known', post('Transfer-Encoding: xchunked', '0\r\n\r\n')],
    ['H-008', 'chunks that are not last', post('Transfer-Encoding: chunked, identity', '0\r\n\r\n')],
    ['H-009', 'chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
    ['H-010', 'a space before the colon', post('Transfer-Encoding : chunked', '0\r\n\r\n')],
    ['H-011', 'a folded line', post('Transfer-Encoding:\r\n chunked', '0\r\n\r\n')],
    ['H-012', 'a vertical tab in a coding', post('Transfer-Encoding: \vchunked', '0\r\n\r\n')],
    ['H-013', 'bare line feeds', 'GET /health HTTP/1.1\nHost: x\n\n'],
    ['H-014', 'a bare carriage return', get('GET /health HTTP/1.1', 'Host: x\rX: y')],
    ['H-015', 'chunks that end in line feeds', post('Transfer-Encoding: chunked', '2\n{}\n0\n\n')],
    ['H-016', 'a chunk of negative size', post('Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n')],
    [
      'H-017',
      'a chunk beyond 64 bits',
      post('Transfer-Encoding: chunked', 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'),
    ],
    ['H-018', 'a zero byte in a header', get('GET /health HTTP/1.1', 'Host: x\r\nX: a\0b')],
    ['H-019', 'a header without a name', get('GET /health HTTP/1.1', 'Host: x\r\n: y')],
    ['H-020', 'no host', get('GET /health HTTP/1.1', 'X: y')],
    ['H-021', 'two hosts', get('GET /health HTTP/1.1', 'Host: a\r\nHost: b')],
    ['H-022', 'a version that is not known', get('GET /health HTTP/1.2')],
    ['H-023', "HTTP/2's preface", 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['H-024', 'a path that is not ASCII', Buffer.from(get('GET /sessiön HTTP/1.1'))],
    ['H-025', 'a method that is not known', get('NONSENSE /health HTTP/1.1')],
  ])('%s: %s', async (_id, _what, bytes) => {
    expect(await statuses(bytes)).toEqual([400]);
  });
});

describe('what is too much is refused, and the connection closed', () => {
  const many = (count: number, length: number): string =>
    Array.from({ length: count }, (_, index) => `X${index}: ${'a'.repeat(length)}`).join('\r\n');
  test.each([
    ['H-101', 'a long header', get('GET /health HTTP/1.1', `Host: x\r\n${many(1, 20_000)}`), 431],
    ['H-102', 'many headers', get('GET /health HTTP/1.1', `Host: x\r\n${many(3_000, 1)}`), 431],
    ['H-103', 'a long path', get(`GET /${'a'.repeat(20_000)} HTTP/1.1`), 431],
    [
      'H-104',
      "chunks' extensions",
      post('Transfer-Encoding: chunked', `2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
      413,
    ],
  ])('%s: %s', async (_id, _what, bytes, status) => {
    expect((await statuses(bytes)).at(-1)).toBe(status);
  });
});

describe('a request for something else than a page of this service', () => {
  const last = (line: string, headers = '') =>
    statuses(`${line}\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
  test.each([
    ['H-201', 'another address, as to a proxy', 'GET http://169.254.169.254/latest HTTP/1.1', 404],
    ['H-202', 'the service as a whole', 'OPTIONS * HTTP/1.1', 404],
    ['H-203', 'what it sent', 'TRACE /health HTTP/1.1', 405],
    ['H-204', 'a path with two slashes', 'GET //health HTTP/1.1', 404],
    ['H-205', 'a path with a dot', 'GET /./health HTTP/1.1', 404],
    ['H-206', 'a path that leads up', 'GET /docs/../health HTTP/1.1', 404],
    ['H-207', 'a path that leads up in code', 'GET /docs/%2e%2e/health HTTP/1.1', 404],
    ['H-208', 'a path with a zero byte in code', 'GET /health%00 HTTP/1.1', 404],
    ['H-209', 'a version within a version', 'GET /v1/v1/health HTTP/1.1', 404],
  ])('%s: %s', async (_id, _what, line, status) => {
    expect(await last(line)).toEqual([status]);
  });

  test('H-210: a tunnel is not answered', async () => {
    expect(await last('CONNECT 127.0.0.1:22 HTTP/1.1')).toEqual([]);
  });

  test('H-211: no header makes a GET another method', async () => {
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
  ])('H-212: no file is had by the name %s', async name => {
    const session = (await callApi(doors.url, 'POST', '/session/start', { key: doors.key, body: {} })).body;
    const path = `/session/${session.session_id}/downloads/${name}`;
    const answer = await statuses(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${doors.key}\r\n\r\n`,
    );
    expect(answer).toEqual([404]);
    await callApi(doors.url, 'POST', '/session/close', {
      key: doors.key,
      body: { session_id: session.session_id },
    });
  });
});

describe('a caller that does not go on', () => {
  test('is cut off when the body does not come, once it is answered', async () => {
    const answered = (method: string) =>
      statuses(`${method} /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc`);
    const methods = ['GET', 'HEAD', 'POST', 'DELETE'];
    expect(await Promise.all(methods.map(answered))).toEqual([[200], [200], [405], [405]]);
  }, 10_000);

  test('is cut off when it says nothing, or half of its headers', async () => {
    const said = ['', 'GET /health HTTP/1.1\r\nHost: x\r\n'].map(statuses);
    expect(await Promise.all(said)).toEqual([[408], [408]]);
  }, 20_000);

  test('is cut off when it does not read its answer', async () => {
    const connections = { total: 1, perAddress: null };
    await using short = await startTestServer(doors.started.service, {
      responseIdleTimeoutMs: 50,
      connections,
    });
    const socket = open(short.port);
    // The page's script is larger than what the machine's buffers take.
    socket.write('GET /graphql/graphiql.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    socket.pause();
    await once(socket, 'connect');
    await expect
      .poll(
        async () => (await callApi(short.url, 'GET', '/health', { headers: { connection: 'close' } })).status,
        {
          timeout: 10_000,
        },
      )
      .toBe(200);
  }, 20_000);
});

describe('/metrics, which this machine itself is told without a key', () => {
  const told = (host: string) =>
    statuses(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  test.each(['localhost', 'localhost:4000', '127.0.0.1:4000', '[::1]:4000'])('is told at %s', async host => {
    expect(await told(host)).toEqual([200]);
  });

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:4000', '0.0.0.0'])(
    'is not told at %s, a name that was led here',
    async host => {
      expect(await told(host)).toEqual([401]);
    },
  );
});
