import { constants, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import {
  type EgressProxy,
  type SessionProxy,
  startEgressProxy,
} from '../../../src/browser/egress/startEgressProxy.ts';
import { exchangeBytes, portOfProxy, startRawServer } from './proxyClient.ts';

let egress: EgressProxy;
let sessionProxy: SessionProxy;
/** The response of the server to any request. */
let answer = '';
let site: Awaited<ReturnType<typeof startRawServer>>;
beforeAll(async () => {
  egress = await startEgressProxy({ asksForCredentials: false, allow: parseEgressAllow('127.0.0.1').rules });
  sessionProxy = await egress.openSessionProxy(() => {});
  site = await startRawServer(socket => socket.once('data', () => socket.end(Buffer.from(answer, 'latin1'))));
});
afterAll(async () => {
  await egress.close();
  await site[Symbol.asyncDispose]();
});

/** Requests the site's page on a connection that closes after the response. @returns everything received */
const ask = (method = 'GET', headers = ''): Promise<string> =>
  exchangeBytes(
    portOfProxy(sessionProxy),
    `${method} http://127.0.0.1:${site.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`,
  );

const GOOD = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
/** A valid end of a response, so that only what precedes it is invalid. */
const END = 'Content-Length: 5\r\n\r\nhello';

/** Responses of a hostile server. Ids are permanent. `received` is what a browser receives; nothing when the connection is cut. */
const ANSWERS: readonly { id: string; what: string; answer: string; received: RegExp }[] = [
  { id: 'A-001', what: 'the status 000', answer: `HTTP/1.1 000 OK\r\n${END}`, received: /^$/ },
  { id: 'A-002', what: 'the status 001', answer: `HTTP/1.1 001 OK\r\n${END}`, received: /^$/ },
  { id: 'A-003', what: 'the status 099', answer: `HTTP/1.1 099 OK\r\n${END}`, received: /^$/ },
  { id: 'A-004', what: 'a status of four digits', answer: `HTTP/1.1 1000 OK\r\n${END}`, received: /^$/ },
  { id: 'A-005', what: 'a status below zero', answer: `HTTP/1.1 -20 OK\r\n${END}`, received: /^$/ },
  {
    id: 'A-006',
    what: 'an unrequested change of protocol',
    answer: 'HTTP/1.1 101 X\r\n\r\n',
    received: /^$/,
  },
  {
    id: 'A-007',
    what: 'a complete change of protocol',
    answer: 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    received: /^$/,
  },
  {
    id: 'A-008',
    what: 'interim responses without end',
    answer: 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(5_000) + GOOD,
    received: /^$/,
  },
  {
    id: 'A-009',
    what: 'a few interim responses',
    answer: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${GOOD}`,
    received: /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nhello$/,
  },
  {
    id: 'A-010',
    what: 'the largest status',
    answer: `HTTP/1.1 999 X\r\n${END}`,
    received: /^HTTP\/1\.1 999 X/,
  },
  {
    id: 'A-011',
    what: 'a second response after the first',
    answer: `${GOOD}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged`,
    received: /\r\n\r\nhello$/,
  },
  {
    id: 'A-012',
    what: 'a body where none is allowed, containing a response',
    answer: 'HTTP/1.1 204 No Content\r\nContent-Length: 6\r\n\r\nforged',
    received: /^HTTP\/1\.1 204 (?![\s\S]*forged)/,
  },
  {
    id: 'A-013',
    what: 'headers in the trailers',
    answer: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nSet-Cookie: a=1\r\n\r\n',
    received: /^HTTP\/1\.1 200 OK(?![\s\S]*Set-Cookie)/,
  },
  {
    id: 'A-014',
    what: 'a request for a proxy password',
    answer: `HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm="x"\r\n${END}`,
    received: /^HTTP\/1\.1 502 X(?![\s\S]*Proxy-Authenticate)/,
  },
  {
    id: 'A-015',
    what: 'header names that are properties of every object',
    answer: `HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\n${END}`,
    received: /__proto__: a\r\nconstructor: b\r\n[\s\S]*hello$/,
  },
  { id: 'A-016', what: 'a NUL in a header', answer: `HTTP/1.1 200 OK\r\nX: a\0b\r\n${END}`, received: /^$/ },
  {
    id: 'A-017',
    what: 'a length with a sign',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello',
    received: /^$/,
  },
  {
    id: 'A-018',
    what: 'a length in a list',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello',
    received: /^$/,
  },
  {
    id: 'A-019',
    what: 'a length that is too large for a number',
    answer: `HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(20)}\r\n\r\nhello`,
    received: /^$/,
  },
  {
    id: 'A-020',
    what: 'chunk extensions without end',
    answer: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;${'a'.repeat(100_000)}\r\nhello\r\n0\r\n\r\n`,
    received: /^(?![\s\S]*hello)/,
  },
  {
    id: 'A-021',
    what: 'headers without end',
    answer: `HTTP/1.1 200 OK\r\n${`A: ${'b'.repeat(100)}\r\n`.repeat(4_000)}${END}`,
    received: /^$/,
  },
];

