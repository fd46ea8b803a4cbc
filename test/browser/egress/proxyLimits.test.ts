import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EgressLookup } from '../../../src/browser/egress/dialer.ts';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import { startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { listen, PUBLIC_ADDRESS, stopServer } from './egressHarness.ts';
import { connectRequest, exchangeBytes, portOfProxy, requestThrough, startRawServer } from './proxyClient.ts';

const allow = parseEgressAllow('127.0.0.0/8').rules;
const nowhere: EgressLookup = () =>
  Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }));

let origin: Server;
let port: number;
/** Open connections to the origin. */
let open = 0;
beforeAll(async () => {
  origin = createServer((incoming, answer) => {
    if (incoming.url === '/close') answer.setHeader('connection', 'close');
    answer.end('hello');
  });
  origin.on('connection', socket => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
  // A busy machine may take longer than the default between the first connection and the last.
  origin.keepAliveTimeout = 60_000;
  port = await listen(origin, '0.0.0.0');
});
afterAll(() => stopServer(origin));

describe('A session proxy', () => {
  test('D-001 accepts 512 connections and closes one more', async () => {
    await using egress = await startEgressProxy({ asksForCredentials: false, allow });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const clients = await Promise.all(
      Array.from({ length: 512 }, async () => {
        const socket = connect({ host: '127.0.0.1', port: portOfProxy(sessionProxy) });
        await new Promise(resolve => socket.once('connect', resolve));
        return socket;
      }),
    );
    const get = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await exchangeBytes(portOfProxy(sessionProxy), get).catch(() => '')).toBe('');
    for (const socket of clients) socket.destroy();
    await expect.poll(() => exchangeBytes(portOfProxy(sessionProxy), get).catch(() => '')).toMatch(/hello$/);
  });

  test('D-009 closes the connections over which nothing has passed since they were marked', async () => {
    await using egress = await startEgressProxy({ asksForCredentials: false, allow });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const get = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    const opened = async () => {
      const socket = connect({ host: '127.0.0.1', port: portOfProxy(sessionProxy) }, () => socket.write(get));
      const ended = new Promise(resolve => socket.once('close', resolve));
      const answers = () => new Promise(resolve => socket.once('data', resolve));
      await answers();
      return { socket, ended, answers };
    };
    const [silent, used] = [await opened(), await opened()];
    const closeSilent = sessionProxy.markConnections();
    const late = await opened();
    const answer = used.answers();
    used.socket.write(get);
    await answer;
    closeSilent();
    await silent.ended;
    expect([used.socket.destroyed, late.socket.destroyed]).toEqual([false, false]);
    for (const { socket } of [used, late]) socket.destroy();
  });

  test('D-010 drops an answer of the origin that comes after the proxy has answered itself', async () => {
    const asked: ServerResponse[] = [];
    const slow = createServer((_request, response) => asked.push(response));
    const slowPort = await listen(slow, '127.0.0.1');
    await using egress = await startEgressProxy({ asksForCredentials: false, allow });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const get = `GET http://127.0.0.1:${slowPort}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    // The second response waits for the first one, so it is not over when the origin answers.
    const received = exchangeBytes(portOfProxy(sessionProxy), get + get);
    await expect.poll(() => asked.length).toBe(2);
    sessionProxy.markConnections()();
    asked[1]?.end('too late');
    await once(asked[1]?.socket as Socket, 'close');
    asked[0]?.end('first');
    expect(await received).toMatch(/first.*HTTP\/1\.1 504/s);
    await stopServer(slow);
  });

  test('D-002 keeps 64 idle connections to origins', async () => {
    await using egress = await startEgressProxy({ asksForCredentials: false, allow });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const hosts = Array.from({ length: 80 }, (_, i) => `http://127.0.0.${i + 1}:${port}/`);
    for (const url of hosts) await requestThrough(sessionProxy, url);
    await expect.poll(() => open).toBe(64);
  });

  test('D-003 caches 500 names', async () => {
    const asked: string[] = [];
    const lookup: EgressLookup = async host => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    await using egress = await startEgressProxy({ asksForCredentials: false, allow, lookup });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const visit = (i: number) => requestThrough(sessionProxy, `http://n${i}.test:${port}/close`);
    for (let i = 0; i <= 500; i += 1) await visit(i);
    await visit(500);
    await visit(0);
    expect(asked.slice(-2)).toEqual(['n500.test', 'n0.test']);
  });

  test.each([
    ['request', (long: string) => [`X: ${long}`, ''] as const],
    ['response', (long: string) => ['X: a', `X: ${long}`] as const],
  ])('D-004 accepts 256 KiB of %s headers', async (_what, headers) => {
    await using egress = await startEgressProxy({ asksForCredentials: false, allow });
    const sessionProxy = await egress.openSessionProxy(() => {});
    for (const [size, fits] of [
      [200, true],
      [300, false],
    ] as const) {
      const [asking, answering] = headers('a'.repeat(size * 1_024));
      const answer = `HTTP/1.1 200 OK\r\n${answering === '' ? '' : `${answering}\r\n`}Content-Length: 0\r\n\r\n`;
      await using site = await startRawServer(socket =>
        socket.on('data', bytes => bytes.toString('latin1').endsWith('\r\n\r\n') && socket.end(answer)),
      );
      const get = `GET http://127.0.0.1:${site.port}/ HTTP/1.1\r\nHost: x\r\n${asking}\r\nConnection: close\r\n\r\n`;
      expect(
        (await exchangeBytes(portOfProxy(sessionProxy), get).catch(() => '')).startsWith('HTTP/1.1 200'),
      ).toBe(fits);
    }
  });

  test('D-005 waits 20 seconds for a connection', async () => {
    const socket = new Socket();
    await using egress = await startEgressProxy({ asksForCredentials: false, allow, dial: () => socket });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const asked = requestThrough(sessionProxy, 'http://127.0.0.1:9999/').catch(() => 'cut');
    await expect.poll(() => socket.timeout).toBe(20_000);
    socket.emit('timeout');
    expect(await asked).toBe('cut');
    expect(sessionProxy.failureOf('http://127.0.0.1:9999/')).toMatchObject({
      reason: 'the connection timed out',
    });
  });

  test('D-006 closes a tunnel after 10 minutes of silence', async () => {
    const dialled: Socket[] = [];
    await using quiet = await startRawServer(socket => socket.resume());
    await using egress = await startEgressProxy({
      asksForCredentials: false,
      allow,
      dial: (_addresses, to) => {
        const socket = connect({ host: '127.0.0.1', port: to });
        dialled.push(socket);
        return socket;
      },
    });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const received = exchangeBytes(portOfProxy(sessionProxy), connectRequest(quiet.port));
    await expect.poll(() => dialled[0]?.timeout).toBe(600_000);
    dialled[0]?.emit('timeout');
    expect(await received).toMatch(/ 200 /);
  });
});

