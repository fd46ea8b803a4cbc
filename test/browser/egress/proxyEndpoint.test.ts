import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import type { BlockedRequest } from '../../../src/browser/egress/proxyEndpoint.ts';
import { startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { connectRequest, exchangeBytes, portOfProxy, startRawServer } from './proxyClient.ts';
import { sessionProxyHarness } from './sessionProxyHarness.ts';

const harness = sessionProxyHarness((_incoming, answer) => answer.end('hello'));
const { egress, sessionProxy, ask } = harness;

describe('A tunnel through a session proxy', () => {
  test('carries bytes in both directions, including those sent with the CONNECT', async () => {
    await using echo = await startRawServer(socket => socket.pipe(socket));
    const received = await exchangeBytes(
      portOfProxy(sessionProxy),
      `${connectRequest(echo.port)}early`,
      text => text.endsWith('early'),
    );
    expect(received).toBe('HTTP/1.1 200 Connection Established\r\n\r\nearly');
  });

  test('closes on both sides when either side closes', async () => {
    const ended = Promise.withResolvers<void>();
    await using quiet = await startRawServer(socket => socket.resume().once('close', () => ended.resolve()));
    const socket = connect({ host: '127.0.0.1', port: portOfProxy(sessionProxy) });
    socket.once('data', () => socket.destroy());
    socket.write(connectRequest(quiet.port));
    await ended.promise;
    await using brief = await startRawServer(origin => origin.destroy());
    expect(await exchangeBytes(portOfProxy(sessionProxy), connectRequest(brief.port))).toMatch(/200|^$/);
  });

  test('gets the same 502 for a refused, an unknown and an unreachable target, so that a page cannot distinguish them', async () => {
    const dead = await startRawServer(() => {});
    await dead[Symbol.asyncDispose]();
    const refused = await exchangeBytes(
      portOfProxy(sessionProxy),
      'CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(refused).toMatch(/^HTTP\/1.1 502/);
    expect(await exchangeBytes(portOfProxy(sessionProxy), connectRequest(dead.port))).toBe(refused);
    const unknown = 'CONNECT no-such-name.example:443 HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await exchangeBytes(portOfProxy(sessionProxy), unknown)).toBe(refused);
    const plain = ['10.0.0.1', `127.0.0.1:${dead.port}`, 'no-such-name.example'].map(host =>
      exchangeBytes(portOfProxy(sessionProxy), `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
    );
    expect(new Set(await Promise.all(plain)).size).toBe(1);
  });

  test('is destroyed when its session proxy closes', async () => {
    await using quiet = await startRawServer(socket => socket.resume());
    const own = await egress.openSessionProxy(() => {});
    const received = exchangeBytes(portOfProxy(own), connectRequest(quiet.port));
    await expect.poll(() => own.usage().receivedBytes).toBeGreaterThan(0);
    await own.close();
    expect(await received).toMatch(/200/);
  });
});

describe('A session proxy', () => {
  test('refuses connections to the proxies themselves, whatever the rules open', async () => {
    await using other = await egress.openSessionProxy(() => {});
    await expect(ask(`${other.proxy.server}/`)).rejects.toThrow();
    expect(sessionProxy.failureOf(other.proxy.server)).toMatchObject({
      type: 'blocked',
      reason: expect.stringMatching(/port/),
    });
  });

  test('counts requests and bytes, also of closed connections', async () => {
    await using own = await egress.openSessionProxy(() => {});
    await ask(`http://127.0.0.1:${harness.port}/`, { through: own });
    expect(own.usage()).toMatchObject({ requests: 1 });
    expect(own.usage().receivedBytes).toBeGreaterThan(100);
    expect(own.usage().sentBytes).toBeGreaterThan(30);
  });

  test('reports each refused host and port once, at most 256', async () => {
    const reported: string[] = [];
    await using own = await egress.openSessionProxy(({ url }) => reported.push(url));
    const refuse = (address: string) => expect(ask(`http://${address}/`, { through: own })).rejects.toThrow();
    await refuse('10.0.0.1');
    await refuse('10.0.0.1');
    expect(reported).toEqual(['http://10.0.0.1/']);
    await Promise.all(Array.from({ length: 300 }, (_, i) => refuse(`10.1.${i >> 8}.${i & 255}`)));
    expect(reported).toHaveLength(256);
  });

  test('shortens the URL that it reports', async () => {
    const reported: string[] = [];
    await using own = await egress.openSessionProxy(({ url }) => reported.push(url));
    await expect(ask(`http://10.0.0.1/${'a'.repeat(9_000)}`, { through: own })).rejects.toThrow();
    expect(reported[0]).toHaveLength(2_000);
  });

  test('tells which kind of address a name has, and the address itself only to the operator', async () => {
    const reported: BlockedRequest[] = [];
    await using inside = await startEgressProxy({
      asksForCredentials: false,
      allow: [],
      lookup: async () => [{ address: '10.20.30.40', family: 4 }],
    });
    const own = await inside.openSessionProxy(request => reported.push(request));
    await expect(ask('http://intranet.test/', { through: own })).rejects.toThrow();
    expect(own.failureOf('http://intranet.test/')).toMatchObject({
      type: 'blocked',
      reason: 'intranet.test resolves to a private address',
    });
    expect(reported).toMatchObject([
      { reason: expect.not.stringContaining('10.20'), address: '10.20.30.40' },
    ]);
  });

  test('can be closed twice, and during a lookup', async () => {
    await using stuck = await startEgressProxy({
      asksForCredentials: false,
      allow: [],
      lookup: () => new Promise(() => {}),
    });
    const own = await stuck.openSessionProxy(() => {});
    const asked = ask('http://slow.test/', { through: own }).catch(() => 'cut');
    await expect.poll(() => own.usage().requests).toBe(1);
    await Promise.all([own.close(), own.close()]);
    expect(await asked).toBe('cut');
  });

  test('of the browser itself refuses everything', async () => {
    const reported: string[] = [];
    await using ownEgress = await startEgressProxy({
      asksForCredentials: false,
      allow: parseEgressAllow('127.0.0.1').rules,
      onBlocked: ({ url }) => reported.push(url),
    });
    const own = await ownEgress.openSessionProxy(() => {});
    await expect(
      ask(`http://127.0.0.1:${harness.port}/`, { through: { ...own, proxy: ownEgress.proxy } }),
    ).rejects.toThrow();
    expect(reported).toEqual([`http://127.0.0.1:${harness.port}/`]);
  });
});
