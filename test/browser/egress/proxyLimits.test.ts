import { createServer, type Server } from 'node:http';
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
/** Connections to the origin that are open. */
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
  port = await listen(origin, '0.0.0.0');
});
afterAll(() => stopServer(origin));

describe('The bounds of a door', () => {
  test('D-001 five hundred and twelve connections; one more is closed', async () => {
    await using egress = await startEgressProxy({ allow });
    const door = await egress.openSessionProxy(() => {});
    const clients = await Promise.all(
      Array.from({ length: 512 }, async () => {
        const socket = connect({ host: '127.0.0.1', port: portOfProxy(door) });
        await new Promise(resolve => socket.once('connect', resolve));
        return socket;
      }),
    );
    const get = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await exchangeBytes(portOfProxy(door), get).catch(() => '')).toBe('');
    for (const socket of clients) socket.destroy();
    await expect.poll(() => exchangeBytes(portOfProxy(door), get).catch(() => '')).toMatch(/hello$/);
  });

  test('D-002 sixty-four idle connections to origins', async () => {
    await using egress = await startEgressProxy({ allow });
    const door = await egress.openSessionProxy(() => {});
    const hosts = Array.from({ length: 80 }, (_, i) => `http://127.0.0.${i + 1}:${port}/`);
    for (const url of hosts) await requestThrough(door, url);
    await expect.poll(() => open).toBe(64);
  });

  test('D-003 five hundred names remembered', async () => {
    const asked: string[] = [];
    const lookup: EgressLookup = async host => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    await using egress = await startEgressProxy({ allow, lookup });
    const door = await egress.openSessionProxy(() => {});
    const visit = (i: number) => requestThrough(door, `http://n${i}.test:${port}/close`);
    for (let i = 0; i <= 500; i += 1) await visit(i);
    await visit(500);
    await visit(0);
    expect(asked.slice(-2)).toEqual(['n500.test', 'n0.test']);
  });

  test.each([
    ['of a request', (long: string) => [`X: ${long}`, ''] as const],
    ['of an answer', (long: string) => ['X: a', `X: ${long}`] as const],
  ])('D-004 256 KiB of headers %s', async (_what, headers) => {
    await using egress = await startEgressProxy({ allow });
    const door = await egress.openSessionProxy(() => {});
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
      expect((await exchangeBytes(portOfProxy(door), get).catch(() => '')).startsWith('HTTP/1.1 200')).toBe(
        fits,
      );
    }
  });

  test('D-005 twenty seconds for a connection to come about', async () => {
    const socket = new Socket();
    await using egress = await startEgressProxy({ allow, dial: () => socket });
    const door = await egress.openSessionProxy(() => {});
    const asked = requestThrough(door, 'http://127.0.0.1:9999/').catch(() => 'cut');
    await expect.poll(() => socket.timeout).toBe(20_000);
    socket.emit('timeout');
    expect(await asked).toBe('cut');
    expect(door.failureOf('http://127.0.0.1:9999/')).toMatchObject({ reason: 'the connection timed out' });
  });

  test('D-006 ten minutes of silence in a tunnel', async () => {
    const dialled: Socket[] = [];
    await using quiet = await startRawServer(socket => socket.resume());
    await using egress = await startEgressProxy({
      allow,
      dial: (_addresses, to) => {
        const socket = connect({ host: '127.0.0.1', port: to });
        dialled.push(socket);
        return socket;
      },
    });
    const door = await egress.openSessionProxy(() => {});
    const heard = exchangeBytes(portOfProxy(door), connectRequest(quiet.port));
    await expect.poll(() => dialled[0]?.timeout).toBe(600_000);
    dialled[0]?.emit('timeout');
    expect(await heard).toMatch(/ 200 /);
  });
});

describe('A door that closes', () => {
  test('D-007 asks for no more of the names that wait for their turn', async () => {
    const asked: string[] = [];
    const held = Promise.withResolvers<void>();
    const lookup: EgressLookup = async host => {
      asked.push(host);
      await held.promise;
      return nowhere(host);
    };
    await using egress = await startEgressProxy({ allow, lookup });
    const door = await egress.openSessionProxy(() => {});
    const cut = Array.from({ length: 20 }, (_, i) =>
      requestThrough(door, `http://n${i}.test/`).catch(() => 'cut'),
    );
    await expect.poll(() => door.usage().requests).toBe(20);
    await door.close();
    held.resolve();
    expect(await Promise.all(cut)).toEqual(Array(20).fill('cut'));
    expect(asked).toHaveLength(3);
  });

  test('D-008 dials nothing for a name that is found too late', async () => {
    const held = Promise.withResolvers<void>();
    const dialled: string[] = [];
    const found = Promise.withResolvers<void>();
    await using egress = await startEgressProxy({
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
    const door = await egress.openSessionProxy(() => {});
    const cut = requestThrough(door, 'http://late.test/').catch(() => 'cut');
    await expect.poll(() => door.usage().requests).toBe(1);
    await door.close();
    held.resolve();
    await found.promise;
    expect(await cut).toBe('cut');
    expect(dialled).toEqual([]);
  });
});
