import type { BrowserContext } from 'playwright';
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

/** A page that carries one attack out, on these targets. */
const attackUrl = (vector: Vector, targets: readonly string[]): string =>
  `${harness.siteOrigin}/page/${vector.id}?${new URLSearchParams(targets.map(to => ['to', to]))}`;

/** Serves `/page/<id>` and `/part/<id>` of the vectors, and `/frames/<n>` with the attacks of a group. */
const site: SiteHandler = (_request, response, url) => {
  const [, kind, id] = url.pathname.split('/');
  const vector = VECTORS.find(row => row.id === id);
  const targets = url.searchParams.getAll('to');
  const [to = ''] = targets;
  if (kind === 'frames') {
    const attacks = (GROUPS[Number(id)] ?? []).flatMap(attacksOf);
    const frames = attacks.map(src => `<iframe src="${src.replaceAll('&', '&amp;')}"></iframe>`);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>attacks</title>${STYLE}${frames.join('')}`);
  } else if (kind === 'page' && vector !== undefined) {
    for (const [name, value] of Object.entries(vector.headers?.(to) ?? {})) response.setHeader(name, value);
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>attack</title>${targets.map(one => vector.body?.(one) ?? '').join('')}`,
    );
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

let harness: EgressHarness;
/** The contexts that the rows share, by their groups: starting the processes of one for each row would take most of the time. */
const contexts = new Map<number, Promise<ProxiedContext>>();
beforeAll(async () => {
  harness = await startEgressHarness({ site, lookup });
});
afterAll(async () => {
  for (const context of contexts.values()) await (await context)[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

/** Each row has targets of its own: a late request of another row is not taken for one of this row. */
function targetsOf({ id, trustworthyOnly }: Vector): { hit: string; closed: readonly string[] } {
  const row = Number(id.slice(2));
  const hosts = trustworthyOnly === true ? ['127.0.0.1'] : [`127.0.1.${row}`, `v${row}.loopback.test`];
  return {
    hit: `${trustworthyOnly === true ? harness.siteOrigin : harness.openOrigin}/hit/${id}`,
    closed: hosts.map(host => `http://${host}:${harness.canaryPort}/${id}`),
  };
}

/** The pages that attack all targets of a row. */
function attacksOf(vector: Vector): string[] {
  const { hit, closed } = targetsOf(vector);
  const targets = [hit, ...closed];
  const isAlone = vector.ownTab === true || vector.oneTarget === true || vector.headers !== undefined;
  return (isAlone ? targets.map(to => [to]) : [targets]).map(group => attackUrl(vector, group));
}

/** Rows that one page carries out, each in frames of its own. */
const GROUP_SIZE = 13;
const FRAMED = VECTORS.filter(({ ownTab, blocks }) => ownTab !== true && blocks !== true);
const GROUPS: readonly (readonly Vector[])[] = [
  ...Array.from({ length: Math.ceil(FRAMED.length / GROUP_SIZE) }, (_, nth) =>
    FRAMED.slice(nth * GROUP_SIZE, (nth + 1) * GROUP_SIZE),
  ),
  ...VECTORS.filter(({ blocks }) => blocks === true).map(vector => [vector]),
];
/** All frames lie in the view: Chromium loads some images only of what is shown. */
const STYLE = '<style>iframe{width:60px;height:40px;border:0}</style>';

async function open(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  // A null pointer in Chromium ends the process of such a page now and then, with the attacks that it has not carried out yet.
  page.on('crash', () => {
    page.close().catch(() => {});
    open(context, url).catch(() => {});
  });
  // Many of the pages leave at once for an address that fails.
  await page.goto(url, { waitUntil: 'commit' }).catch(() => {});
}

/** The context of a group. Rows with tabs of their own share the one of -1, but for those that differ only in their paths. */
function contextOf(group: number): Promise<ProxiedContext> {
  const begin = async () => {
    const proxied = await harness.openContext();
    if (group >= 0) await open(proxied.context, `${harness.siteOrigin}/frames/${group}`);
    return proxied;
  };
  const context = contexts.get(group) ?? begin();
  contexts.set(group, context);
  return context;
}

/**
 * Now and then Chromium begins one of the three WebSockets of a page and never sends its request to the proxy (2 of about 110 runs of this
 * file, without a crash). What counts is what the proxy does with the request, so that the page attacks again.
 */
const ATTACK_AGAIN_MS = 10_000;
const SOON = { timeout: 60_000, interval: 50 };

function every(ms: number, work: () => Promise<unknown>): Disposable {
  const timer = setInterval(() => void work().catch(() => {}), ms);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function isBlocked({ blocked }: ProxiedContext, to: string): boolean {
  const { host } = new URL(to);
  return blocked.some(({ url }) => (url.includes('//') ? new URL(url).host : url) === host);
}

describe('A session proxy lets a page request only what it may, by every attack vector:', () => {
  test.concurrent.each(VECTORS)('$id $what', async vector => {
    const { hit, closed } = targetsOf(vector);
    const group = GROUPS.findIndex(rows => rows.includes(vector));
    const tabs = vector.trustworthyOnly === true ? -Number(vector.id.slice(2)) : -1;
    const proxied = await contextOf(group === -1 ? tabs : group);
    const attacks = attacksOf(vector);
    const attack = () => Promise.all(attacks.map(url => open(proxied.context, url)));
    if (group === -1) await attack();
    using _ = every(ATTACK_AGAIN_MS, attack);
    await vi.waitFor(() => {
      // Without the open target a row whose attack no longer works would look like a success.
      const reached = harness.visits.some(path => path.startsWith(`/hit/${vector.id}`));
      expect([...(reached ? [] : [hit]), ...closed.filter(to => !isBlocked(proxied, to))]).toEqual([]);
    }, SOON);
  });

  test('and connects neither to the canary nor to any other address', () => {
    expect(harness.canaryHits).toEqual([]);
    expect(harness.dialledAddresses.filter(address => address !== PUBLIC_ADDRESS)).toEqual([]);
  });
});
