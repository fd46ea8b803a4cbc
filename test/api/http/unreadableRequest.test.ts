import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

/** Requests that no handler receives, because the HTTP parser refuses them or their connection may not become a WebSocket. */

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
});
beforeEach(() => {
  product.logLines.length = 0;
});
afterAll(() => product[Symbol.asyncDispose]());

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Reads responses with Content-Length. @throws Error if bytes are left over or missing */
function answersIn(received: Buffer): Answer[] {
  const answers: Answer[] = [];
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const headers = new Headers(lines.map(line => [line.split(':')[0] ?? '', line.replace(/^[^:]*: /, '')]));
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? [];
    const length = Number(headers.get('content-length') ?? Number.NaN);
    if (end === -1 || status === undefined || !(rest.length >= end + 4 + length))
      throw new Error(`This is no whole response: ${rest.toString().slice(0, 200)}`);
    answers.push({ status: Number(status), headers, body: rest.toString('utf8', end + 4, end + 4 + length) });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

/** A connection that collects what the server sends. */
function open(port = product.port) {
  const socket = connect({ port, host: '127.0.0.1' });
  held.push(socket);
  const received: Buffer[] = [];
  socket.on('data', chunk => void received.push(chunk));
  const closed = once(socket, 'close');
  return {
    socket,
    received,
    /** Resolves with all responses when the server has closed the connection. @throws Error if it was reset */
    answers: async () => {
      await closed;
      return answersIn(Buffer.concat(received));
    },
  };
}

function send(bytes: string | Buffer, port = product.port): Promise<Answer[]> {
  const { socket, answers } = open(port);
  socket.write(bytes);
  return answers();
}

const GOOD = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
const LONG = 'a'.repeat(20_000);
const chunked = (path: string, chunk: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`;
const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n`;

describe('A request that the HTTP parser refuses is answered with problem details', () => {
  test.each([
    ['a long path', `GET /${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a long query', `GET /graphql?query=${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['long headers', `GET /health HTTP/1.1\r\nHost: x\r\nX: ${LONG}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['an unknown method', 'NONSENSE /health HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_HTTP'],
    ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_HTTP'],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'INVALID_HTTP'],
    ['two Hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'INVALID_HTTP'],
    [
      'a WebSocket with two Hosts',
      upgrade('/graphql').replace('x\r\n', 'a\r\nHost: b\r\n'),
      400,
      'INVALID_HTTP',
    ],
    ['malformed chunks', chunked('/session/start', '-2\r\n{}\r\n'), 400, 'INVALID_HTTP'],
    ['long chunk extensions', chunked('/session/start', `2;${LONG}\r\n{}\r\n`), 413, 'BODY_TOO_LARGE'],
  ])('%s', async (_what, bytes, status, code) => {
    const [answer, ...more] = await send(bytes);
    expect(more).toEqual([]);
    expect(answer?.status).toBe(status);
    expect(answer?.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer?.headers.get('connection')).toBe('close');
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer?.headers.get('x-pagespace-version')).toBe('0.0.0-test');
    const problem = JSON.parse(answer?.body ?? '');
    expect(problem).toMatchObject({ status, code, type: `/failures#${code}`, retryable: false });
    expect(problem.request_id).toBe(answer?.headers.get('x-request-id'));
    await expect
      .poll(() => product.logLines.filter(({ requestId }) => requestId === problem.request_id))
      .toMatchObject([{ msg: 'request', status, outcome: code }]);
  });

  test('a request that ends in the middle of its headers', async () => {
    const { socket, answers } = open();
    socket.end('GET /health HTTP/1.1\r\nHost');
    expect((await answers()).map(({ body }) => JSON.parse(body).code)).toEqual(['INVALID_HTTP']);
  });

  test.each([
    ['headers', 'GET /health HTTP/1.1\r\nHost: x\r\n'],
    ['anything', ''],
  ])('a connection that does not send %s in time', async (_what, bytes) => {
    await using impatient = await startTestServer(product.started.service, { headersTimeoutMs: 100 });
    const [answer, ...more] = await send(bytes, impatient.port);
    expect(more).toEqual([]);
    expect(answer?.status).toBe(408);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      detail: 'The headers of the request did not arrive within 0.1 seconds.',
      retryable: true,
    });
    expect(impatient.logLines.filter(({ msg }) => msg === 'request')).toHaveLength(bytes === '' ? 0 : 1);
  });

  test('which a caller receives that goes on sending', async () => {
    const { socket, answers } = open();
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(4_000_000)}\r\n\r\n`);
    expect((await answers()).map(({ status }) => status)).toEqual([431]);
  });
});

describe('The response to an earlier request on the connection', () => {
  test.each([
    ['malformed', 'NONSENSE\r\n\r\n', 400],
    ['too large', `GET /${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a refused WebSocket', upgrade('/nothing'), 404],
  ])('is sent first and whole, when the next request is %s', async (_what, bytes, status) => {
    const [first, second, third, ...more] = await send(
      `GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n${GOOD}${bytes}${GOOD}`,
    );
    expect(JSON.parse(first?.body ?? '')).toHaveProperty('openapi');
    expect(second?.status).toBe(200);
    expect(third?.status).toBe(status);
    expect(JSON.parse(third?.body ?? '')).toMatchObject({ status });
    expect(more).toEqual([]);
  });

  test('is sent before the connection becomes a WebSocket', async () => {
    const { socket, received } = open();
    socket.write(`${GOOD}${upgrade('/graphql')}`);
    await expect.poll(() => Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 101 /s);
  });

  test('stays open while it is a stream, and its caller may break the connection then', async () => {
    const query = JSON.stringify({ query: 'subscription { accountUsageChanged { __typename } }' });
    const { socket, received } = open();
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.key}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${query.length}\r\n\r\n${query}${upgrade('/nothing')}`,
    );
    const text = () => Buffer.concat(received).toString();
    await expect.poll(text).toMatch(/^HTTP\/1\.1 200 .*event: next/s);
    socket.resetAndDestroy();
    await expect
      .poll(() => product.logLines)
      .toMatchObject([{ operation: 'subscription accountUsageChanged', outcome: 'aborted' }]);
    expect(text()).not.toMatch(/HTTP.*HTTP/s);
  });

  test('is the last one, when it ends the connection', async () => {
    const closing = GOOD.replace('Host: x', 'Host: x\r\nConnection: close');
    expect((await send(`${closing}NONSENSE\r\n\r\n`)).map(({ status }) => status)).toEqual([200]);
  });
});

test('A response that has begun before the body of its request turns out malformed stands alone', async () => {
  const { socket, received, answers } = open();
  socket.write(chunked('/nothing', ''));
  await expect.poll(() => received.length).toBeGreaterThan(0);
  socket.write('-2\r\n{}\r\n');
  expect((await answers()).map(({ status }) => status)).toEqual([404]);
});

test('An expectation that the service does not know is ignored', async () => {
  const bytes = GOOD.replace('Host: x', 'Host: x\r\nExpect: 200-ok\r\nConnection: close');
  expect((await send(bytes)).map(({ status }) => status)).toEqual([200]);
});
