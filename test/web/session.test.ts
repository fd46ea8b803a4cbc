import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
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
let shop: PracticeShop;
let pages: ServedPages;
let client: PagespaceClient;

beforeAll(async () => {
  shop = await startPracticeShop();
  pages = await servePages({
    '/': HOME,
    '/second': '<title>Second</title><h1>Second</h1>',
    '/report.csv': (_request, response) => {
      response.setHeader('content-disposition', 'attachment; filename=report.csv');
      response.end('a,b\n1,2\n');
    },
  });
  product = await startTestProduct({}, { practiceShopUrl: shop.url });
  client = new PagespaceClient({ url: product.url, key: product.key });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

it('one session: picture, boxes and list; a click on a box performs the step, an input takes its value', async () => {
  await using session = await client.start({ name: 'Checkout' });
  await session.observe(shop.url);
  await using dashboard = await openDashboard(product.url, product.key);
  const { page, errors } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  const row = (id: string) =>
    page.locator('.action', { has: page.locator('.id', { hasText: new RegExp(`^${id}$`) }) });
  const box = (id: string) =>
    page.locator('.box', { has: page.locator('b', { hasText: new RegExp(`^${id}$`) }) });
  await row('B2').waitFor();
  await page.getByRole('img', { name: /Live picture/ }).waitFor();

  // Both ways: the pointer on one marks the other.
  await box('L2').hover();
  await expect.poll(() => row('L2').getAttribute('class')).toContain('hovered');
  await row('I1').hover();
  await expect.poll(() => box('I1').getAttribute('class')).toContain('hovered');

  // So does the search over the list: what it does not find stands back on the picture.
  await page.getByLabel('Search actions').fill('basket');
  await expect.poll(() => box('L2').getAttribute('class')).toContain('missed');
  expect(await box('B2').getAttribute('class')).not.toContain('missed');
  await page.getByLabel('Search actions').fill('');

  await box('B2').click();
  await expect.poll(() => page.locator('.box.added, .box.changed').count()).toBeGreaterThan(0);
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect.poll(() => page.locator('.diff').textContent()).toContain('basket');

  await box('I1').click();
  await page.getByLabel('Value of I1').fill('cotton');
  await page.getByLabel('Value of I1').press('Enter');
  await expect.poll(() => row('I1').textContent()).toContain('cotton');
  const events = await client.query<{
    session: { events: { edges: { node: { performed: { caller: { kind: string } } } }[] } };
  }>(
    `{ session(id: "${session.id}") { events(last: 1) { edges { node { performed { caller { kind } } } } } } }`,
  );
  expect(events.session.events.edges[0]?.node.performed.caller.kind).toBe('PERSON');
  expect(errors).toEqual([]);
});

it('an address opens a page in a new session, and the controls of a browser work', async () => {
  await using session = await client.start();
  await using dashboard = await openDashboard(product.url, product.key);
  const { page } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  await page.getByText('Enter an address above').waitFor();
  await page.getByLabel('Address').fill(shop.url);
  await page.getByLabel('Address').press('Enter');
  await page.getByRole('button', { name: /^L2/ }).click();
  await expect.poll(() => page.getByLabel('Address').inputValue()).toContain('about');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(() => page.getByLabel('Address').inputValue()).not.toContain('about');
  // What has no control of its own is in a list, and takes its value beside it.
  const other = page.getByRole('form', { name: 'Other actions' });
  await other.getByLabel('Other action').selectOption('S11');
  await other.getByLabel('Value').fill('End');
  await other.getByRole('button', { name: 'Perform' }).click();
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.locator('.event', { hasText: 'S11' }).getByText('End').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(() => page.locator('.view-head .status').textContent()).toContain('closed');
});

it('an event shows the list and the difference of its moment, and its address opens it again', async () => {
  await using session = await client.start();
  const first = await session.observe(shop.url);
  await session.step(first.find('Add to basket', { in: 'Cotton' }));
  await session.step(first.find('About us'));
  await using dashboard = await openDashboard(product.url, product.key);
  const { page } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}?event=2`);
  await page.getByText('Event 2', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^B2/ }).waitFor();
  expect(await page.getByRole('button', { name: /^B2/ }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Event after' }).click();
  await expect.poll(() => page.url()).toContain('event=3');
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect.poll(() => page.locator('.diff').textContent()).toContain('basket');
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect.poll(() => page.url()).not.toContain('event');
});

it('a step is copied as curl, GraphQL, TypeScript, MCP and a command line; the first two run as they are', async () => {
  await using session = await client.start();
  const first = await session.observe(shop.url);
  await session.step(first.find('Name of the paper'), "it's cotton", { enter: true });
  await using dashboard = await openDashboard(product.url, product.key);
  const { page, errors } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('button', { name: 'Copy event 3 as a call' }).click();
  const copied = new Map<string, string>();
  for (const name of ['curl', 'GraphQL', 'TypeScript', 'MCP', 'Command line']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('button', { name: `Copy as ${name}` }).click();
    copied.set(name, await page.evaluate(() => navigator.clipboard.readText()));
  }
  expect(copied.get('TypeScript')).toContain(`await session.step("I1", "it's cotton", { enter: true })`);
  expect(JSON.parse(copied.get('MCP') ?? '').params).toEqual({
    name: 'step',
    arguments: { session_id: session.id, action_id: 'I1', value: "it's cotton", enter: true },
  });
  expect(copied.get('Command line')).toBe(
    `pagespace do I1 'it'\\''s cotton' --enter --session ${session.id}`,
  );
  const env = { ...process.env, PAGESPACE_API_KEY: product.key };
  const { stdout } = await promisify(execFile)('sh', ['-c', copied.get('curl') ?? ''], { env });
  expect(JSON.parse(stdout).space.actions.length).toBeGreaterThan(0);
  expect(await client.query(copied.get('GraphQL') ?? '')).toMatchObject({ step: { id: expect.any(String) } });
  expect(errors).toEqual([]);
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
