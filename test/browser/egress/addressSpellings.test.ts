import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAddress } from '../../../src/browser/egress/checkAddress.ts';
import { isFailure } from '../../../src/domain/failures.ts';
import { SPELLINGS } from './addressSpellings.ts';
import {
  type EgressHarness,
  type ProxiedContext,
  PUBLIC_ADDRESS,
  startEgressHarness,
} from './egressHarness.ts';

/** A context with three tabs that several rows use in turn: opening tabs for each row would take most of the time. */
interface ReusableContext {
  readonly proxied: ProxiedContext;
  readonly byApi: Page;
  readonly byRedirect: Page;
  readonly byPage: Page;
  rows: number;
}

/** After many failed WebSockets in a row Chromium delays the next ones of the tab, up to seconds each. */
const ROWS_PER_CONTEXT = 8;

let harness: EgressHarness;
const free: ReusableContext[] = [];
const opened: ReusableContext[] = [];
beforeAll(async () => {
  harness = await startEgressHarness();
});
afterAll(async () => {
  for (const { proxied } of opened) await proxied[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

async function takeContext(): Promise<ReusableContext> {
  const known = free.pop();
  if (known !== undefined) return known;
  const proxied = await harness.openContext();
  const open = () => proxied.context.newPage();
  const reusable = { proxied, byApi: await open(), byRedirect: await open(), byPage: await open(), rows: 0 };
  opened.push(reusable);
  return reusable;
}

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

/** Tries the address in five ways from one context. Each is `refused` when it ends in a network error. */
async function attack(reusable: ReusableContext, address: string) {
  const { proxied, byApi, byRedirect, byPage } = reusable;
  const before = proxied.proxy.usage().requests;
  const parsed = new URL(address);
  // Without slashes it is a relative path for a page of the same scheme.
  const isRelative = new URL(address, harness.siteOrigin).host !== parsed.host;
  const written = isRelative ? parsed.href : address;
  // Chromium itself refuses frames and requests with a user name.
  const embeddable = parsed.username === '' ? written : written.replace(/\/\/[^@]*@/, '//');

  async function fromPage() {
    const [lost] = await Promise.all([
      byPage.waitForEvent('requestfailed'),
      byPage.goto(`${harness.siteOrigin}/frame?to=${encodeURIComponent(embeddable)}`),
    ]);
    const frame = lost.failure()?.errorText.startsWith('net::ERR_') ? 'refused' : 'opened';
    const fetched = await verdict(
      byPage.evaluate(url => fetch(url, { mode: 'no-cors' }).then(() => 0), embeddable),
    );
    const socket = await byPage.evaluate(openSocket, parsed.href);
    return { frame, fetch: fetched, socket };
  }
  const [goto, redirect, rest] = await Promise.all([
    refusedGoto(byApi, parsed.href),
    refusedGoto(byRedirect, `${harness.siteOrigin}/redirect/302?to=${encodeURIComponent(written)}`),
    fromPage(),
  ]);
  const requests = proxied.proxy.usage().requests - before;
  return { tries: { goto, redirect, ...rest }, outcome: proxied.proxy.failureOf(address), requests };
}

describe('A session proxy refuses an address that pages may not reach, in every spelling', () => {
  test.concurrent.each(SPELLINGS)('$id $what', async ({ url, reason }) => {
    const reusable = await takeContext();
    const { tries, outcome, requests } = await attack(reusable, url.replace('$', String(harness.canaryPort)));
    expect(tries).toEqual(REFUSED);
    expect(outcome).toMatchObject({ type: 'blocked', reason: expect.stringMatching(reason) });
    // The proxy refused five and the site served two; the browser itself refused none.
    expect(requests).toBeGreaterThanOrEqual(7);
    reusable.rows += 1;
    if (reusable.rows < ROWS_PER_CONTEXT) free.push(reusable);
  });

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
