import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dialAddresses, type EgressLookup } from '../../../src/browser/egress/dialer.ts';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import {
  type EgressProxy,
  type SessionProxy,
  startEgressProxy,
} from '../../../src/browser/egress/startEgressProxy.ts';
import { parseProxyUrl, type UpstreamProxy } from '../../../src/domain/session/upstreamProxy.ts';
import { certificate } from '../../support/certificate.ts';
import { type ProxyServer, startProxy } from '../../support/proxyServer.ts';
import { listen, stopServer } from './egressHarness.ts';
import { portOfProxy, requestThrough, startRawServer } from './proxyClient.ts';

/** A public address. Nothing connects to it: the proxies of these tests connect to the origin instead. */
const PUBLIC = '93.184.216.34';
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'site.test': [PUBLIC],
  'both.test': ['2606:2800:220:1::1', PUBLIC],
  'inside.test': ['10.0.0.1'],
  'sneaky.test': ['192.168.0.1'],
};
const lookup: EgressLookup = async host => {
  const answers = NAMES[host];
  if (answers === undefined) throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
  return answers.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));
};

let origin: Server;
let originPort: number;
let egress: EgressProxy;
/** Addresses that the egress proxy connected to. */
const dialled: string[] = [];
let sessionProxy: SessionProxy;

beforeAll(async () => {
  origin = createServer((incoming, answer) => answer.end(`hello ${incoming.headers.host}`));
  originPort = await listen(origin, '127.0.0.1');
  egress = await startEgressProxy({
    asksForCredentials: false,
    allow: parseEgressAllow('127.0.0.1').rules,
    lookup,
    dial(addresses, port) {
      dialled.push(`${addresses[0]?.address}:${port}`);
      return dialAddresses(addresses, port);
    },
  });
});
afterAll(async () => {
  await egress.close();
  await stopServer(origin);
});
beforeEach(async () => {
  dialled.length = 0;
  sessionProxy = await egress.openSessionProxy(() => {});
  return () => sessionProxy.close();
});

function upstream(server: string, user: string | null = null, password = ''): UpstreamProxy {
  const at = parseProxyUrl(server);
  if (at === null) throw new Error(`${server} is not a proxy`);
  return { ...at, credentials: user === null ? null : { username: user, password } };
}

/** Requests a plain-http page as Chromium does. @returns the body of the response */
const ask = async (url: string): Promise<string> => (await requestThrough(sessionProxy, url)).body;

/** Requests a tunnel. @returns the first line of the response */
function tunnel(authority: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(portOfProxy(sessionProxy), '127.0.0.1');
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  socket.once('data', chunk => {
    resolve(chunk.toString('latin1').split('\r\n')[0] ?? '');
    socket.destroy();
  });
  return promise;
}

