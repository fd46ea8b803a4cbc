import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dialAddresses } from '../../../src/browser/egress/dialer.ts';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import {
  type EgressProxy,
  type SessionProxy,
  startEgressProxy,
} from '../../../src/browser/egress/startEgressProxy.ts';
import { PUBLIC_ADDRESS } from './egressHarness.ts';
import { exchangeBytes, portOfProxy, startRawServer } from './proxyClient.ts';

let egress: EgressProxy;
let sessionProxy: SessionProxy;
let site: Awaited<ReturnType<typeof startRawServer>>;
/** Everything that the site received. */
let received = '';
/** Every address that the proxy connected to. */
const dialled: string[] = [];

beforeAll(async () => {
  site = await startRawServer(socket =>
    socket.on('data', bytes => {
      received += bytes.toString('latin1');
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    }),
  );
  egress = await startEgressProxy({
    asksForCredentials: false,
    allow: parseEgressAllow(`127.0.0.1:${site.port}`).rules,
    lookup: async host => {
      if (host === 'open.test') return [{ address: PUBLIC_ADDRESS, family: 4 }];
      if (/^(localhost|10\.0\.0\.1)\.*$/.test(host)) return [{ address: '10.0.0.1', family: 4 }];
      throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
    },
    dial: (addresses, port) => {
      dialled.push(...addresses.map(({ address }) => address));
      const target = addresses[0]?.address === '127.0.0.1' ? port : site.port;
      return dialAddresses([{ address: '127.0.0.1', family: 4 }], target);
    },
  });
  sessionProxy = await egress.openSessionProxy(() => {});
});
afterAll(async () => {
  await egress.close();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  received = '';
  dialled.length = 0;
});

const send = (text: string): Promise<string> => exchangeBytes(portOfProxy(sessionProxy), text);
/** Sends a request to the site. @param lines follow the request line */
const ask = (lines: string, { body = '', method = 'GET', user = '' } = {}): Promise<string> =>
  send(
    `${method} http://${user}127.0.0.1:${site.port}/x HTTP/1.1\r\n${lines}Connection: close\r\n\r\n${body}`,
  );

describe('A session proxy forwards a request', () => {
  test('Q-001 without the user name and password of the URL', async () => {
    await ask('Host: x\r\n', { user: 'ann:s3cret@' });
    expect(received).toContain('GET /x HTTP/1.1\r\n');
    expect(received).not.toMatch(/ann|s3cret/);
  });

  test('Q-002 with the Host of the URL, whatever Host the browser sends', async () => {
    await ask('Host: open.test\r\nHost: other.test\r\n');
    await ask('Host: open.test\r\n');
    expect([...new Set(received.match(/^host: .*$/gim))]).toEqual([`Host: 127.0.0.1:${site.port}`]);
  });

  test.each([
    ['Q-003', 'Proxy-Authorization: Basic YW5uOnMzY3JldA=='],
    ['Q-004', 'Proxy-Connection: keep-alive'],
    ['Q-005', 'Upgrade: websocket'],
    ['Q-006', 'Keep-Alive: timeout=5'],
    ['Q-007', 'TE: trailers'],
  ])('%s without "%s"', async (_id, header) => {
    expect(await ask(`Host: x\r\n${header}\r\nX-Kept: 1\r\n`)).toMatch(/^HTTP\/1\.1 200/);
    expect(received).toContain('X-Kept: 1');
    const name = header.split(':')[0]?.toLowerCase();
    expect(
      received
        .toLowerCase()
        .split('\r\n')
        .filter(line => line.startsWith(`${name}:`)),
    ).toEqual([]);
  });

  test('Q-008 without the headers named in Connection', async () => {
    await ask('Host: x\r\nConnection: X-Hop, x-other\r\nX-Hop: 1\r\nX-Other: 2\r\nX-Kept: 3\r\n');
    expect(received).toContain('X-Kept: 3');
    expect(received).not.toMatch(/^x-(hop|other)/im);
  });

  test.each([
    ['Q-009', 'two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n'],
    ['Q-010', 'a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n'],
    ['Q-011', 'a space before the colon', 'Content-Length : 3\r\n'],
    ['Q-012', 'a NUL in a header', 'X: a\0b\r\nContent-Length: 3\r\n'],
    ['Q-013', 'a bare line feed', 'X: a\nTransfer-Encoding: chunked\r\n'],
    ['Q-014', 'an unknown coding after chunks', 'Transfer-Encoding: chunked, identity\r\n'],
    ['Q-015', 'a length that is no number', 'Content-Length: 0x3\r\n'],
  ])('%s not at all when it has %s', async (_id, _what, lines) => {
    expect(await ask(`Host: x\r\n${lines}`, { method: 'POST', body: 'abc' })).not.toContain('200');
    expect(received).toBe('');
  });

  test('Q-016 with a body that looks like a request, as a body', async () => {
    const inner = 'GET http://10.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n';
    await ask(`Host: x\r\nContent-Length: ${inner.length}\r\n`, { method: 'POST', body: inner });
    expect(received.endsWith(inner)).toBe(true);
    expect(dialled).toEqual(['127.0.0.1']);
  });
});

