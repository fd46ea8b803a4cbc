import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servePages } from '../../support/servePages.ts';
import { type SharedBrowser, sharedChromium } from '../../support/sharedChromium.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let browser: SharedBrowser;

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  browser = await sharedChromium();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

/** Opens the home page. */
async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  await page.goto(product.url);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

test('The example can be copied and runs in a shell', async () => {
  await using home = await open();
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
    await using home = await open(options);
    const { page } = home;
    await page.getByRole('button', { name: 'Copy these calls' }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over).toBeLessThanOrEqual(0);
    }
    await page.goto(new URL('/docs', page.url()).href);
    const over = await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
      return document.documentElement.scrollWidth - window.innerWidth;
    });
    expect(over).toBeLessThanOrEqual(0);
  },
);
