import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { VECTORS, type Vector } from './attackVectors.ts';
import {
  type EgressHarness,
  type ProxiedContext,
  PUBLIC_ADDRESS,
  type SiteHandler,
  startEgressHarness,
} from './egressHarness.ts';

/** Serves `/page/<id>` and `/part/<id>` of the catalogue. */
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

let rig: EgressHarness;
beforeAll(async () => {
  rig = await startEgressHarness({ site });
});
afterAll(() => rig[Symbol.asyncDispose]());

const soon = { timeout: 10_000, interval: 20 };

/** Opens the attacking page aimed at `to`, and waits until `seen` says that the attack was carried out. */
async function carryOut(
  visitor: ProxiedContext,
  vector: Vector,
  to: string,
  seen: (host: string, refused: string[]) => boolean,
) {
  const page = await visitor.context.newPage();
  // Many of the pages leave at once for an address that fails; the first commit is all that is wanted.
  const query = `to=${encodeURIComponent(to)}`;
  await page.goto(`${rig.siteOrigin}/page/${vector.id}?${query}`, { waitUntil: 'commit' });
  const { host } = new URL(to);
  await vi.waitFor(() => {
    const refused = visitor.blocked.map(({ url }) => (url.includes('//') ? new URL(url).host : url));
    expect(seen(host, refused)).toBe(true);
  }, soon);
}

describe('Whatever a page does to ask for an address, it gets past the filter only where it may', () => {
  test.concurrent.each(VECTORS)('$id $what', async vector => {
    const closed = [`http://127.0.0.1:${rig.canaryPort}/${vector.id}`];
    if (vector.trustworthyOnly !== true) closed.push(`http://loopback.test:${rig.canaryPort}/${vector.id}`);
    const open = `${vector.trustworthyOnly === true ? rig.siteOrigin : rig.openOrigin}/hit/${vector.id}`;
    await using visitor = await rig.openContext();
    await Promise.all([
      ...closed.map(to => carryOut(visitor, vector, to, (host, refused) => refused.includes(host))),
      // Without this a row whose attack no longer works would look like a success.
      carryOut(visitor, vector, open, () => rig.visits.some(path => path.startsWith(`/hit/${vector.id}`))),
    ]);
  });

  test('and nothing has touched the canary, nor was anything else dialled', () => {
    expect(rig.canaryHits).toEqual([]);
    expect(rig.dialledAddresses.filter(address => address !== PUBLIC_ADDRESS)).toEqual([]);
  });
});
