import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { type SharedBrowser, sharedChromium } from '../../support/sharedChromium.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let browser: SharedBrowser;

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  browser = await sharedChromium();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  readonly errors: readonly string[];
}

/**
 * Opens a page that can send requests only to the service. Collects its console errors and its requests to other hosts.
 */
async function open(path: string): Promise<OpenedPage> {
  const context = await browser.newContext();
  context.setDefaultTimeout(20_000);
  const errors: string[] = [];
  await context.route('**/*', route => {
    const url = route.request().url();
    if (url.startsWith(product.url)) return route.continue();
    errors.push(`requested ${url.slice(0, 200)}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('pageerror', error => errors.push(`threw ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  await page.goto(product.url + path);
  return { page, errors, [Symbol.asyncDispose]: () => context.close() };
}

describe('/docs', () => {
  /** One page for the tests: showing the description of every operation takes a second. */
  let docs: OpenedPage;
  beforeAll(async () => {
    docs = await open('/docs');
  });
  afterAll(() => docs[Symbol.asyncDispose]());

  it('shows every path without requests to other hosts', async () => {
    for (const path of ['/session/start', '/env/observe', '/env/step', '/env/scrape', '/session/close'])
      await docs.page.getByText(path, { exact: true }).first().waitFor();
    expect(docs.errors).toEqual([]);
  });

  it('follows the colour scheme of the reader', async () => {
    const { page } = docs;
    const background = () =>
      page.evaluate(() => {
        const colour = getComputedStyle(document.documentElement).backgroundColor;
        const [red = 255, green = 255, blue = 255, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
        return alpha === 0 ? 255 : (red + green + blue) / 3;
      });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    expect(await background()).toBeLessThan(60);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
    expect(await background()).toBeGreaterThan(200);
    expect(docs.errors).toEqual([]);
  });

  it('leads to the home page', async () => {
    const { page } = docs;
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'pagespace' }).click({ modifiers: ['ControlOrMeta'] });
    await using home = await opened.then(one => ({ page: one, [Symbol.asyncDispose]: () => one.close() }));
    await home.page.getByRole('heading', { name: 'Get an API key' }).waitFor();
  });

  it('executes an operation with a key', async () => {
    const { page } = docs;
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill(product.key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    await page.locator('#operations-reads-sessions').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    const answer = page.waitForResponse(`${product.url}/sessions`);
    await page.getByRole('button', { name: 'Execute' }).click();
    expect((await answer).status()).toBe(200);
    expect(docs.errors).toEqual([]);
  });
});

test('GraphiQL shows where to put the key; with it, GraphiQL loads the schema and runs a query, without requests to other hosts', async () => {
  await using graphiql = await open('/graphql');
  const { page } = graphiql;
  await page.locator('.graphiql-response').getByText('Put your key under').waitFor();
  expect(graphiql.errors).toEqual([]);
  const headers = page.getByRole('region', { name: 'Headers' });
  await headers.getByText('psk_YOUR_KEY').click();
  // In the line `"Authorization": "Bearer psk_YOUR_KEY"` the placeholder stands before the last quotation mark.
  for (const key of ['End', 'ArrowLeft']) await page.keyboard.press(key);
  for (const _ of 'psk_YOUR_KEY') await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.insertText(product.key);
  const schema = page.waitForResponse(
    response => response.request().postData()?.includes('__schema') === true,
  );
  await page.getByRole('button', { name: 'Re-fetch GraphQL schema' }).click();
  expect((await schema).status()).toBe(200);
  const answer = page.waitForResponse(response => response.request().postData()?.includes('viewer') === true);
  await page.locator('button.graphiql-execute-button').click();
  expect((await (await answer).json()).data.viewer.account.name).toBe('test');
  await page.locator('.graphiql-response').getByText('totalCount').waitFor();
  expect(graphiql.errors).toEqual([]);
});

test('/ loads without requests to other hosts', async () => {
  await using shown = await open('/');
  await shown.page.getByRole('heading', { name: 'Get an API key' }).waitFor();
  expect(shown.errors).toEqual([]);
});

test('/failures loads without scripts and without requests to other hosts', async () => {
  await using shown = await open('/failures');
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await shown.page.locator('script').count()).toBe(0);
  expect(shown.errors).toEqual([]);
});

test('The type of a problem points to its row in /failures', async () => {
  const problem = await callApi(product.url, 'GET', '/sessions');
  await using manual = await open(problem.body.type);
  await manual.page.locator(':target').getByText('MISSING_API_KEY').waitFor();
  expect(manual.errors).toEqual([]);
});

describe('The security headers of', () => {
  test.each(['/', '/docs', '/failures', '/graphql'])(
    '%s include a strict Content-Security-Policy',
    async path => {
      const { headers } = await callApi(product.url, 'GET', path, { headers: { accept: 'text/html' } });
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );
});

test('The option graphiql: false turns GraphiQL off', async () => {
  await using closed = await startTestServer(product.started.service, { graphiql: false });
  const page = await callApi(closed.url, 'GET', '/graphql', { headers: { accept: 'text/html' } });
  expect(page.status).toBe(401);
  expect((await callApi(closed.url, 'GET', '/graphql/graphiql.js')).status).toBe(404);
});
