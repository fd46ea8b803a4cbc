/** The events of a session are enough to perform its run again with another tool. */
import type { Frame, Page } from 'playwright';
import { expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { servePages } from '../../support/servePages.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';
import { startTestProduct } from '../../support/startServer.ts';
import { overSocket } from '../../support/subscribe.ts';

const ORDER_PAGE = `<title>Order</title><h1>Order</h1>
  <form onsubmit="event.preventDefault(); document.querySelector('output').textContent = JSON.stringify({
    name: this.name.value, size: this.size.value, gift: this.gift.checked, kind: this.kind.value,
    note: document.querySelector('iframe').contentDocument.querySelector('textarea').value, count })">
    <label>Name <input name="name"></label>
    <label>Size <select name="size"><option>Small<option>Large</select></label>
    <label><input type="checkbox" name="gift"> Gift</label>
    <label><input type="radio" name="kind" value="a"> Standard</label>
    <label><input type="radio" name="kind" value="b"> Express</label>
    <section><h2>First</h2><button type="button" onclick="count += 1">Add</button></section>
    <section><h2>Second</h2><button type="button" onclick="count += 10">Add</button></section>
    <button>Send</button>
  </form><output></output>
  <iframe src="/note" title="Note"></iframe>
  <a href="/terms">Terms</a>
  <script>var count = 0</script>`;

const EVENTS = `subscription ($id: ID!) { sessionEvents(sessionId: $id) { seq type performed {
  id durationMs caller { kind keyId keyName } observationId url title
  input { url actionId role name nth frame value enter params } } } }`;

interface Input {
  readonly url: string | null;
  readonly actionId: string | null;
  readonly role: string | null;
  readonly name: string | null;
  readonly nth: number;
  readonly frame: string | null;
  readonly value: string | null;
  readonly enter: boolean;
}

/** Performs one input with Playwright's own locators. */
async function perform(page: Page, input: Input): Promise<void> {
  if (input.url !== null) return void (await page.goto(input.url));
  if (input.actionId === 'S1') return void (await page.goto(input.value ?? ''));
  if (input.actionId === 'S4') return void (await page.goBack());
  const frame: Page | Frame = page.frames().find(one => one.url() === input.frame) ?? page;
  const role = input.role as Parameters<Page['getByRole']>[0];
  const target = frame.getByRole(role, { name: input.name ?? '', exact: true }).nth(input.nth);
  if (role === 'combobox') await target.selectOption(input.value ?? '');
  else if (role === 'checkbox' || role === 'radio') await target.setChecked(input.value !== 'false');
  else if (input.value !== null) await target.fill(input.value);
  else await target.click();
  if (input.enter) await target.press('Enter');
}

test('a program that reads the events alone performs a run of mixed steps again', async () => {
  await using pages = await servePages({
    '/': ORDER_PAGE,
    '/note': '<label>Note <textarea></textarea></label>',
    '/terms': '<title>Terms</title><h1>Terms</h1><a href="/">Back</a>',
  });
  await using product = await startTestProduct();
  const rest = async (path: string, body: object) => {
    const response = await callApi(product.url, 'POST', path, { key: product.key, body });
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return response.body;
  };
  const { session_id } = await rest('/session/start', {});
  let { space } = await rest('/env/observe', { session_id, url: `${pages.url}/` });
  const step = async (name: string, value: string | null = null, nth = 0) => {
    const found = space.actions.filter((action: { name: string }) => action.name === name)[nth];
    ({ space } = await rest('/env/step', { session_id, action_id: found.id, value }));
  };
  await step('Name', 'Ann');
  await step('Size', 'Large');
  await step('Gift', 'true');
  await step('Express', 'true');
  await step('Note', 'ring twice');
  for (const nth of [0, 1, 1, 0, 1]) await step('Add', null, nth);
  await step('Gift', 'false');
  await step('Standard', 'true');
  await step('Gift', 'true');
  await step('Name', 'Ann Lee');
  await step('Send');
  await step('Terms');
  ({ space } = await rest('/env/step', { session_id, action_id: 'S4' }));
  const shown = await rest('/env/scrape', { session_id, formats: ['text'] });
  await rest('/session/close', { session_id });

  const inputs: Input[] = [];
  const operations: string[] = [];
  for await (const { data } of overSocket({ url: product.url, key: product.key }, EVENTS, {
    id: session_id,
  })) {
    const { type, performed } = data.sessionEvents;
    if (type !== 'OBSERVED' && type !== 'STEPPED') continue;
    expect(performed).toMatchObject({ caller: { kind: 'AGENT', keyName: 'test' } });
    expect(performed.observationId).toMatch(/^O\d+$/);
    operations.push(performed.id);
    inputs.push(performed.input);
  }
  expect(inputs).toHaveLength(18);
  expect(new Set(operations).size).toBe(18);

  const browser = await sharedChromium();
  const page = await browser.newPage();
  let sent = '';
  for (const input of inputs) {
    await perform(page, input);
    sent =
      (await page
        .locator('output')
        .first()
        .textContent({ timeout: 2_000 })
        .catch(() => null)) || sent;
  }
  await page.close();
  expect(JSON.parse(sent)).toEqual({
    name: 'Ann Lee',
    size: 'Large',
    gift: true,
    kind: 'a',
    note: 'ring twice',
    count: 32,
  });
  expect(shown.metadata.page_title).toBe('Order');
});
