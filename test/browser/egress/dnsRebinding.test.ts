import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dnsLookup, type EgressLookup } from '../../../src/browser/egress/dialer.ts';
import { type EgressHarness, PUBLIC_ADDRESS, startEgressHarness } from './egressHarness.ts';
import { startRebindingDns } from './rebindingDns.ts';

/** Closes the connection after each response, so that the next request resolves the name again. */
const site = (
  _request: unknown,
  response: { setHeader(name: string, value: string): void; end(text: string): void },
) => {
  response.setHeader('connection', 'close');
  response.setHeader('content-type', 'text/html');
  response.end('<title>attack</title>');
};

/** One browser for all tests that cache no name; each asks a name server of its own. */
let harness: EgressHarness;
let lookup: EgressLookup = dnsLookup;
beforeAll(async () => {
  harness = await startEgressHarness({ site, lookup: host => lookup(host), dnsCacheMs: 0 });
});
afterAll(() => harness[Symbol.asyncDispose]());

describe('A session proxy, when a name server changes its answer', () => {
  test.each([
    ['N-001', 'to loopback', ['127.0.0.1']],
    ['N-002', 'to a private address', ['10.0.0.1']],
    ['N-003', "to a cloud's metadata", ['169.254.169.254']],
    ['N-004', 'to this network', ['0.0.0.0']],
    ['N-005', 'to several of them', ['127.0.0.1', '10.0.0.1', '0.0.0.0']],
  ])('%s %s, fails the next request of the same origin', async (_id, _what, later) => {
    await using dns = await startRebindingDns([PUBLIC_ADDRESS], later);
    lookup = dns.lookup;
    await using proxied = await harness.openContext();
    const page = await proxied.context.newPage();
    const origin = `http://flip.test:${harness.canaryPort}`;
    await page.goto(`${origin}/`, { waitUntil: 'load' });
    const asking = page.evaluate(url => fetch(url).then(response => response.text()), `${origin}/again`);
    await expect(asking).rejects.toThrow(/Failed to fetch/);
    expect(proxied.proxy.failureOf(origin)).toMatchObject({ type: 'blocked' });
    expect(harness.canaryHits).toEqual([]);
    expect([...new Set(harness.dialledAddresses)]).toEqual([PUBLIC_ADDRESS]);
  });

  test('N-006 to a private and a public address, connects only to the public one', async () => {
    await using dns = await startRebindingDns(['127.0.0.1', PUBLIC_ADDRESS, '10.0.0.1']);
    lookup = dns.lookup;
    await using proxied = await harness.openContext();
    const page = await proxied.context.newPage();
    expect((await page.goto(`http://both.test:${harness.canaryPort}/`))?.status()).toBe(200);
    expect(harness.canaryHits).toEqual([]);
    expect([...new Set(harness.dialledAddresses)]).toEqual([PUBLIC_ADDRESS]);
  });

  test('N-007 does not resolve the name again while it is cached', async () => {
    await using dns = await startRebindingDns([PUBLIC_ADDRESS], ['127.0.0.1']);
    await using caching = await startEgressHarness({ site, lookup: dns.lookup, dnsCacheMs: 60_000 });
    await using proxied = await caching.openContext();
    const page = await proxied.context.newPage();
    await page.goto(`http://flip.test:${caching.canaryPort}/`);
    expect((await page.goto(`http://flip.test:${caching.canaryPort}/again`))?.status()).toBe(200);
    expect(dns.queryCount()).toBe(1);
  });
});

test('N-008 dnsLookup returns every address of a name with its family', async () => {
  const found = await dnsLookup('localhost');
  expect(found).toContainEqual({ address: '127.0.0.1', family: 4 });
  for (const { address, family } of found) expect(family).toBe(address.includes(':') ? 6 : 4);
});