describe('A session proxy returns one complete, unambiguous response, or none, when an origin sends', () => {
  test.each(ANSWERS)('$id $what', async row => {
    answer = row.answer;
    expect(await ask()).toMatch(row.received);
    answer = GOOD;
    expect(await ask()).toMatch(/\r\n\r\nhello$/);
  });

  test('A-022 an invalid status: failureOf returns the reason', async () => {
    answer = `HTTP/1.1 000 OK\r\n${END}`;
    await ask();
    expect(sessionProxy.failureOf(`http://127.0.0.1:${site.port}/`)).toEqual({
      type: 'unreachable',
      reason: 'the server responded with the invalid status 0',
    });
  });

  test('A-023 random almost valid responses to requests of every method: the proxy keeps running', async () => {
    const pieces = [
      ...[
        'HTTP/1.1 ',
        'HTTP/1.0 ',
        'HTTP/2.0 ',
        '000',
        '099',
        '100',
        '101',
        '103',
        '200',
        '204',
        '304',
        '407',
        '999',
      ],
      ...[
        ' OK',
        ' caf\xe9\x01',
        '\r\n',
        '\r',
        '\n',
        '\0',
        ': ',
        'Content-Length: 5',
        'Content-Length: -1',
        'X: \xff\x01',
      ],
      ...[
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip',
        'Connection: upgrade',
        'Upgrade: h2c',
        'Trailer: X',
      ],
      ...[
        'Set-Cookie: a',
        'Location: http://[',
        'Date: x',
        'Keep-Alive: timeout=-1',
        '5\r\nhello\r\n',
        '0\r\n\r\n',
        'hello',
      ],
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(parts => parts.join(''));
    const head = fc.constantFrom('HTTP/1.1 200 OK\r\n', 'HTTP/1.1 000 X\r\n', 'HTTP/1.1 103 X\r\n\r\n', '');
    const end = fc.constantFrom(`\r\n${END}`, '\r\n\r\n', '');
    const method = fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PURGE');
    await fc.assert(
      fc.asyncProperty(fc.tuple(head, text, end), method, async (parts, asked) => {
        answer = parts.join('');
        await ask(asked);
      }),
      { numRuns: 400 },
    );
    answer = GOOD;
    expect(await ask()).toMatch(/\r\n\r\nhello$/);
  });

  const page = Array.from({ length: 2_000 }, (_, at) => `<p>Line ${at * at}</p>`).join('');
  const whole = gzipSync(page);
  const large = gzipSync(Buffer.alloc(40 * 1024 * 1024));
  test.each([
    ['A-024', 'a whole page in gzip', '200 OK', whole, true],
    ['A-025', 'half a page in gzip', '200 OK', whole.subarray(0, whole.length / 2), false],
    ['A-026', 'an empty page that should be gzip', '200 OK', Buffer.alloc(0), true],
    ['A-027', 'half a redirect in gzip', '302 Found', whole.subarray(0, whole.length / 2), true],
    [
      'A-028',
      'a page in gzip that is flushed, not finished',
      '200 OK',
      gzipSync(page, { finishFlush: constants.Z_SYNC_FLUSH }),
      true,
    ],
    [
      'A-030',
      'several members of gzip, of which Chromium reads the first',
      '200 OK',
      Buffer.concat([gzipSync(page), gzipSync('<p>More</p>')]),
      false,
    ],
    ['A-031', 'a page in gzip with a byte after it', '200 OK', Buffer.concat([whole, Buffer.of(0)]), true],
    [
      'A-029',
      'more in gzip than the proxy decompresses',
      '200 OK',
      large.subarray(0, large.length - 10),
      true,
    ],
  ])('%s %s', async (_id, _what, status, body, isSent) => {
    answer = `HTTP/1.1 ${status}\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n${body.toString('latin1')}`;
    const received = await ask('GET', 'Upgrade-Insecure-Requests: 1\r\n');
    expect(received).toMatch(/^HTTP\/1.1 [23]0/);
    expect(received.endsWith(status.startsWith('3') ? body.toString('latin1') : '\r\n0\r\n\r\n')).toBe(
      isSent,
    );
  });

  test('A-032 HTML for a script of the page keeps its length', async () => {
    answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello';
    expect(await ask('GET', 'Accept: text/html, */*\r\n')).toMatch(/content-length: 5\r\n/i);
    expect(await ask('GET', 'Upgrade-Insecure-Requests: 1\r\n')).not.toMatch(/content-length/i);
  });
});
