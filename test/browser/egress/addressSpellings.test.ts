import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkAddress } from '../../../src/browser/egress/checkTarget.ts';
import { isFailure } from '../../../src/domain/failure/failures.ts';
import { SPELLINGS, type Spelling } from './addressSpellings.ts';
import { type EgressHarness, PUBLIC_ADDRESS, startEgressHarness } from './egressHarness.ts';

let harness: EgressHarness;
beforeAll(async () => {
  harness = await startEgressHarness({
    site: (_request, response, url) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(url.searchParams.getAll('to').map(frameOf).join(''));
    },
  });
});
afterAll(() => harness[Symbol.asyncDispose]());

const frameOf = (to: string): string =>
  `<iframe src="${to.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;

const SOON = { timeout: 60_000, interval: 20 };

const REFUSED = {
  goto: 'refused',
  redirect: 'refused',
  frame: 'refused',
  fetch: 'refused',
  socket: 'refused',
};

const verdict = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'opened',
    (error: Error) =>
      /net::ERR_(?!ABORTED)|Failed to fetch/.test(error.message) ? 'refused' : error.message,
  );

/** Runs in the page. */
const openSocket = (url: string): Promise<string> =>
  new Promise(resolve => {
    const socket = new WebSocket(url.replace(/^http/, 'ws').replace(/#.*/, ''));
    socket.onopen = () => resolve('opened');
    socket.onerror = () => resolve('refused');
  });

/** Opens a refused URL and waits for the error page, which would interrupt the tab's next navigation. */
async function refusedGoto(page: Page, url: string): Promise<string> {
  const result = await verdict(page.goto(url));
  if (result === 'refused') await page.waitForURL(/^chrome-error:/);
  return result;
}

/** An address of the table as the harness's pages write it. */
interface Written {
  /** Names the canary's port. */
  readonly address: string;
  readonly href: string;
  /** Without a user name: Chromium itself refuses frames and requests that have one. */
  readonly embeddable: string;
  /** An address of the site that redirects to it. */
  readonly redirect: string;
  readonly hasUser: boolean;
}

function write(url: string): Written {
  const address = url.replace('$', String(harness.canaryPort));
  const { href, host, username } = new URL(address);
  const hasUser = username !== '';
  // Without slashes it is a relative path for a page of the same scheme.
  const isRelative = new URL(address, harness.siteOrigin).host !== host;
  const written = isRelative ? href : address;
  const redirect = `${harness.siteOrigin}/redirect/302?to=${encodeURIComponent(written)}`;
  return {
    address,
    href,
    embeddable: hasUser ? written.replace(/\/\/[^@]*@/, '//') : written,
    redirect,
    hasUser,
  };
}

/** Opens each URL in a tab, in turn. @returns those that a network error ended */
async function refusedInTab(page: Page, urls: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  for (const url of urls) if ((await refusedGoto(page, url)) === 'refused') refused.push(url);
  return refused;
}

/** Opens one page with a frame for each URL. @returns those that a network error ended, as the browser writes them */
async function refusedInFrames(page: Page, urls: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  page.on('requestfailed', request => {
    const asked = request.redirectedFrom() ?? request;
    if (request.failure()?.errorText.startsWith('net::ERR_')) refused.push(asked.url());
  });
  await page.goto(`${harness.siteOrigin}/frames?${new URLSearchParams(urls.map(url => ['to', url]))}`);
  await vi.waitFor(() => expect(refused).toHaveLength(urls.length), SOON);
  return refused;
}

/** Tries each address in five ways from one context. Each is `refused` when it ends in a network error. */
async function attack(urls: readonly string[]) {
  await using proxied = await harness.openContext();
  const { context, proxy } = proxied;
  const addresses = urls.map(write);
  // Tabs and sockets get the parsed address, which many spellings have in common: each is tried once.
  const hrefs = [...new Set(addresses.map(({ href }) => href))];
  const tab = await context.newPage();
  const page = await context.newPage();
  async function byPage() {
    const inFrames = await refusedInFrames(page, [
      ...addresses.map(({ embeddable }) => embeddable),
      ...addresses.filter(({ hasUser }) => !hasUser).map(({ redirect }) => redirect),
    ]);
    const fetches = await Promise.all(
      addresses.map(({ embeddable }) =>
        verdict(page.evaluate(url => fetch(url, { mode: 'no-cors' }).then(() => 0), embeddable)),
      ),
    );
    const sockets = await Promise.all(
      hrefs.map(async href => [href, await page.evaluate(openSocket, href)] as const),
    );
    return { inFrames, fetches, sockets: new Map(sockets) };
  }
  const [inTab, { inFrames, fetches, sockets }] = await Promise.all([
    refusedInTab(tab, [
      ...hrefs,
      ...addresses.filter(({ hasUser }) => hasUser).map(({ redirect }) => redirect),
    ]),
    byPage(),
  ]);
  // The proxy refused a frame, a call of fetch and a redirect of each spelling, a tab and a socket of each address, and the site
  // served the page and one redirect of each; the browser itself refused none.
  expect(proxy.usage().requests).toBeGreaterThan(4 * urls.length + 2 * hrefs.length);
  // Requests have no fragment.
  const requested = (url: string): string => new URL(url).href.replace(/#.*/, '');
  const isIn = (refused: readonly string[], url: string): string =>
    refused.some(each => requested(each) === requested(url)) ? 'refused' : 'opened';
  return addresses.map(({ address, href, embeddable, redirect, hasUser }, n) => ({
    tries: {
      goto: isIn(inTab, href),
      redirect: isIn(hasUser ? inTab : inFrames, redirect),
      frame: isIn(inFrames, embeddable),
      fetch: fetches[n],
      socket: sockets.get(href),
    },
    outcome: proxy.failureOf(address),
  }));
}

/** Addresses that one context tries. After many failed WebSockets in a row Chromium delays the next ones, up to seconds each. */
const MAX_ADDRESSES = 8;

/** Spellings, in turn, that one context tries. */
const GROUPS: Spelling[][] = [];
let hrefsOfGroup = new Set<string>();
for (const spelling of SPELLINGS) {
  const { href } = new URL(spelling.url.replace('$', '8099'));
  if (GROUPS.length === 0 || !(hrefsOfGroup.has(href) || hrefsOfGroup.size < MAX_ADDRESSES)) {
    GROUPS.push([]);
    hrefsOfGroup = new Set();
  }
  hrefsOfGroup.add(href);
  GROUPS.at(-1)?.push(spelling);
}

describe('A session proxy refuses an address that pages may not reach, in every spelling', () => {
  const attacks = new Map<readonly Spelling[], ReturnType<typeof attack>>();

  test.concurrent.each(GROUPS.flatMap(group => group.map((spelling, row) => ({ ...spelling, group, row }))))(
    '$id $what',
    async ({ group, row, reason }) => {
      const attacking = attacks.get(group) ?? attack(group.map(({ url }) => url));
      attacks.set(group, attacking);
      const { tries, outcome } = (await attacking)[row] ?? {};
      expect(tries).toEqual(REFUSED);
      expect(outcome).toMatchObject({ type: 'blocked', reason: expect.stringMatching(reason) });
    },
  );

  test('and connects neither to the canary nor to any other address', () => {
    expect(harness.canaryHits).toEqual([]);
    expect(harness.dialledAddresses.filter(address => address !== PUBLIC_ADDRESS)).toEqual([]);
  });

  test('and connects to an allowed name in all five ways', async () => {
    await using proxied = await harness.openContext();
    const page = await proxied.context.newPage();
    const address = `${harness.openOrigin}/open`;
    const query = `?to=${encodeURIComponent(address)}`;
    expect((await page.goto(address))?.status()).toBe(200);
    expect((await page.goto(`${harness.siteOrigin}/redirect/302${query}`))?.url()).toBe(address);
    const [framed] = await Promise.all([
      page.waitForResponse(address),
      page.goto(`${harness.siteOrigin}/frame${query}`),
    ]);
    expect(framed.status()).toBe(200);
    expect(await page.evaluate(url => fetch(url).then(response => response.status), address)).toBe(200);
    expect(await page.evaluate(openSocket, address)).toBe('opened');
  });
});

describe('checkAddress throws URL_BLOCKED', () => {
  test.each(SPELLINGS.filter(({ known }) => known))('$id $what', ({ url, reason }) => {
    const check = () => checkAddress(url.replace('$', '8099'), []);
    expect(check).toThrowError(reason);
    expect(check).toThrowError(expect.toSatisfy((error: unknown) => isFailure(error, 'URL_BLOCKED')));
  });
});
