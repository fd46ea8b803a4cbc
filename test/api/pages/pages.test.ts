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
  let docs: OpenedPage;
  beforeAll(async () => {
    docs = await open('/docs');
  });
  afterAll(() => docs[Symbol.asyncDispose]());

  it('shows every path without requests to other hosts', async () => {
    for (const path of ['/session/start', '/env/observe', '/env/step', '/env/scrape', '/session/close'])
      await docs.page.locator('summary').getByText(path, { exact: true }).first().waitFor();
    expect(docs.errors).toEqual([]);
  });

  it('shows the fields of an operation first, and its failures in one line', async () => {
    const { page } = docs;
    const step = page.locator('#step');
    await step.locator('> summary').click();
    await step.getByRole('cell', { name: 'action_id' }).first().waitFor();
    const parts = await step.evaluate(element => [...element.children].map(child => child.tagName));
    expect(parts.slice(0, 3)).toEqual(['SUMMARY', 'P', 'TABLE']);
    expect(await step.locator('strong').getByText('Failures', { exact: true }).count()).toBe(1);
    const { height = 0 } = (await step.boundingBox()) ?? {};
    expect(height).toBeLessThan(3_000);
    await step.locator('> summary').click();
  });

  it('finds operations, how-tos and types by words', async () => {
    const { page } = docs;
    await page.getByLabel('Search').fill('wait_for');
    await page.locator('#step').waitFor();
    await page.locator('#wait').waitFor();
    expect(await page.locator('#getLedger').isVisible()).toBe(false);
    await page.getByLabel('Search').fill('');
    await page.locator('#getLedger').waitFor();
  });

  it('opens the type that an answer links to', async () => {
    const { page } = docs;
    await page.goto(`${product.url}/docs#type-SpaceDiff`);
    await page.locator('#type-SpaceDiff').getByText('added', { exact: true }).first().waitFor();
  });

  it('follows the colour scheme of the reader', async () => {
    const { page } = docs;
    const background = () =>
      page.evaluate(() => {
        const colour = getComputedStyle(document.body).backgroundColor;
        const [red = 255, green = 255, blue = 255] = (colour.match(/[\d.]+/g) ?? []).map(Number);
        return (red + green + blue) / 3;
      });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).toBeLessThan(60);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBeGreaterThan(200);
    expect(docs.errors).toEqual([]);
  });

  it('leads to the home page', async () => {
    const { page } = docs;
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'pagespace' }).click({ modifiers: ['ControlOrMeta'] });
    await using home = await opened.then(one => ({ page: one, [Symbol.asyncDispose]: () => one.close() }));
    await home.page.getByRole('heading', { name: 'Get an API key' }).waitFor();
  });

  it('executes an operation with a key, which it keeps for the visit', async () => {
    const { page } = docs;
    await page.getByLabel('API key').fill(product.key);
    await page.locator('#listSessions summary').click();
    const answer = page.waitForResponse(`${product.url}/sessions`);
    await page.locator('#listSessions').getByRole('button', { name: 'Send' }).click();
    expect((await answer).status()).toBe(200);
    await page.locator('#listSessions output').getByText('HTTP 200').waitFor();
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe(product.key);
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
  // The key stays for the visit, in this tab, and /docs knows it too.
  await page.reload();
  await page.getByRole('region', { name: 'Headers' }).getByText(product.key.slice(0, 12)).waitFor();
  await page.goto(`${product.url}/docs`);
  expect(await page.getByLabel('API key').inputValue()).toBe(product.key);
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
