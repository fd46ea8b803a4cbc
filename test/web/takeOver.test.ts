/** A person takes a session over in the dashboard. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { callApi } from '../support/callApi.ts';
import { cuttingProxy } from '../support/cuttingProxy.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { axeFindings, axeFindingsInBothThemes, openDashboard } from './openDashboard.ts';

/** A wide field, a wide button, a list and a date; the fragment of the address tells what happens to them. */
const FORM = `<!doctype html><title>-</title><style>body { margin: 0 } * { box-sizing: border-box }</style>
<textarea id="field" aria-label="Field" style="width: 100%; height: 300px; display: block"></textarea>
<button style="width: 100%; height: 200px" onclick="tell('pressed'); if (field.value === 'ask' && confirm('Really?')) tell('Yes')">Press</button>
<select id="list" aria-label="List" style="width: 100%; height: 100px; display: block" onchange="tell('chose ' + list.value)"><option>one<option>two</select>
<input type="date" id="day" aria-label="Day" style="width: 100%; height: 100px; display: block" onchange="tell('chose ' + day.value)">
<script>const tell = text => history.replaceState(null, '', '#' + encodeURIComponent(text)); addEventListener('scroll', () => tell('scrolled')); field.addEventListener('input', () => tell('typed ' + field.value))</script>
<div style="height: 3000px"></div>`;

let product: TestProduct;
let pages: ServedPages;
let client: PagespaceClient;

beforeAll(async () => {
  pages = await servePages({ '/': FORM });
  product = await startTestProduct();
  client = new PagespaceClient({ url: product.url, key: product.key });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const rest = (path: string, body: object) => callApi(product.url, 'POST', path, { key: product.key, body });
const takeOver = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Take over' }).first().click();
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
};
/** Returns a point of the picture, as parts of its width and height. */
const at = async (page: Page, right: number, down: number) => {
  const box = await page.locator('.input-layer').boundingBox();
  if (box === null) throw new Error('There is no layer for input.');
  return { x: box.x + box.width * right, y: box.y + box.height * down };
};
const press = async (page: Page, right: number, down: number) => {
  const { x, y } = await at(page, right, down);
  await page.mouse.click(x, y);
};
const FIELD = [0.5, 0.2] as const;
const BUTTON = [0.5, 0.55] as const;
const LIST = [0.5, 0.75] as const;
const DAY = [0.5, 0.9] as const;

it('an agent asks, Ana comes, types and clicks on the picture, Ben sees who has it, and the agent learns what was done', async () => {
  await using session = await client.start({ name: 'Login' });
  await session.observe(`${pages.url}/`);
  await rest('/session/request-take-over', {
    session_id: session.id,
    instructions: 'Please <b>sign in</b>.',
  });
  await using ana = await openDashboard(product.url, product.key);
  await using ben = await openDashboard(product.url, product.key);
  await ben.go('/dashboard/sessions');
  await ben.page.getByText('waits for a person').waitFor();
  await ana.go(`/dashboard/sessions/${session.id}`);
  await ana.page.locator('.task', { hasText: 'Please <b>sign in</b>.' }).waitFor();
  await takeOver(ana.page, 'Ana');
  await ana.page.getByText('You have the session.').waitFor();
  await ben.page.getByText('held by Ana').waitFor();
  await ben.go(`/dashboard/sessions/${session.id}`);
  await ben.page.locator('.take-over-bar', { hasText: 'Held by Ana' }).waitFor();
  expect(await ben.page.getByRole('button', { name: 'Take over' }).count()).toBe(0);
  await expect.poll(() => ben.page.locator('.box:enabled').count()).toBe(0);

  await press(ana.page, ...FIELD);
  await ana.page.keyboard.type('Hello, ');
  await ana.page.keyboard.insertText('日本');
  await ana.page.evaluate(() => navigator.clipboard.writeText(' pasted'));
  await ana.page.keyboard.press('Control+v');
  await expect.poll(() => told(session.id)).toBe('typed Hello, 日本 pasted');
  await ana.page.keyboard.press('Control+a');
  await ana.page.keyboard.press('Control+c');
  await expect.poll(() => ana.page.evaluate(() => navigator.clipboard.readText())).toBe('Hello, 日本 pasted');
  await press(ana.page, ...BUTTON);
  await expect.poll(() => told(session.id)).toBe('pressed');
  await ana.page.getByRole('button', { name: 'Hand back' }).click();
  await ana.page.getByText('You have the session.').waitFor({ state: 'detached' });
  const { body } = await rest('/env/observe', { session_id: session.id });
  expect(body).toMatchObject({ space: { messages: [{}] } });
  expect(body.space.messages[0].text).toMatch(/^Meanwhile a person: \d+ inputs, 0 navigations\.$/);
  expect(body.space.diff.changed[0].value).toBe('Hello, 日本 pasted');
  expect([...ana.errors, ...ben.errors]).toEqual([]);
});

/** Moves a finger on the screen. */
async function stroke(page: Page, { x, y }: { x: number; y: number }, down: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [{ x, y }]);
  for (const part of [0.3, 0.6, 1]) await touch('touchMove', [{ x, y: y + down * part }]);
  await touch('touchEnd', []);
}

/** Returns what the page tells in its address. */
async function told(id: string): Promise<string> {
  const query = 'query ($id: ID!) { session(id: $id) { tabs { url } } }';
  const body = { query, variables: { id } };
  const answer = await callApi(product.url, 'POST', '/graphql', { key: product.key, body });
  return decodeURIComponent(new URL(answer.body.data.session.tabs[0].url).hash.slice(1));
}

