import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EgressLookup } from '../../../src/browser/egress/dialer.ts';
import type { Vector } from './attackVector.ts';
import { VECTORS } from './attackVectors.ts';
import {
  type EgressHarness,
  type ProxiedContext,
  PUBLIC_ADDRESS,
  type SiteHandler,
  startEgressHarness,
} from './egressHarness.ts';

/** Serves `/page/<id>` and `/part/<id>` of the vectors. */
const site: SiteHandler = (_request, response, url) => {
  const [, kind, id] = url.pathname.split('/');
  const vector = VECTORS.find(row => row.id === id);
  const to = url.searchParams.get('to') ?? '';
  if (kind === 'page' && vector !== undefined) {
    for (const [name, value] of Object.entries(vector.headers?.(to) ?? {})) response.setHeader(name, value);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>attack</title>${vector.body?.(to) ?? ''}`);
  } else if (kind === 'part' && vector?.part !== undefined) {
    const [type, content] = vector.part(to);
    response.writeHead(200, { 'content-type': type, 'service-worker-allowed': '/' }).end(content);
  } else response.end('hello');
};

/** Every name under loopback.test leads to loopback. */
const lookup: EgressLookup = async host => {
  if (host === 'open.test') return [{ address: PUBLIC_ADDRESS, family: 4 }];
  if (host.endsWith('.loopback.test')) return [{ address: '127.0.0.1', family: 4 }];
  throw Object.assign(new Error(`no such name: ${host}`), { code: 'ENOTFOUND' });
};

/** A context with a tab for each target of a row. */
interface Tabs {
  readonly proxied: ProxiedContext;
  readonly pages: readonly Page[];
}

let harness: EgressHarness;
/** Tabs that no row uses at the moment: opening tabs for each row would take most of the time. */
const idle: Tabs[] = [];
beforeAll(async () => {
  harness = await startEgressHarness({ site, lookup });
});
afterAll(async () => {
  for (const { proxied } of idle) await proxied[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

async function openTabs(): Promise<Tabs> {
  const proxied = await harness.openContext();
  const open = () => proxied.context.newPage();
  return { proxied, pages: await Promise.all([open(), open(), open()]) };
}

const SOON = { timeout: 20_000, interval: 20 };

/** Opens the attacking page with the target `to`, and waits until `isDone` reports that the attack was carried out. */
async function carryOut(page: Page, vector: Vector, to: string, isDone: () => boolean) {
  // Many of the pages leave at once for an address that fails: the first commit is enough.
  const query = `to=${encodeURIComponent(to)}`;
  await page.goto(`${harness.siteOrigin}/page/${vector.id}?${query}`, { waitUntil: 'commit' });
  await vi.waitFor(() => expect(isDone()).toBe(true), SOON);
}

function isBlocked({ blocked }: ProxiedContext, to: string): boolean {
  const { host } = new URL(to);
  return blocked.some(({ url }) => (url.includes('//') ? new URL(url).host : url) === host);
}

describe('A session proxy lets a page request only what it may, by every attack vector:', () => {
  test.concurrent.each(VECTORS)('$id $what', async vector => {
    // Each row has hosts of its own: a late request of the row before it is not taken for one of this row.
    const row = Number(vector.id.slice(2));
    const closedHosts =
      vector.trustworthyOnly === true ? ['127.0.0.1'] : [`127.0.1.${row}`, `v${row}.loopback.test`];
    const closed = closedHosts.map(host => `http://${host}:${harness.canaryPort}/${vector.id}`);
    const open = `${vector.trustworthyOnly === true ? harness.siteOrigin : harness.openOrigin}/hit/${vector.id}`;
    const tabs = (vector.ownTabs === true ? undefined : idle.pop()) ?? (await openTabs());
    const [first, ...others] = tabs.pages;
    if (first === undefined) throw new Error('There are three tabs.');
    await Promise.all([
      ...closed.map((to, n) => carryOut(others[n] ?? first, vector, to, () => isBlocked(tabs.proxied, to))),
      // Without this a row whose attack no longer works would look like a success.
      carryOut(first, vector, open, () => harness.visits.some(path => path.startsWith(`/hit/${vector.id}`))),
    ]);
    if (vector.ownTabs === true) await tabs.proxied[Symbol.asyncDispose]();
    else idle.push(tabs);
  });

  test('and connects neither to the canary nor to any other address', () => {
    expect(harness.canaryHits).toEqual([]);
    expect(harness.dialledAddresses.filter(address => address !== PUBLIC_ADDRESS)).toEqual([]);
  });
});
