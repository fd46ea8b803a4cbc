import { describe, expect, test } from 'vitest';
import { dnsLookup } from '../../../src/browser/egress/dialer.ts';
import { PUBLIC_ADDRESS, startEgressHarness } from './egressHarness.ts';
import { startFlippingDns } from './rebindingDns.ts';

/** Every request of a page has a connection of its own, so that the name is asked for anew. */
const site = (
  _request: unknown,
  response: { setHeader(name: string, value: string): void; end(text: string): void },
) => {
  response.setHeader('connection', 'close');
  response.setHeader('content-type', 'text/html');
  response.end('<title>attack</title>');
};

describe('A name server that flips its answer', () => {
  test.each([
    ['N-001', 'to loopback', ['127.0.0.1']],
    ['N-002', 'to a private address', ['10.0.0.1']],
    ['N-003', "to a cloud's metadata", ['169.254.169.254']],
    ['N-004', 'to this network', ['0.0.0.0']],
    ['N-005', 'to several of them', ['127.0.0.1', '10.0.0.1', '0.0.0.0']],
  ])('%s %s gives a page of the same origin nothing', async (_id, _what, later) => {
    await using dns = await startFlippingDns([PUBLIC_ADDRESS], later);
    await using rig = await startEgressHarness({ site, lookup: dns.lookup, dnsCacheMs: 0 });
    await using visitor = await rig.openContext();
    const page = await visitor.context.newPage();
    const origin = `http://flip.test:${rig.canaryPort}`;
    await page.goto(`${origin}/`, { waitUntil: 'load' });
    const asking = page.evaluate(url => fetch(url).then(answer => answer.text()), `${origin}/again`);
    await expect(asking).rejects.toThrow(/Failed to fetch/);
    expect(visitor.proxy.failureOf(origin)).toMatchObject({ type: 'blocked' });
    expect(rig.canaryHits).toEqual([]);
    expect([...new Set(rig.dialledAddresses)]).toEqual([PUBLIC_ADDRESS]);
  });

  test('N-006 that puts a private address beside the open one has only the open one dialled', async () => {
    await using dns = await startFlippingDns(['127.0.0.1', PUBLIC_ADDRESS, '10.0.0.1']);
    await using rig = await startEgressHarness({ site, lookup: dns.lookup, dnsCacheMs: 0 });
    await using visitor = await rig.openContext();
    const page = await visitor.context.newPage();
    expect((await page.goto(`http://both.test:${rig.canaryPort}/`))?.status()).toBe(200);
    expect(rig.canaryHits).toEqual([]);
    expect([...new Set(rig.dialledAddresses)]).toEqual([PUBLIC_ADDRESS]);
  });

  test('N-007 is not asked again while its answer stands', async () => {
    await using dns = await startFlippingDns([PUBLIC_ADDRESS], ['127.0.0.1']);
    await using rig = await startEgressHarness({ site, lookup: dns.lookup, dnsCacheMs: 60_000 });
    await using visitor = await rig.openContext();
    const page = await visitor.context.newPage();
    await page.goto(`http://flip.test:${rig.canaryPort}/`);
    expect((await page.goto(`http://flip.test:${rig.canaryPort}/again`))?.status()).toBe(200);
    expect(dns.queryCount()).toBe(1);
  });
});

test("N-008 the system's resolver gives every address of a name with its family", async () => {
  const found = await dnsLookup('localhost');
  expect(found).toContainEqual({ address: '127.0.0.1', family: 4 });
  for (const { address, family } of found) expect(family).toBe(address.includes(':') ? 6 : 4);
});
