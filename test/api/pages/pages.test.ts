import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../../support/startServer.ts';
import { launchTestChromium } from '../../support/testChromium.ts';

let product: TestProduct;
let browser: Browser;

beforeAll(async () => {
  product = await startTestProduct();
  browser = await launchTestChromium();
});
afterAll(async () => {
  await browser.close();
  await product[Symbol.asyncDispose]();
});

/**
 * Opens a page that may ask nothing but this service; what it asked elsewhere, or complained of, is kept.
 * @param key put into requests to /graphql on their way, where a person would type it into an editor
 */
async function opened(
  path: string,
  key?: string,
): Promise<{ page: Page; complaints: string[]; [Symbol.asyncDispose](): Promise<void> }> {
  const context = await browser.newContext();
  context.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  await context.route('**/*', route => {
    const url = route.request().url();
    if (url === `${product.url}/graphql` && key !== undefined)
      return route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${key}` } });
    if (url.startsWith(product.url)) return route.continue();
    complaints.push(`asked ${url.slice(0, 200)}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('pageerror', error => complaints.push(`threw ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await page.goto(product.url + path);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

test('/docs shows every path without a network', async () => {
  await using docs = await opened('/docs');
  for (const path of ['/session/start', '/env/observe', '/env/step', '/env/scrape', '/session/close'])
    await docs.page.getByText(path, { exact: true }).first().waitFor();
  expect(docs.complaints).toEqual([]);
});

test('/docs tries an operation with a key', async () => {
  await using docs = await opened('/docs');
  await docs.page.getByRole('button', { name: 'Authorize' }).click();
  await docs.page.locator('.auth-container input').fill(product.key);
  await docs.page.locator('.auth-btn-wrapper .authorize').click();
  await docs.page.locator('.auth-btn-wrapper .btn-done').click();
  await docs.page.locator('#operations-reads-sessions').click();
  await docs.page.getByRole('button', { name: 'Try it out' }).click();
  const answer = docs.page.waitForResponse(`${product.url}/sessions`);
  await docs.page.getByRole('button', { name: 'Execute' }).click();
  expect((await answer).status()).toBe(200);
  expect(docs.complaints).toEqual([]);
});

test('GraphiQL says where the key is put, complains of nothing, and reads the schema once it has one', async () => {
  await using graphiql = await opened('/graphql');
  const { page } = graphiql;
  await page.locator('.graphiql-response').getByText('Put your key under').waitFor();
  expect(graphiql.complaints).toEqual([]);
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
});

test('GraphiQL runs a query without a network', async () => {
  await using graphiql = await opened('/graphql', product.key);
  // The editor comes after the button, and a click before it is lost.
  await graphiql.page.locator('.graphiql-query-editor').getByText('totalCount').waitFor();
  const answer = graphiql.page.waitForResponse(
    response => response.request().postData()?.includes('viewer') === true,
  );
  await graphiql.page.locator('button.graphiql-execute-button').click();
  expect((await (await answer).json()).data.viewer.account.name).toBe('test');
  await graphiql.page.locator('.graphiql-response').getByText('totalCount').waitFor();
  expect(graphiql.complaints).toEqual([]);
});

test('/ shows without a network', async () => {
  await using shown = await opened('/');
  await shown.page.getByRole('heading', { name: 'Get an API key' }).waitFor();
  expect(shown.complaints).toEqual([]);
});

test('/failures shows without a script and without a network', async () => {
  await using shown = await opened('/failures');
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await shown.page.locator('script').count()).toBe(0);
  expect(shown.complaints).toEqual([]);
});

test("a problem's type leads to its row of the manual", async () => {
  const problem = await callApi(product.url, 'GET', '/sessions');
  await using manual = await opened(problem.body.type);
  await manual.page.locator(':target').getByText('MISSING_API_KEY').waitFor();
  expect(manual.complaints).toEqual([]);
});

describe('headers of the pages', () => {
  test.each(['/', '/docs', '/failures', '/graphql'])(
    '%s has a strict Content-Security-Policy',
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

test('GraphiQL can be switched off', async () => {
  await using closed = await startTestServer(product.started.service, { graphiql: false });
  const page = await callApi(closed.url, 'GET', '/graphql', { headers: { accept: 'text/html' } });
  expect(page.status).toBe(401);
  expect((await callApi(closed.url, 'GET', '/graphql/graphiql.js')).status).toBe(404);
});
