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

/** A context with three tabs that tries one address after the other: opening tabs is most of what a row would cost. */
interface Booth {
  readonly visitor: ProxiedContext;
  readonly byApi: Page;
  readonly byRedirect: Page;
  readonly byPage: Page;
  rows: number;
}

/** Chromium slows a tab's WebSockets down, to seconds each, when many in a row have failed. */
const ROWS_OF_A_BOOTH = 8;

let rig: EgressHarness;
const free: Booth[] = [];
const booths: Booth[] = [];
beforeAll(async () => {
  rig = await startEgressHarness();
});
afterAll(async () => {
  for (const { visitor } of booths) await visitor[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

async function takeBooth(): Promise<Booth> {
  const known = free.pop();
  if (known !== undefined) return known;
  const visitor = await rig.openContext();
  const open = () => visitor.context.newPage();
  const booth = { visitor, byApi: await open(), byRedirect: await open(), byPage: await open(), rows: 0 };
  booths.push(booth);
  return booth;
}

const REFUSED = {
  goto: 'refused',
  redirect: 'refused',
  frame: 'refused',
  fetch: 'refused',
  socket: 'refused',
};

const verdict = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
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

/** Goes where it must not, and waits for the error page, which would break into the tab's next navigation. */
async function refusedGoto(page: Page, url: string): Promise<string> {
  const said = await verdict(page.goto(url));
  if (said === 'refused') await page.waitForURL(/^chrome-error:/);
  return said;
}

/** Tries the address in five ways from one context; each says `refused` when only a network error came of it. */
async function attack(booth: Booth, address: string) {
  const { visitor, byApi, byRedirect, byPage } = booth;
  const before = visitor.proxy.usage().requests;
  const parsed = new URL(address);
  // Without slashes it is a path where the page has the same scheme.
  const isRelative = new URL(address, rig.siteOrigin).host !== parsed.host;
  const written = isRelative ? parsed.href : address;
  // Chromium refuses frames and requests with a user name by itself.
  const embeddable = parsed.username === '' ? written : written.replace(/\/\/[^@]*@/, '//');

  async function fromPage() {
    const [lost] = await Promise.all([
      byPage.waitForEvent('requestfailed'),
      byPage.goto(`${rig.siteOrigin}/frame?to=${encodeURIComponent(embeddable)}`),
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
    refusedGoto(byRedirect, `${rig.siteOrigin}/redirect/302?to=${encodeURIComponent(written)}`),
    fromPage(),
  ]);
  const requests = visitor.proxy.usage().requests - before;
  return { tries: { goto, redirect, ...rest }, outcome: visitor.proxy.failureOf(address), requests };
}

describe('An address that pages may not reach is refused in every spelling', () => {
  test.concurrent.each(SPELLINGS)('$id $what', async ({ url, reason }) => {
    const booth = await takeBooth();
    const { tries, outcome, requests } = await attack(booth, url.replace('$', String(rig.canaryPort)));
    expect(tries).toEqual(REFUSED);
    expect(outcome).toMatchObject({ type: 'blocked', reason: expect.stringMatching(reason) });
    // Five refused at the door, and two that the site answered: the browser refused none by itself.
    expect(requests).toBeGreaterThanOrEqual(7);
    booth.rows += 1;
    if (booth.rows < ROWS_OF_A_BOOTH) free.push(booth);
  });

  test('and nothing has touched the canary, nor was anything else dialled', () => {
    expect(rig.canaryHits).toEqual([]);
    expect(rig.dialledAddresses.filter(address => address !== PUBLIC_ADDRESS)).toEqual([]);
  });

  test('while an open name is reached in all five ways', async () => {
    await using visitor = await rig.openContext();
    const page = await visitor.context.newPage();
    const address = `${rig.openOrigin}/open`;
    const query = `?to=${encodeURIComponent(address)}`;
    expect((await page.goto(address))?.status()).toBe(200);
    expect((await page.goto(`${rig.siteOrigin}/redirect/302${query}`))?.url()).toBe(address);
    const [framed] = await Promise.all([
      page.waitForResponse(address),
      page.goto(`${rig.siteOrigin}/frame${query}`),
    ]);
    expect(framed.status()).toBe(200);
    expect(await page.evaluate(url => fetch(url).then(answer => answer.status), address)).toBe(200);
    expect(await page.evaluate(openSocket, address)).toBe('opened');
  });
});

describe('The API refuses before a browser is asked', () => {
  test.each(SPELLINGS.filter(({ known }) => known))('$id $what', ({ url, reason }) => {
    const check = () => checkAddress(url.replace('$', '8099'), []);
    expect(check).toThrowError(reason);
    expect(check).toThrowError(expect.toSatisfy((error: unknown) => isFailure(error, 'URL_BLOCKED')));
  });
});
