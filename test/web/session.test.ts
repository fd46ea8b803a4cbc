import { afterAll, beforeAll, expect, it } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { openDashboard } from './openDashboard.ts';

let product: TestProduct;
let shop: PracticeShop;
let client: PagespaceClient;

beforeAll(async () => {
  shop = await startPracticeShop();
  product = await startTestProduct({}, { practiceShopUrl: shop.url });
  client = new PagespaceClient({ url: product.url, key: product.key });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
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