it('a person keeps the session when the socket is cut and comes back, and no key stays pressed', async () => {
  await using session = await client.start({ name: 'Cut' });
  await session.observe(`${pages.url}/`);
  const proxy = await cuttingProxy(product.port);
  try {
    await using dashboard = await openDashboard(`http://127.0.0.1:${proxy.port}`, product.key);
    const { page } = dashboard;
    await dashboard.go(`/dashboard/sessions/${session.id}`);
    await takeOver(page, 'Ana');
    await page.getByText('You have the session.').waitFor();
    await press(page, ...FIELD);
    await page.keyboard.down('Shift');
    proxy.stop();
    await page.getByText('You keep the session for 30 seconds').waitFor();
    await page.keyboard.up('Shift');
    proxy.resume();
    await page.getByText('You have the session.').waitFor();
    await press(page, ...FIELD);
    await page.keyboard.type('low');
    await expect.poll(() => told(session.id)).toBe('typed low');
    expect((await rest('/env/observe', { session_id: session.id })).body.code).toBe('TAKEN_OVER');
  } finally {
    await proxy.close();
  }
});

it('on a screen of 360 pixels a tap clicks, a list, a date and a dialog are answered, a stroke scrolls; axe finds nothing in either theme', async () => {
  await using session = await client.start({ name: 'Phone' });
  await session.observe(`${pages.url}/`);
  await using dashboard = await openDashboard(product.url, product.key, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const { page, errors } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  await takeOver(page, 'Ana');
  await page.getByText('You have the session.').waitFor();
  const tap = async (right: number, down: number) => {
    const { x, y } = await at(page, right, down);
    await page.touchscreen.tap(x, y);
  };
  await tap(...LIST);
  await page.getByRole('dialog', { name: 'Options' }).getByRole('button', { name: 'two' }).tap();
  await expect.poll(() => told(session.id)).toBe('chose two');
  // A telephone can have a mouse.
  await press(page, ...LIST);
  await page.getByRole('dialog', { name: 'Options' }).getByRole('button', { name: 'one' }).click();
  await expect.poll(() => told(session.id)).toBe('chose one');
  await tap(...DAY);
  const date = page.getByRole('dialog', { name: 'Date' });
  await date.getByLabel('Date').fill('2026-03-09');
  expect(await axeFindingsInBothThemes(page)).toEqual([]);
  await date.getByRole('button', { name: 'Set' }).tap();
  await expect.poll(() => told(session.id)).toBe('chose 2026-03-09');
  await tap(...FIELD);
  await page.getByRole('button', { name: 'Keyboard' }).tap();
  await page.keyboard.type('ask');
  await expect.poll(() => told(session.id)).toBe('typed ask');
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await tap(...BUTTON);
  await page.getByText('Really?').waitFor();
  await page.getByRole('button', { name: 'Accept' }).tap();
  await expect.poll(() => told(session.id)).toBe('Yes');
  await stroke(page, await at(page, ...FIELD), -50);
  await expect.poll(() => told(session.id)).toBe('scrolled');
  expect(errors).toEqual([]);
});

it('a share link opens its session without an account; a guest takes over; the open views end when it is revoked', async () => {
  await using session = await client.start({ name: 'Shared' });
  await session.observe(`${pages.url}/`);
  await using owner = await openDashboard(product.url, product.key);
  await owner.go(`/dashboard/sessions/${session.id}`);
  await owner.page.getByRole('button', { name: 'Share' }).click();
  const dialog = owner.page.getByRole('dialog');
  const create = async (what: string): Promise<string> => {
    await dialog.getByLabel('They may').selectOption(what);
    const before = await dialog.getByRole('listitem').count();
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(before + 1);
    return dialog.getByLabel('The new link').inputValue();
  };
  const [reading, control] = [await create('look'), await create('look, and take over')];
  expect(await axeFindings(owner.page)).toEqual([]);
  expect(owner.errors).toEqual([]);

  await using reader = await openDashboard(product.url, null, { colorScheme: 'dark' });
  await using guest = await openDashboard(product.url, null, { viewport: { width: 360, height: 740 } });
  await reader.go(reading.slice(product.url.length));
  await reader.page.getByRole('heading', { name: 'Shared' }).waitFor();
  expect(reader.page.url()).toBe(`${product.url}/dashboard/shared`);
  expect(await reader.page.getByRole('button').count()).toBe(0);
  await guest.go(control.slice(product.url.length));
  await takeOver(guest.page, 'Guest');
  await guest.page.getByText('You have the session.').waitFor();
  await reader.page.locator('.take-over-bar', { hasText: 'Held by Guest' }).waitFor();
  await press(guest.page, ...FIELD);
  await guest.page.keyboard.type('ask');
  await expect.poll(() => told(session.id)).toBe('typed ask');
  // Both see the dialog of the page; the guest answers it.
  await press(guest.page, ...BUTTON);
  await reader.page.getByText('Really?').waitFor();
  expect(await reader.page.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await expect.poll(() => told(session.id)).toBe('Yes');
  for (const { page, errors } of [reader, guest]) {
    expect(await axeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  }

  await expect.poll(() => owner.page.locator('.view-head .status').textContent()).toContain('held by Guest');
  const revoke = dialog.getByRole('button', { name: 'Revoke' });
  for (const [left, { page }] of [guest, reader].entries()) {
    await expect.poll(() => revoke.count()).toBe(2 - left);
    await revoke.first().click();
    await page.getByText('This link does not work').waitFor();
  }
  await expect.poll(async () => (await session.info()).status).toBe('ACTIVE');
  expect((await rest('/env/observe', { session_id: session.id })).status).toBe(200);
});
