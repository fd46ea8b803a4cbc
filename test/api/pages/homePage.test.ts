import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { servePages } from '../../support/servePages.ts';
import { type SharedBrowser, sharedChromium } from '../../support/sharedChromium.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let browser: SharedBrowser;

beforeAll(async () => {
  // The page must work on a service that runs only persisted operations.
  product = await startTestProduct({ browser: 'fake' }, { persisted: { persistedOnly: true } });
  browser = await sharedChromium();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  readonly errors: string[];
}

/** @param refuses true if the user refuses to sign; null for a browser without a wallet */
async function open(refuses: boolean | null, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  if (refuses !== null) await giveWallet(page, refuses);
  await page.goto(product.url);
  return { page, errors, [Symbol.asyncDispose]: () => context.close() };
}

/** Adds a wallet as browser extensions do: it announces itself (EIP-6963), and the page cannot reach its private key. */
async function giveWallet(page: Page, refuses: boolean): Promise<void> {
  const owner = privateKeyToAccount(generatePrivateKey());
  await page.exposeFunction('walletAsked', async (method: string, params: readonly string[]) => {
    if (method === 'eth_requestAccounts') return [owner.address];
    if (method !== 'personal_sign') throw new Error(`the page asked for ${method}`);
    return owner.signMessage({ message: { raw: params[0] as `0x${string}` } });
  });
  await page.addInitScript(no => {
    const ask = (window as unknown as { walletAsked(method: string, params: unknown): Promise<unknown> })
      .walletAsked;
    const provider = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (no && method === 'personal_sign') throw Object.assign(new Error('User rejected'), { code: 4001 });
        return ask(method, params ?? []);
      },
    };
    const info = { uuid: 'f0e1', name: 'Test Wallet', icon: 'data:,', rdns: 'test.wallet' };
    const announce = () =>
      window.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
      );
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  }, refuses);
}

test('A user signs in with a wallet, creates a key, copies it and revokes it', async () => {
  await using home = await open(false);
  const { page } = home;
  await page.getByRole('button', { name: 'Connect Test Wallet' }).click();
  await page.getByText('free: 2 sessions at once').waitFor();
  await page.getByLabel('Name').fill('my agent');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy the new key' }).click();
  await page.getByText('Copied').waitFor();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect((await callApi(product.url, 'GET', '/sessions', { key })).status).toBe(200);

  await page.getByRole('listitem').filter({ hasText: 'my agent' }).waitFor();
  page.on('dialog', dialog => void dialog.accept());
  await page.getByRole('button', { name: 'Revoke my agent' }).click();
  await page.getByText('No keys yet.').waitFor();
  expect((await callApi(product.url, 'GET', '/sessions', { key })).body.code).toBe('REVOKED_API_KEY');
  expect(home.errors).toEqual([]);
});

test('A user stays signed in after a reload, until signing out', async () => {
  await using home = await open(false);
  const { page } = home;
  await page.getByRole('button', { name: 'Connect Test Wallet' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Connect Test Wallet' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('The page shows that the user refused in the wallet', async () => {
  await using home = await open(true);
  await home.page.getByRole('button', { name: 'Connect Test Wallet' }).click();
  await home.page.getByText('You refused in your wallet').waitFor();
  expect(await home.page.context().cookies()).toEqual([]);
});

test('Without a wallet the page shows the command that creates a key', async () => {
  await using home = await open(null);
  await home.page.getByText('No wallet was found in this browser').waitFor();
  await home.page.locator('#wallet').getByText('npm run keys -- create').waitFor();
  expect(home.errors).toEqual([]);
});

test('A user can create and copy a key with the keyboard only', async () => {
  await using home = await open(false);
  const { page } = home;
  const reach = async (name: string) => {
    const target = page.getByRole('button', { name });
    await target.waitFor();
    for (let tabs = 0; tabs < 40; tabs += 1) {
      if (await target.evaluate(element => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  await reach('Connect Test Wallet');
  await page.keyboard.press('Enter');
  await reach('Create key');
  await page.keyboard.press('Enter');
  await reach('Copy the new key');
  await page.keyboard.press('Enter');
  await page.getByText('Copied').waitFor();
});

test('The example can be copied and runs in a shell', async () => {
  await using home = await open(null);
  await using site = await servePages({ '/': '<title>Home</title><a href="/">Again</a>' });
  await home.page.getByRole('button', { name: 'Copy these calls' }).click();
  await home.page.getByText('Copied').waitFor();
  const copied = await home.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`"${product.url}$1"`);
  const pasted = copied.replace('psk_…', product.key).replace('https://example.com', site.url);
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', pasted]);
  const [id, ...responses] = stdout.trim().split('\n');
  expect(stderr).toBe('');
  expect(responses.map(response => JSON.parse(response))).toMatchObject([
    { session: { session_id: id }, metadata: { title: 'Home' } },
    { session: { session_id: id }, metadata: { title: 'Home' } },
    { session: { session_id: id }, data: { markdown: expect.any(String) } },
    { session_id: id, status: 'closed' },
  ]);
});

test.each([
  ['a phone', { viewport: { width: 360, height: 740 } }],
  ['a desk', { viewport: { width: 1280, height: 900 } }],
] as const)(
  'The home page, in dark and light mode, and the manual have no horizontal scrollbar on %s',
  async (_where, options) => {
    await using home = await open(false, options);
    const { page } = home;
    await page.getByRole('button', { name: 'Connect Test Wallet' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Copy the new key' }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over).toBeLessThanOrEqual(0);
      const folder = process.env.SCREENSHOTS_TO;
      if (folder !== undefined)
        await page.screenshot({
          path: `${folder}/${options.viewport.width}-${colorScheme}.png`,
          fullPage: true,
        });
    }
    await page.goto(new URL('/docs', page.url()).href);
    const over = await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
      return document.documentElement.scrollWidth - window.innerWidth;
    });
    expect(over).toBeLessThanOrEqual(0);
  },
);