/** Spellings of 10.0.0.1 and similar targets that parsers may read differently. Ids are permanent. */
const ODD_TUNNELS = [
  ...[
    '10.0.0.1',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '10.0.0.1:+80',
    '10.0.0.1:80:80',
    ':80',
    '*:80',
    '10.0.0.1:http',
  ],
  ...['@10.0.0.1:80', 'open.test@10.0.0.1:80', 'open.test:80@10.0.0.1:80', '10.0.0.1/@open.test:80'],
  ...['10.0.0.1#open.test:80', '10.0.0.1?open.test:80', '10.0.0.1\\open.test:80', '10.0.0.1\\@open.test:80'],
  ...[
    '[fe80::1%eth0]:80',
    '[fe80::1%25eth0]:80',
    '[::1',
    '[::ffff:10.0.0.1]:80',
    '[::ffff:0a00:1]:80',
    '[::]:80',
  ],
  ...[
    '%31%30.0.0.1:80',
    '10.0.0.1.:80',
    '10.0.0.1..:80',
    '012.0.0.1:80',
    '0xa.1:80',
    '167772161:80',
    '10.1:80',
  ],
  ...[
    'localhost.:80',
    'localhost..:80',
    'LOCALHOST:81',
    'a.localhost:81',
    'http://10.0.0.1:80',
    'open.test%00:80',
  ],
  ...[
    'open.test\0.x:80',
    `${'a'.repeat(70_000)}:80`,
    `${'a.'.repeat(30_000)}:80`,
    'xn--:80',
    '10.0.0.1\t:80',
    '-:80',
  ],
].map((authority, i) => [`T-${String(i + 1).padStart(3, '0')}`, authority.slice(0, 40), authority] as const);

const ODD_ADDRESSES = [
  ...[
    'http:/10.0.0.1/',
    'http:10.0.0.1/',
    'http:///10.0.0.1/',
    'http://10.0.0.1\\@open.test/',
    'HTTP://10.0.0.1/',
  ],
  ...[
    'http://open.test@10.0.0.1/',
    'http://open.test:80@10.0.0.1/',
    'http://10.0.0.1#@open.test/',
    'http://10.0.0.1?@open.test/',
  ],
  ...[
    'http://[::ffff:10.0.0.1]/',
    'http://10.0.0.1./',
    'http://10.0.0.1../',
    'http://%31%30.0.0.1/',
    'http://10.0.0.1:/',
  ],
  ...[
    'https://10.0.0.1/',
    'ws://10.0.0.1/',
    'ftp://10.0.0.1/',
    'file://10.0.0.1/etc/passwd',
    '//10.0.0.1/',
    '/',
    '*',
  ],
].map((address, i) => [`U-${String(i + 1).padStart(3, '0')}`, address] as const);

describe('A session proxy connects only to the target that it has checked', () => {
  test.each(ODD_TUNNELS)('%s CONNECT %s', async (_id, _short, authority) => {
    expect(await send(`CONNECT ${authority} HTTP/1.1\r\nHost: open.test\r\n\r\n`)).not.toMatch(/ 200 /);
    expect(dialled).toEqual([]);
  });

  test.each(ODD_ADDRESSES)('%s GET %s', async (_id, address) => {
    expect(await send(`GET ${address} HTTP/1.1\r\nHost: open.test\r\n\r\n`)).not.toMatch(/ 200 /);
    expect(dialled).toEqual([]);
  });

  test('and connects to an allowed name with GET and CONNECT', async () => {
    expect(await send('GET http://open.test/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      / 200 /,
    );
    const tunnelled = 'CONNECT open.test:80 HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n';
    expect(await send(tunnelled)).toMatch(/^HTTP\/1\.1 200 [\s\S]*ok$/);
    expect(dialled).toEqual([PUBLIC_ADDRESS, PUBLIC_ADDRESS]);
  });
});