describe("A session's own proxy", () => {
  test('carries plain http, and receives the checked address instead of the name', async () => {
    await using proxy: ProxyServer = await startProxy({ redirectPort: originPort });
    sessionProxy.useUpstream(upstream(proxy.server));
    expect(await ask('http://site.test/')).toBe('hello site.test');
    expect(proxy.targets).toEqual([`${PUBLIC}:80`]);
    expect(dialled).toEqual([`127.0.0.1:${proxy.port}`]);
  });

  test('carries tunnels', async () => {
    await using proxy = await startProxy({ redirectPort: originPort });
    sessionProxy.useUpstream(upstream(proxy.server));
    expect(await tunnel('site.test:443')).toBe('HTTP/1.1 200 Connection Established');
    expect(proxy.targets).toEqual([`${PUBLIC}:443`]);
  });

  test('receives an IPv4 address when the name has both kinds', async () => {
    await using proxy = await startProxy({ redirectPort: originPort });
    sessionProxy.useUpstream(upstream(proxy.server));
    await tunnel('both.test:443');
    expect(proxy.targets).toEqual([`${PUBLIC}:443`]);
  });

  test('receives the credentials', async () => {
    await using proxy = await startProxy({ redirectPort: originPort, requiredCredentials: 'ann:s3cret' });
    sessionProxy.useUpstream(upstream(proxy.server, 'ann', 's3cret'));
    expect(await ask('http://site.test/')).toBe('hello site.test');
  });

  test.each(['inside.test:443', '10.0.0.1:443', '169.254.169.254:80', 'localhost:6379', '[::1]:443'])(
    'does not receive %s, which pages may not reach',
    async authority => {
      await using proxy = await startProxy({ redirectPort: originPort });
      sessionProxy.useUpstream(upstream(proxy.server));
      expect(await tunnel(authority)).toMatch(/ 502 /);
      expect(sessionProxy.failureOf(`http://${authority}`)?.type).toBe('blocked');
      expect(proxy.targets).toEqual([]);
    },
  );

  test.each([
    ['http://127.0.0.1:6379', /port is not open/],
    ['http://10.0.0.1:3128', /private address/],
    ['http://0x7f.2:3128', /loopback/],
    ['socks5://2130706434:1080', /loopback/],
    ['socks5://sneaky.test:1080', /sneaky\.test resolves to a private address/],
    ['https://169.254.169.254', /link-local/],
    ['http://[::ffff:10.0.0.1]:3128', /IPv4-mapped/],
  ])('at %s is refused', async (server, reason) => {
    await expect(egress.checkUpstream(upstream(server))).rejects.toThrow(reason);
    sessionProxy.useUpstream(upstream(server));
    expect(await tunnel('site.test:443')).toMatch(/ 502 /);
    expect(sessionProxy.failureOf('https://site.test/')).toMatchObject({
      type: 'blocked',
      reason: expect.stringMatching(/^the session's proxy may not be used: /),
    });
    expect(dialled).toEqual([]);
  });

  test('is refused when it is a session proxy of the service', async () => {
    await expect(egress.checkUpstream(upstream(sessionProxy.proxy.server))).rejects.toThrow(
      /port is not open/,
    );
  });

  test.each([
    [
      'a wrong password',
      { requiredCredentials: 'ann:other' },
      /did not accept the user name and password \(407\)/,
    ],
    ['a refusal', { response: 'HTTP/1.1 403 Forbidden\r\n\r\n' }, /refused to connect to it \(403\)/],
    ['something other than HTTP', { response: 'SSH-2.0-x\r\n\r\n' }, /did not respond as a proxy/],
    ['nothing', { response: '' }, /closed the connection/],
  ])('is the reason of the failure when it responds with %s', async (_what, options, reason) => {
    await using proxy = await startProxy(options);
    sessionProxy.useUpstream(upstream(proxy.server, 'ann', 's3cret'));
    expect(await tunnel('site.test:443')).toMatch(/ 502 /);
    expect(sessionProxy.failureOf('https://site.test/')).toMatchObject({
      type: 'proxy',
      reason: expect.stringMatching(reason),
    });
    expect(JSON.stringify(sessionProxy.failureOf('https://site.test/'))).not.toContain('s3cret');
  });

  test('is the reason of the failure when it is unreachable', async () => {
    const { server } = await startProxy().then(async proxy => {
      await proxy[Symbol.asyncDispose]();
      return proxy;
    });
    sessionProxy.useUpstream(upstream(server));
    expect(await tunnel('site.test:443')).toMatch(/ 502 /);
    expect(sessionProxy.failureOf('https://site.test/')).toMatchObject({
      type: 'proxy',
      reason: `the session's proxy ${server} cannot be reached`,
    });
  });

  test('loses its connections when the session proxy closes', async () => {
    const gone = Promise.withResolvers<void>();
    await using silent = await startRawServer(socket => socket.once('close', () => gone.resolve()).resume());
    sessionProxy.useUpstream(upstream(`http://127.0.0.1:${silent.port}`));
    const waiting = tunnel('site.test:443');
    await expect.poll(() => dialled.length).toBe(1);
    await sessionProxy.close();
    await gone.promise;
    void waiting;
  });

  test('may use TLS itself, with a certificate that is checked', async () => {
    await using proxy = await startProxy({ redirectPort: originPort, secure: true });
    sessionProxy.useUpstream(upstream(proxy.server));
    expect(await tunnel('site.test:443')).toMatch(/ 502 /);
    expect(sessionProxy.failureOf('https://site.test/')).toMatchObject({
      reason: expect.stringMatching(/failed in the TLS handshake \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
    });
    const before = getCACertificates();
    setDefaultCACertificates([certificate.cert]);
    try {
      expect(await ask('http://site.test/')).toBe('hello site.test');
    } finally {
      setDefaultCACertificates(before);
    }
  });

  test('may use SOCKS, and receives the checked address and the credentials', async () => {
    const received: string[] = [];
    await using socks = await startRawServer(socket => {
      const replies = [Buffer.from([5, 2]), Buffer.from([1, 0]), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])];
      socket.on('data', chunk => {
        received.push(chunk.toString('hex'));
        const reply = replies.shift();
        if (reply !== undefined) socket.write(reply);
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nsocks');
      });
    });
    sessionProxy.useUpstream(upstream(`socks5://127.0.0.1:${socks.port}`, 'ann', 's3cret'));
    expect(await ask('http://site.test/')).toBe('socks');
    expect(received[1]).toContain(Buffer.from('s3cret').toString('hex'));
    expect(received[2]).toBe(`05010001${Buffer.from(PUBLIC.split('.').map(Number)).toString('hex')}0050`);
  });
});

/** Replies of a hostile SOCKS proxy, in order. Ids are permanent. */
const SOCKS_TALK: readonly {
  id: string;
  what: string;
  user: string;
  password: string;
  replies: number[][];
}[] = [
  {
    id: 'P-001',
    what: 'a user name above 255 bytes',
    user: 'é'.repeat(200),
    password: 'p',
    replies: [[5, 2]],
  },
  {
    id: 'P-002',
    what: 'a password above 255 bytes',
    user: 'u',
    password: 'é'.repeat(200),
    replies: [[5, 2]],
  },
  { id: 'P-003', what: 'another version of SOCKS', user: 'u', password: 'p', replies: [[4, 0]] },
  {
    id: 'P-004',
    what: 'an authentication method that was not offered',
    user: 'u',
    password: 'p',
    replies: [[5, 9]],
  },
  {
    id: 'P-005',
    what: '500 identical bytes',
    user: 'u',
    password: 'p',
    replies: [[5, 0], Array(500).fill(255)],
  },
  {
    id: 'P-006',
    what: 'an unknown reply',
    user: 'u',
    password: 'p',
    replies: [
      [5, 0],
      [5, 99, 0, 1, 0, 0, 0, 0, 0, 0],
    ],
  },
];

describe('A SOCKS proxy that violates the protocol', () => {
  test.each(SOCKS_TALK)('$id with $what gets no connection, and the service keeps running', async row => {
    await using socks = await startRawServer(socket => {
      const replies = [...row.replies];
      socket.on('data', () => {
        const next = replies.shift();
        if (next === undefined) socket.end();
        else socket.write(Buffer.from(next));
      });
    });
    sessionProxy.useUpstream(upstream(`socks5://127.0.0.1:${socks.port}`, row.user, row.password));
    expect(await tunnel('site.test:443')).toMatch(/ 502 /);
    expect(sessionProxy.failureOf('https://site.test/')).toMatchObject({
      type: 'proxy',
      reason: expect.stringMatching(/^the session's proxy socks5:/),
    });
  });
});
