import { readFileSync } from 'node:fs';
import type { Route } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { cuttingProxy } from '../support/cuttingProxy.ts';
import { servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { addAccount } from '../support/startService.ts';
import { axeFindings, axeFindingsInBothThemes, type Dashboard, openDashboard } from './openDashboard.ts';

let product: TestProduct;
let shop: PracticeShop;
let client: PagespaceClient;
let watchedId: string;
/** One tab for all tests that need no other: each goes to its view. */
let dashboard: Dashboard;

beforeAll(async () => {
  shop = await startPracticeShop();
  product = await startTestProduct({ record: 'steps' }, { practiceShopUrl: shop.url });
  client = new PagespaceClient({ url: product.url, key: product.key });
  const session = await client.start({ name: 'Price watcher', labels: ['nightly'] });
  watchedId = session.id;
  const page = await session.observe(shop.url);
  await session.step(page.find('Add to basket', { in: 'Cotton' }));
  dashboard = await openDashboard(product.url, product.key);
});
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]();
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

/** A view, and the text that tells that it has been drawn. */
const VIEWS: readonly (readonly [string, string])[] = [
  ['/dashboard/sessions', 'Price watcher'],
  ['/dashboard/sessions?view=grid', 'Price watcher'],
  ['/dashboard/sessions?q=nothing-like-it', 'No session passes these filters'],
  ['/dashboard/sessions/{id}', 'Cotton, 300 g'],
  ['/dashboard/sessions/{id}?event=3', 'Event 3'],
  ['/dashboard/sessions/00000000-0000-4000-8000-000000000000', 'There is no such session'],
  ['/dashboard/try', 'A page becomes a picture'],
  ['/dashboard/usage', 'Limits of the account'],
  ['/dashboard/keys', 'this visit'],
  ['/dashboard/operator', 'Sandboxes of the browsers'],
  ['/dashboard/elsewhere', 'There is no such page'],
];

it.each(VIEWS)(
  'a view has no finding of axe in both themes, no error in the console, and the width of a small screen: %s',
  async (path, text) => {
    const { page, errors } = dashboard;
    await dashboard.go(path.replace('{id}', watchedId));
    await page.getByText(text).first().waitFor();
    // The pointer must not hide what it is on.
    const primary = page.locator('.button.primary').first();
    if ((await primary.count()) > 0) await primary.hover();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(errors).toEqual([]);
  },
);

it('a session that a program starts appears in the list at once with its key, and its status says what it does, what blocks it, and who ended it', async () => {
  const { page } = dashboard;
  await dashboard.go('/dashboard/sessions');
  await page.getByText('Price watcher').waitFor();
  await page.locator('.connection', { hasText: 'Live' }).waitFor();
  const session = await client.start({ name: 'Just begun' });
  const row = page.getByRole('row', { name: /Just begun/ });
  await row.getByText('idle').waitFor();
  await row.getByRole('cell', { name: 'test', exact: true }).waitFor();
  await using pages = await servePages({ '/': '<button onclick="confirm(\'Sure?\')">Ask</button>' });
  const asked = await session.observe(pages.url);
  await session.step(asked.find('Ask'));
  await row.getByText('blocked').waitFor();
  await row.getByText('confirm: Sure?').waitFor();
  const chosen = page.getByRole('region', { name: 'Chosen sessions' });
  await row.getByRole('checkbox').check();
  await chosen.getByRole('button', { name: 'Extend' }).click();
  await page.getByText('1 extended.').waitFor();
  const second = await client.start({ name: 'Second of two' });
  const rows = [row, page.getByRole('row', { name: /Second of two/ })];
  for (const each of rows) await each.getByRole('checkbox').check();
  await chosen.getByText('2 chosen').waitFor();
  await chosen.getByRole('button', { name: 'Close' }).click();
  await page.getByText('2 closed.').waitFor();
  for (const each of rows) {
    await each.getByText('closed').waitFor();
    await each.getByText('by person · test').waitFor();
  }
  for (const each of [session, second]) expect((await each.info()).status).toBe('CLOSED');
  await chosen.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Status' }).selectOption('CLOSED');
  await expect.poll(() => page.url()).toContain('status=closed');
  await page.getByText('Price watcher').waitFor({ state: 'detached' });
});

