import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialAddresses, type EgressDial, type EgressLookup } from '../../../src/browser/egress/dialer.ts';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import { startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { listen, stopServer } from './egressHarness.ts';
import { requestThrough } from './proxyClient.ts';

let origin: Server;
let port: number;
beforeAll(async () => {
  origin = createServer((incoming, answer) => {
    if (incoming.url === '/close-after') answer.end('bye', () => incoming.socket.destroy());
    else answer.end('hello');
  });
  port = await listen(origin, '127.0.0.1');
});
afterAll(() => stopServer(origin));

describe('The dialer', () => {
  const PUBLIC = '93.184.216.34';
  const names = (...answers: string[][]): EgressLookup & { queryCount: () => number } => {
    let queries = 0;
    const lookup = async () => {
      const answer = answers[Math.min(queries, answers.length - 1)] ?? [];
      queries += 1;
      return answer.map(address => ({ address, family: 4 as const }));
    };
    return Object.assign(lookup, { queryCount: () => queries });
  };
  const dialled: string[] = [];
  /** Connects to the origin instead of the public address; never connects outside loopback. */
  const dial: EgressDial = (addresses, to) => {
    dialled.push(...addresses.map(({ address }) => address));
    const isPublic = addresses.every(({ address }) => address === PUBLIC);
    return dialAddresses([{ address: '127.0.0.1', family: 4 }], isPublic ? port : to);
  };

  test('refuses a name as soon as it resolves to a private address', async () => {
    const lookup = names([PUBLIC], ['127.0.0.1']);
    await using proxy = await startEgressProxy({
      asksForCredentials: false,
      allow: [],
      lookup,
      dial,
      dnsCacheMs: 0,
    });
    await using own = await proxy.openSessionProxy(() => {});
    expect((await requestThrough(own, 'http://flip.test/close-after')).body).toBe('bye');
    await expect(requestThrough(own, 'http://flip.test/')).rejects.toThrow();
    expect(own.failureOf('http://flip.test/')).toMatchObject({ type: 'blocked', address: '127.0.0.1' });
  });

  test('resolves a name once for each connection, and connects to the checked address', async () => {
    const lookup = names([PUBLIC], ['127.0.0.1']);
    await using proxy = await startEgressProxy({
      asksForCredentials: false,
      allow: [],
      lookup,
      dial,
      dnsCacheMs: 0,
    });
    await using own = await proxy.openSessionProxy(() => {});
    dialled.length = 0;
    expect((await requestThrough(own, 'http://flip.test/')).body).toBe('hello');
    expect(lookup.queryCount()).toBe(1);
    expect(dialled).toEqual([PUBLIC]);
  });

  test('connects only to the public addresses of a name with both kinds', async () => {
    const lookup = names(['127.0.0.1', PUBLIC, '10.0.0.1']);
    await using proxy = await startEgressProxy({ asksForCredentials: false, allow: [], lookup, dial });
    await using own = await proxy.openSessionProxy(() => {});
    dialled.length = 0;
    expect((await requestThrough(own, 'http://both.test/')).body).toBe('hello');
    expect(dialled).toEqual([PUBLIC]);
  });

  test('caches a resolved name, for each session proxy separately', async () => {
    const lookup = names([PUBLIC]);
    await using proxy = await startEgressProxy({ asksForCredentials: false, allow: [], lookup, dial });
    for (const expected of [1, 2]) {
      await using own = await proxy.openSessionProxy(() => {});
      await requestThrough(own, 'http://one.test/close-after');
      await requestThrough(own, 'http://one.test/close-after');
      expect(lookup.queryCount()).toBe(expected);
    }
  });

  test('runs at most three lookups at the same time, and the others afterwards', async () => {
    let busy = 0;
    let most = 0;
    let asked = 0;
    const crowded = Promise.withResolvers<void>();
    const lookup: EgressLookup = async host => {
      busy += 1;
      most = Math.max(most, busy);
      if (busy === 3) crowded.resolve();
      await crowded.promise;
      await expect.poll(() => own.usage().requests, { interval: 5 }).toBe(10);
      busy -= 1;
      asked += 1;
      if (host.startsWith('3')) throw new Error('no such name');
      return [{ address: PUBLIC, family: 4 }];
    };
    await using proxy = await startEgressProxy({ asksForCredentials: false, allow: [], lookup, dial });
    await using own = await proxy.openSessionProxy(() => {});
    const names = Array.from({ length: 10 }, (_, i) => `http://${i}.test/`);
    const answers = await Promise.allSettled(names.map(url => requestThrough(own, url)));
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect([asked, most]).toEqual([10, 3]);
  });

  test('returns the address of a name only in `address`, not in the reason', async () => {
    await using proxy = await startEgressProxy({
      asksForCredentials: false,
      allow: [],
      lookup: names(['10.20.30.40']),
      dial,
    });
    await using own = await proxy.openSessionProxy(() => {});
    await expect(requestThrough(own, 'http://secret.test/')).rejects.toThrow();
    expect(own.failureOf('http://secret.test/')).toMatchObject({
      reason: 'secret.test resolves to a private address',
      address: '10.20.30.40',
    });
  });
});

describe('The dialer, for a name with several addresses,', () => {
  test('tries them until one accepts', async () => {
    const lookup: EgressLookup = async () => [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    await using proxy = await startEgressProxy({
      asksForCredentials: false,
      allow: parseEgressAllow('127.0.0.1,[::1]').rules,
      lookup,
    });
    await using own = await proxy.openSessionProxy(() => {});
    expect((await requestThrough(own, `http://two.test:${port}/`)).body).toBe('hello');
  });
});
