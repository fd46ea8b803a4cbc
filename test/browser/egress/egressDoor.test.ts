import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EgressDoor } from '../../../src/browser/egress/egressDoor.ts';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import { type EgressProxy, startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { listening, stopped } from './attackRig.ts';
import { type Asking, askDoor, connectTo, portOfDoor, rawOrigin, talk } from './doorTalk.ts';

let origin: Server;
let port: number;
let egress: EgressProxy;
let door: EgressDoor;
beforeAll(async () => {
  origin = createServer((_incoming, answer) => answer.end('hello'));
  port = await listening(origin, '127.0.0.1');
  egress = await startEgressProxy({ allow: parseEgressAllow('127.0.0.1,[::1]').rules });
  door = await egress.openDoor(() => {});
});
afterAll(async () => {
  await egress.close();
  await stopped(origin);
});

const ask = (url: string, { through = door, ...asking }: Asking & { readonly through?: EgressDoor } = {}) =>
  askDoor(through, url, asking);

describe('A tunnel through a door', () => {
  test('carries bytes both ways, those sent with the CONNECT too', async () => {
    await using echo = await rawOrigin(socket => socket.pipe(socket));
    const heard = await talk(portOfDoor(door), `${connectTo(echo.port)}early`, text =>
      text.endsWith('early'),
    );
    expect(heard).toBe('HTTP/1.1 200 Connection Established\r\n\r\nearly');
  });

  test('ends on both sides when either ends', async () => {
    const ended = Promise.withResolvers<void>();
    await using quiet = await rawOrigin(socket => socket.resume().once('close', () => ended.resolve()));
    const socket = connect({ host: '127.0.0.1', port: portOfDoor(door) });
    socket.once('data', () => socket.destroy());
    socket.write(connectTo(quiet.port));
    await ended.promise;
    await using brief = await rawOrigin(origin => origin.destroy());
    expect(await talk(portOfDoor(door), connectTo(brief.port))).toMatch(/200|^$/);
  });

  test('answers 502 alike for the refused and the dead, so that no page can tell them apart', async () => {
    const dead = await rawOrigin(() => {});
    await dead[Symbol.asyncDispose]();
    const refused = await talk(portOfDoor(door), 'CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(refused).toMatch(/^HTTP\/1.1 502/);
    expect(await talk(portOfDoor(door), connectTo(dead.port))).toBe(refused);
  });

  test('is cut when its door closes', async () => {
    await using quiet = await rawOrigin(socket => socket.resume());
    const own = await egress.openDoor(() => {});
    const heard = talk(portOfDoor(own), connectTo(quiet.port));
    await vi.waitFor(() => expect(own.usage().receivedBytes).toBeGreaterThan(0));
    await own.close();
    expect(await heard).toMatch(/200/);
  });
});

describe('A door', () => {
  test('leads to no door of the same proxy, whatever the rules open', async () => {
    await using other = await egress.openDoor(() => {});
    await expect(ask(`${other.proxy.server}/`)).rejects.toThrow();
    expect(door.outcome(other.proxy.server)).toMatchObject({
      type: 'blocked',
      reason: expect.stringMatching(/port/),
    });
  });

  test('counts requests and bytes, of closed connections too', async () => {
    await using own = await egress.openDoor(() => {});
    await ask(`http://127.0.0.1:${port}/`, { through: own });
    expect(own.usage()).toMatchObject({ requests: 1 });
    expect(own.usage().receivedBytes).toBeGreaterThan(100);
    expect(own.usage().sentBytes).toBeGreaterThan(30);
  });

  test('tells of each refused host and port once, and of 256 at most', async () => {
    const told: string[] = [];
    await using own = await egress.openDoor(({ url }) => told.push(url));
    const refuse = (address: string) => expect(ask(`http://${address}/`, { through: own })).rejects.toThrow();
    await refuse('10.0.0.1');
    await refuse('10.0.0.1');
    expect(told).toEqual(['http://10.0.0.1/']);
    await Promise.all(Array.from({ length: 300 }, (_, i) => refuse(`10.1.${i >> 8}.${i & 255}`)));
    expect(told).toHaveLength(256);
  });

  test('shortens the URL that it tells of', async () => {
    const told: string[] = [];
    await using own = await egress.openDoor(({ url }) => told.push(url));
    await expect(ask(`http://10.0.0.1/${'a'.repeat(9_000)}`, { through: own })).rejects.toThrow();
    expect(told[0]).toHaveLength(2_000);
  });

  test('closes twice, and with a name still being looked up', async () => {
    await using stuck = await startEgressProxy({ allow: [], lookup: () => new Promise(() => {}) });
    const own = await stuck.openDoor(() => {});
    const asked = ask('http://slow.test/', { through: own }).catch(() => 'cut');
    await vi.waitFor(() => expect(own.usage().requests).toBe(1));
    await Promise.all([own.close(), own.close()]);
    expect(await asked).toBe('cut');
  });

  test('that the browser itself is given refuses everything', async () => {
    const told: string[] = [];
    await using walled = await startEgressProxy({
      allow: parseEgressAllow('127.0.0.1').rules,
      onBlocked: ({ url }) => told.push(url),
    });
    const own = await walled.openDoor(() => {});
    await expect(
      ask(`http://127.0.0.1:${port}/`, { through: { ...own, proxy: walled.proxy } }),
    ).rejects.toThrow();
    expect(told).toEqual([`http://127.0.0.1:${port}/`]);
  });
});