it('a session is started in the dashboard with its page, name and labels', async () => {
  const { page, errors } = dashboard;
  await dashboard.go('/dashboard/sessions');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(shop.url);
  await dialog.getByLabel('Name').fill('By hand');
  await dialog.getByLabel('Labels').fill('b, a');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: 'By hand' }).waitFor();
  await page.getByRole('button', { name: /^B2/ }).waitFor();
  expect(await page.locator('.title-block .chip').allTextContents()).toEqual(['a', 'b']);
  expect(errors).toEqual([]);
});

it('the list tells that a step waits for the approval of a person', async () => {
  const { createApiKey } = await client.query<{ createApiKey: { key: string } }>(
    'mutation { createApiKey(input: { name: "asks", policy: { requireApproval: [SUBMIT] } }) { key } }',
  );
  const asking = new PagespaceClient({ url: product.url, key: createApiKey.key });
  const session = await asking.start({ name: 'Asks first' });
  const list = await session.observe(new URL('/orders', shop.url).href);
  const step = session.step(list.find('Sign in')).catch((error: unknown) => error);
  await dashboard.go('/dashboard/sessions');
  await dashboard.page
    .getByRole('row', { name: /Asks first/ })
    .getByText('waits for approval')
    .waitFor();
  await session.close();
  await step;
});

it('the list shows a change that comes while it is read', async () => {
  const session = await client.start({ name: 'Meanwhile' });
  await using dashboard = await openDashboard(product.url, product.key);
  const { page } = dashboard;
  const frames: string[] = [];
  page.on('websocket', socket => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
  let isHeld = false;
  await page.route('**/graphql', async route => {
    const response = await route.fetch();
    if (!isHeld && route.request().postData()?.includes('DashSessions')) {
      isHeld = true;
      const told = (word: string) => frames.some(frame => frame.includes(session.id) && frame.includes(word));
      await expect
        .poll(async () => {
          await session.observe(shop.url);
          return told('');
        })
        .toBe(true);
      await session.close();
      await expect.poll(() => told('CLOSED')).toBe(true);
    }
    await route.fulfill({ response });
  });
  await dashboard.go('/dashboard/sessions');
  await page
    .getByRole('row', { name: /Meanwhile/ })
    .getByText('Closed')
    .waitFor();
});

it('no event is lost when the socket is cut, and each is shown once', async () => {
  await using session = await client.start({ name: 'Cut' });
  await session.observe(shop.url);
  const proxy = await cuttingProxy(product.port);
  try {
    const url = `http://127.0.0.1:${proxy.port}`;
    await using dashboard = await openDashboard(url, product.key);
    const { page } = dashboard;
    await dashboard.go(`/dashboard/sessions/${session.id}`);
    await page.getByText('2 events').waitFor();
    proxy.stop();
    await page.locator('.connection', { hasText: 'Reconnecting' }).waitFor();
    for (let count = 0; count < 3; count++) await session.observe();
    proxy.resume();
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    await page.getByText('5 events').waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await expect.poll(() => page.locator('.event .seq').allTextContents()).toEqual(['1', '2', '3', '4', '5']);
  } finally {
    await proxy.close();
  }
});

it('a view says that it loads, that it failed, and that the browser is offline, and goes on by itself', async () => {
  await using own = await openDashboard(product.url, product.key);
  const { page } = own;
  const held: Route[] = [];
  await page.route('**/graphql', route => {
    if (route.request().postData()?.includes('DashUsage')) held.push(route);
    else return route.continue();
  });
  await own.go('/dashboard/usage');
  await page.getByText('Loading the usage').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.abort();
  await page.getByText('The service cannot be reached.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.unroute('**/graphql');
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Limits of the account').waitFor();
});

it('titles, names and labels of hostile pages are text', async () => {
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>‮gnp.exe';
  await using session = await client.start({ name: hostile, labels: ['<b>label</b>'] });
  await session.observe(shop.url);
  await dashboard.go('/dashboard/sessions');
  await dashboard.page.getByText('<script>').waitFor();
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  await dashboard.page.getByText('<b>label</b>').waitFor();
  expect(await dashboard.page.locator('script:not([src]), img[src=x], b:text-is("label")').count()).toBe(0);
  expect(dashboard.errors).toEqual([]);
});

it('a key is made in the dashboard, shown once, works, and is revoked', async () => {
  const { page } = dashboard;
  await dashboard.go('/dashboard/keys');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('made here');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const key = (await page.locator('.secret code').textContent()) ?? '';
  expect(await new PagespaceClient({ url: product.url, key }).query('{ viewer { keyId } }')).toMatchObject({
    viewer: { keyId: expect.any(String) },
  });
  await page.getByRole('button', { name: /Revoke made here/ }).click();
  const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke' });
  await page.route('**/graphql', route =>
    route.request().postDataJSON().variables?.id !== undefined
      ? route.fulfill({ json: { errors: [{ message: 'The store is busy.' }] } })
      : route.fallback(),
  );
  await revoke.click();
  await page.getByRole('dialog').getByText('The store is busy.').waitFor();
  await page.unroute('**/graphql');
  // The reader tries again with the keyboard, which has not lost its place.
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Revoke made here/ }).waitFor({ state: 'detached' });
  await expect(new PagespaceClient({ url: product.url, key }).query('{ viewer { keyId } }')).rejects.toThrow(
    /revoked/i,
  );
});

