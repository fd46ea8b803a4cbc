import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAddress } from '../../../src/browser/egress/checkAddress.ts';
import { isFailure } from '../../../src/domain/failures.ts';
import { type AttackRig, PUBLIC_ADDRESS, startAttackRig } from './attackRig.ts';
import { SPELLINGS } from './spellings.ts';

let rig: AttackRig;
beforeAll(async () => {
  rig = await startAttackRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

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

/** Tries the address in five ways from one context; each says `refused` when only a network error came of it. */
async function attack(address: string) {
  await using visitor = await rig.visitor();
  const parsed = new URL(address);
  // Without slashes it is a path where the page has the same scheme.
  const isRelative = new URL(address, rig.siteOrigin).host !== parsed.host;
  const written = isRelative ? parsed.href : address;
  // Chromium refuses frames and requests with a user name by itself.
  const embeddable = parsed.username === '' ? written : written.replace(/\/\/[^@]*@/, '//');

  async function byApi() {
    const page = await visitor.context.newPage();
    return verdict(page.goto(parsed.href));
  }
  async function byRedirect() {
    const page = await visitor.context.newPage();
    return verdict(page.goto(`${rig.siteOrigin}/redirect/302?to=${encodeURIComponent(written)}`));
  }
  async function byPage() {
    const page = await visitor.context.newPage();
    const lost = page.waitForEvent('requestfailed');
    await page.goto(`${rig.siteOrigin}/frame?to=${encodeURIComponent(embeddable)}`);
    const frame = (await lost).failure()?.errorText.startsWith('net::ERR_') ? 'refused' : 'opened';
    const fetched = await verdict(
      page.evaluate(url => fetch(url, { mode: 'no-cors' }).then(() => 0), embeddable),
    );
    const socket = await page.evaluate(openSocket, parsed.href);
    return { frame, fetch: fetched, socket };
  }
  const [goto, redirect, rest] = await Promise.all([byApi(), byRedirect(), byPage()]);
  return { tries: { goto, redirect, ...rest }, outcome: visitor.door.outcome(address) };
}

describe('An address that pages may not reach is refused in every spelling', () => {
  test.concurrent.each(SPELLINGS)('$id $what', async ({ url, reason }) => {
    const { tries, outcome } = await attack(url.replace('$', String(rig.canaryPort)));
    expect(tries).toEqual(REFUSED);
    expect(outcome).toMatchObject({ type: 'blocked', reason: expect.stringMatching(reason) });
  });

  test('and nothing has touched the canary, nor was anything else dialled', () => {
    expect(rig.canaryHits).toEqual([]);
    expect(rig.dialledElsewhere.filter(address => address !== PUBLIC_ADDRESS)).toEqual([]);
  });

  test('while an open name is reached in all five ways', async () => {
    await using visitor = await rig.visitor();
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
