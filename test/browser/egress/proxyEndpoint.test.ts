import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import type { ProxyEndpoint } from '../../../src/browser/egress/proxyEndpoint.ts';
import { type EgressProxy, startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { listen, stopServer } from './egressHarness.ts';
import {
  connectRequest,
  exchangeBytes,
  type ProxyRequestOptions,
  portOfProxy,
  requestThrough,
  startRawServer,
} from './proxyClient.ts';

let origin: Server;
let port: number;
let egress: EgressProxy;
let door: ProxyEndpoint;
beforeAll(async () => {
  origin = createServer((_incoming, answer) => answer.end('hello'));
  port = await listen(origin, '127.0.0.1');
  egress = await startEgressProxy({ allow: parseEgressAllow('127.0.0.1,[::1]').rules });
  door = await egress.openSessionProxy(() => {});
});
afterAll(async () => {
  await egress.close();
  await stopServer(origin);
});

const ask = (
  url: string,
  { through = door, ...asking }: ProxyRequestOptions & { readonly through?: ProxyEndpoint } = {},
) => requestThrough(through, url, asking);

describe('A tunnel through a door', () => {
  test('carries bytes both ways, those sent with the CONNECT too', async () => {
    await using echo = await startRawServer(socket => socket.pipe(socket));
    const heard = await exchangeBytes(portOfProxy(door), `${connectRequest(echo.port)}early`, text =>
      text.endsWith('early'),
    );
    expect(heard).toBe('HTTP/1.1 200 Connection Established\r\n\r\nearly');
  });

  test('ends on both sides when either ends', async () => {
    const ended = Promise.withResolvers<void>();
    await using quiet = await startRawServer(socket => socket.resume().once('close', () => ended.resolve()));
    const socket = connect({ host: '127.0.0.1', port: portOfProxy(door) });
    socket.once('data', () => socket.destroy());
    socket.write(connectRequest(quiet.port));
    await ended.promise;
    await using brief = await startRawServer(origin => origin.destroy());
    expect(await exchangeBytes(portOfProxy(door), connectRequest(brief.port))).toMatch(/200|^$/);
  });

  test('answers 502 alike for the refused and the dead, so that no page can tell them apart', async () => {
    const dead = await startRawServer(() => {});
    await dead[Symbol.asyncDispose]();
    const refused = await exchangeBytes(
      portOfProxy(door),
      'CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(refused).toMatch(/^HTTP\/1.1 502/);
    expect(await exchangeBytes(portOfProxy(door), connectRequest(dead.port))).toBe(refused);
  });

  test('is cut when its door closes', async () => {
    await using quiet = await startRawServer(socket => socket.resume());
    const own = await egress.openSessionProxy(() => {});
    const heard = exchangeBytes(portOfProxy(own), connectRequest(quiet.port));
    await expect.poll(() => own.usage().receivedBytes).toBeGreaterThan(0);
    await own.close();
    expect(await heard).toMatch(/200/);
  });
});

describe('A door', () => {
  test('leads to no door of the same proxy, whatever the rules open', async () => {
    await using other = await egress.openSessionProxy(() => {});
    await expect(ask(`${other.proxy.server}/`)).rejects.toThrow();
    expect(door.failureOf(other.proxy.server)).toMatchObject({
      type: 'blocked',
      reason: expect.stringMatching(/port/),
    });
  });

  test('counts requests and bytes, of closed connections too', async () => {
    await using own = await egress.openSessionProxy(() => {});
    await ask(`http://127.0.0.1:${port}/`, { through: own });
    expect(own.usage()).toMatchObject({ requests: 1 });
    expect(own.usage().receivedBytes).toBeGreaterThan(100);
    expect(own.usage().sentBytes).toBeGreaterThan(30);
  });

  test('tells of each refused host and port once, and of 256 at most', async () => {
    const told: string[] = [];
    await using own = await egress.openSessionProxy(({ url }) => told.push(url));
    const refuse = (address: string) => expect(ask(`http://${address}/`, { through: own })).rejects.toThrow();
    await refuse('10.0.0.1');
    await refuse('10.0.0.1');
    expect(told).toEqual(['http://10.0.0.1/']);
    await Promise.all(Array.from({ length: 300 }, (_, i) => refuse(`10.1.${i >> 8}.${i & 255}`)));
    expect(told).toHaveLength(256);
  });

  test('shortens the URL that it tells of', async () => {
    const told: string[] = [];
    await using own = await egress.openSessionProxy(({ url }) => told.push(url));
    await expect(ask(`http://10.0.0.1/${'a'.repeat(9_000)}`, { through: own })).rejects.toThrow();
    expect(told[0]).toHaveLength(2_000);
  });

  test('closes twice, and with a name still being looked up', async () => {
    await using stuck = await startEgressProxy({ allow: [], lookup: () => new Promise(() => {}) });
    const own = await stuck.openSessionProxy(() => {});
    const asked = ask('http://slow.test/', { through: own }).catch(() => 'cut');
    await expect.poll(() => own.usage().requests).toBe(1);
    await Promise.all([own.close(), own.close()]);
    expect(await asked).toBe('cut');
  });

  test('that the browser itself is given refuses everything', async () => {
    const told: string[] = [];
    await using walled = await startEgressProxy({
      allow: parseEgressAllow('127.0.0.1').rules,
      onBlocked: ({ url }) => told.push(url),
    });
    const own = await walled.openSessionProxy(() => {});
    await expect(
      ask(`http://127.0.0.1:${port}/`, { through: { ...own, proxy: walled.proxy } }),
    ).rejects.toThrow();
    expect(told).toEqual([`http://127.0.0.1:${port}/`]);
  });
});