describe('A session proxy that closes', () => {
  test('D-007 does not resolve the names that are still queued', async () => {
    const asked: string[] = [];
    const held = Promise.withResolvers<void>();
    const lookup: EgressLookup = async host => {
      asked.push(host);
      await held.promise;
      return nowhere(host);
    };
    await using egress = await startEgressProxy({ asksForCredentials: false, allow, lookup });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const cut = Array.from({ length: 20 }, (_, i) =>
      requestThrough(sessionProxy, `http://n${i}.test/`).catch(() => 'cut'),
    );
    await expect.poll(() => sessionProxy.usage().requests).toBe(20);
    await sessionProxy.close();
    held.resolve();
    expect(await Promise.all(cut)).toEqual(Array(20).fill('cut'));
    expect(asked).toHaveLength(3);
  });

  test('D-008 does not connect to a name that is resolved too late', async () => {
    const held = Promise.withResolvers<void>();
    const dialled: string[] = [];
    const found = Promise.withResolvers<void>();
    await using egress = await startEgressProxy({
      asksForCredentials: false,
      allow,
      lookup: async () => {
        await held.promise;
        setImmediate(found.resolve);
        return [{ address: PUBLIC_ADDRESS, family: 4 }];
      },
      dial: addresses => {
        dialled.push(...addresses.map(({ address }) => address));
        return new Socket();
      },
    });
    const sessionProxy = await egress.openSessionProxy(() => {});
    const cut = requestThrough(sessionProxy, 'http://late.test/').catch(() => 'cut');
    await expect.poll(() => sessionProxy.usage().requests).toBe(1);
    await sessionProxy.close();
    held.resolve();
    await found.promise;
    expect(await cut).toBe('cut');
    expect(dialled).toEqual([]);
  });
});