it('usage is saved as CSV, with a row for each operation', async () => {
  const { page } = dashboard;
  await dashboard.go('/dashboard/usage?by=kind');
  await page.getByRole('row', { name: /step/ }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('ledger.csv');
  const rows = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(rows[0]).toContain('amount_micros');
  expect(rows.some(row => row.includes('step') && row.includes(watchedId))).toBe(true);
  expect(dashboard.errors).toEqual([]);
});

it('the page to try shows picture and list side by side, with times, and the calls to copy', async () => {
  const { page, errors } = dashboard;
  await dashboard.go('/dashboard/try');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('link', { name: 'Go on in this session' }).waitFor();
  await page.getByRole('img', { name: /The page/ }).waitFor();
  expect(await page.locator('.trial-picture .box').count()).toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Command line' }).click();
  await page.getByRole('button', { name: 'Copy as Command line' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`pagespace open ${shop.url}`);
  await page.getByRole('link', { name: 'Go on in this session' }).click();
  await page.getByRole('img', { name: /Live picture/ }).waitFor();
  expect(errors).toEqual([]);
});

it('the operator sees latency, failures, refused addresses and accounts, credits one, and is told what draining the only node does', async () => {
  const { store, clock, metrics, warnings } = product.started;
  await addAccount(store, clock, 'Bakery', 'free');
  const { page, errors } = dashboard;
  for (const seconds of [0.02, 0.02, 4]) metrics.operationEnded('observe', 'done', seconds);
  for (let refused = 0; refused < 2; refused++) {
    metrics.operationEnded('scrape', 'URL_BLOCKED', 0.01);
    metrics.egressRefused();
  }
  await dashboard.go('/dashboard/sessions');
  await page.getByRole('link', { name: 'Service' }).click();
  const card = (title: string) => page.locator('.card', { hasText: title });
  const observed = card('Latency by operation').getByRole('row', { name: /^observe/ });
  await expect.poll(() => observed.locator('.number').last().textContent()).toBe('3');
  const [median, p95] = await observed.locator('.number').allTextContents();
  expect([median, p95]).toEqual([expect.stringMatching(/^\d+ ms$/), expect.stringMatching(/^[\d.]+ s$/)]);
  await card('Failures by code').getByRole('row', { name: 'URL_BLOCKED scrape 2' }).waitFor();
  const refused = page.locator('.figures > div', { hasText: 'Refused addresses' }).locator('dd');
  expect(await refused.textContent()).toBe('2');
  await page.getByRole('button', { name: 'Credit Bakery' }).click();
  await page.getByRole('dialog').getByLabel('Amount').fill('12.5');
  await page
    .getByRole('dialog')
    .getByLabel(/Reference/)
    .fill('invoice 7');
  await page.getByRole('dialog').getByRole('button', { name: 'Credit', exact: true }).click();
  await page.getByRole('row', { name: /Bakery pay as you go .* 12\.5/ }).waitFor();
  await page.getByRole('button', { name: 'Drain local' }).click();
  await page.getByText('It is the only node').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
  await expect.poll(() => warnings).toContain('drain requested');
  expect(errors).toEqual([]);
});

it('who is not the operator has no way to the service, and is refused there', async () => {
  const { store, clock } = product.started;
  const { key } = await addAccount(store, clock, 'Guest', 'free');
  await using dashboard = await openDashboard(product.url, key);
  await dashboard.go('/dashboard/operator');
  await dashboard.page.getByText(/Only the operator/).waitFor();
  expect(await dashboard.page.getByRole('link', { name: 'Service' }).count()).toBe(0);
});
