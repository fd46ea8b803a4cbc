import { afterAll, beforeAll, expect, it } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { openDashboard } from './openDashboard.ts';

const HOME = `<title>Home</title><h1>Home</h1>
  <a href="/second" target="_blank">Second page</a>
  <button onclick="document.title = 'answered ' + prompt('Your name?', 'nobody')">Ask</button>
  <a href="/report.csv" download>Report</a>
  <label>Document <input type="file" onchange="document.title = 'has ' + this.files[0].name"></label>
  <label>Note <input type="text"></label>`;

let product: TestProduct;
let pages: ServedPages;
let client: PagespaceClient;
beforeAll(async () => {
  pages = await servePages({
    '/': HOME,
    '/second': '<title>Second</title><h1>Second</h1>',
    '/report.csv': (_request, response) => {
      response.setHeader('content-disposition', 'attachment; filename=report.csv');
      response.end('a,b\n1,2\n');
    },
  });
  product = await startTestProduct();
  client = new PagespaceClient({ url: product.url, key: product.key });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

it('tabs are switched and closed, and a dialog is answered, in the view of the session', async () => {
  await using session = await client.start();
  const home = await session.observe(pages.url);
  await session.step(home.find('Second page'));
  await using dashboard = await openDashboard(product.url, product.key);
  const { page, errors } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  const tabs = page.getByRole('list', { name: 'Tabs' });
  await tabs.getByRole('button', { name: 'Home', exact: true }).click();
  await expect.poll(async () => (await session.info()).pageTitle).toBe('Home');
  await tabs.getByRole('button', { name: 'Close Second' }).click();
  await tabs.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /Ask/ }).first().click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('Your name?').waitFor();
  await dialog.getByLabel('Answer').fill('Ana');
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await expect.poll(async () => (await session.info()).pageTitle).toBe('answered Ana');
  expect(errors).toEqual([]);
});

it('a download is saved from the view, and an uploaded file goes into the input of the page', async () => {
  await using session = await client.start();
  const home = await session.observe(pages.url);
  await session.step(home.find('Report'));
  await using dashboard = await openDashboard(product.url, product.key);
  const { page, errors } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  await page.getByRole('tab', { name: 'Files' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('tabpanel').getByRole('button', { name: 'report.csv' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('report.csv');
  await page
    .getByLabel('Upload a file')
    .setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Ana') });
  await page.getByRole('tabpanel').getByText('letter.txt').waitFor();
  await page.getByRole('tab', { name: 'Actions' }).click();
  await page
    .getByRole('button', { name: /Document/ })
    .first()
    .click();
  const value = page.getByRole('combobox', { name: /Upload for/ });
  await value.selectOption({ label: 'U1 · letter.txt' });
  await page.getByRole('button', { name: 'Set' }).click();
  await expect.poll(async () => (await session.info()).pageTitle).toBe('has letter.txt');
  expect(errors).toEqual([]);
});

it('without a mouse: from the list to a session, to an action, and its value is entered', async () => {
  await using session = await client.start({ name: 'By keyboard' });
  await session.observe(pages.url);
  await using dashboard = await openDashboard(product.url, product.key);
  const { page, errors } = dashboard;
  await dashboard.go('/dashboard/sessions');
  await page.getByText('By keyboard').waitFor();
  // The slash goes to the search, the arrow into the table, Enter into the session.
  await page.keyboard.press('/');
  await page.keyboard.type('By keyboard');
  await expect.poll(() => page.url()).toContain('q=By');
  await page.getByRole('row', { name: /By keyboard/ }).waitFor();
  for (let tabs = 0; tabs < 20; tabs++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.closest('.table') !== null)) break;
  }
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('By keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^I\d+.*Note/ }).waitFor();
  for (let tabs = 0; tabs < 60; tabs++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => /^I\d+.*Note/.test(document.activeElement?.textContent ?? ''))) break;
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.type('written');
  await page.keyboard.press('Enter');
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /Note.*written/ })
    .waitFor();
  expect(errors).toEqual([]);
});
