/** The events of a session are enough to perform its run again with another tool. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { servePages } from '../../support/servePages.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';
import { startTestProduct } from '../../support/startServer.ts';
import { overSocket } from '../../support/subscribe.ts';

const ORDER_PAGE = `<title>Order</title><h1>Order</h1>
  <form onsubmit="event.preventDefault(); document.querySelector('output').textContent = JSON.stringify({
    name: this.name.value, size: this.size.value, gift: this.gift.checked, kind: this.kind.value,
    note: document.querySelector('iframe').contentDocument.querySelector('textarea').value, count, gestures: [...gestures] })">
    <label>Name <input name="name"></label>
    <label>Size <select name="size"><option>Small<option>Large</select></label>
    <label><input type="checkbox" name="gift"> Gift</label>
    <label><input type="radio" name="kind" value="a"> Standard</label>
    <label><input type="radio" name="kind" value="b"> Express</label>
    <section><h2>First</h2><button type="button" onclick="count += 1">Add</button></section>
    <section><h2>Second</h2><button type="button" onclick="count += 10">Add</button></section>
    <button type="button" onmouseenter="gestures.add('hover')">Hints</button>
    <button type="button" ondblclick="gestures.add('double')">Twice</button>
    <button type="button" draggable="true">Parcel</button>
    <button type="button" ondragover="event.preventDefault()" ondrop="event.preventDefault(); gestures.add('drop')">Van</button>
    <button>Send</button>
  </form><output></output>
  <iframe src="/note" title="Note"></iframe>
  <a href="/terms">Terms</a>
  <script>var count = 0, gestures = new Set()</script>`;

const EVENTS = `subscription ($id: ID!) { sessionEvents(sessionId: $id) { seq type performed {
  id durationMs timing { navigationMs actionMs settlingMs } caller { kind keyId keyName } observationId url title
  input { url actionId role name nth frame gesture targets { role name nth frame } value enter params } } } }`;

interface Target {
  readonly role: string | null;
  readonly name: string | null;
  readonly nth: number;
  readonly frame: string | null;
}

interface Input extends Target {
  readonly url: string | null;
  readonly gesture: string | null;
  readonly targets: readonly Target[];
  readonly value: string | null;
  readonly enter: boolean;
}

const quoted = (text: string | null): string => JSON.stringify(text ?? '');

function locator({ role, name, nth, frame }: Target): string {
  const within = frame === null ? 'page' : `page.frame({ url: ${quoted(frame)} })`;
  return `${within}.getByRole(${quoted(role)}, { name: ${quoted(name)}, exact: true }).nth(${nth})`;
}

/** Returns the lines of a Playwright script that do what one input says. */
function scriptOf(input: Input): string[] {
  const { url, gesture, targets, role, value, enter } = input;
  if (url !== null) return [`await page.goto(${quoted(url)});`];
  const [target = '', other = ''] = (gesture === null ? [input] : targets).map(locator);
  switch (gesture) {
    case 'goto':
      return [`await page.goto(${quoted(value)});`];
    case 'back':
      return ['await page.goBack();'];
    case 'refresh':
      return ['await page.reload();'];
    case 'hover':
      return [`await ${target}.hover();`];
    case 'double click':
      return [`await ${target}.dblclick();`];
    case 'drag':
      return [`await ${target}.dragTo(${other});`];
  }
  const act =
    role === 'combobox'
      ? `selectOption(${quoted(value)})`
      : role === 'checkbox' || role === 'radio'
        ? `setChecked(${value !== 'false'})`
        : value === null
          ? 'click()'
          : `fill(${quoted(value)})`;
  return [`await ${target}.${act};`, ...(enter ? [`await ${target}.press('Enter');`] : [])];
}

test('a program that reads the events alone writes a Playwright script of a run of twenty mixed steps', async () => {
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
  let { space } = await rest('/env/observe', { session_id, url: `${pages.url}/terms` });
  const perform = async (action_id: string, input: object = {}) => {
    ({ space } = await rest('/env/step', { session_id, action_id, ...input }));
  };
  const step = (name: string, input: object = {}, nth = 0) => {
    const found = space.actions.filter((action: { name: string }) => action.name === name)[nth];
    return perform(found.id, input);
  };
  await step('Back');
  await step('Terms');
  await perform('S4');
  await perform('S6');
  await perform('S1', { value: `${pages.url}/` });
  await step('Name', { value: 'Ann' });
  await step('Size', { value: 'Large' });
  await step('Gift', { value: 'true' });
  await step('Express', { value: 'true' });
  await step('Note', { value: 'ring twice' });
  for (const nth of [0, 1, 1, 0, 1]) await step('Add', {}, nth);
  await step('Gift', { value: 'false' });
  await step('Standard', { value: 'true' });
  const idOf = (name: string): string =>
    space.actions.find((action: { name: string }) => action.name === name).id;
  await perform('S16', { value: idOf('Hints') });
  await perform('S18', { value: idOf('Twice') });
  await perform('S17', { value: `${idOf('Parcel')} -> ${idOf('Van')}` });
  await step('Gift', { value: 'true' });
  await step('Name', { value: 'Ann Lee' });
  await step('Size', { value: 'Small' });
  await step('Name', { value: 'Ann "Al" Lee', enter: true });
  const shown = await rest('/env/scrape', { session_id, formats: ['text'] });
  await rest('/session/close', { session_id });

  const script: string[] = [];
  const operations = new Set<string>();
  for await (const { data } of overSocket({ url: product.url, key: product.key }, EVENTS, {
    id: session_id,
  })) {
    const { type, performed } = data.sessionEvents;
    if (type !== 'OBSERVED' && type !== 'STEPPED') continue;
    expect(performed).toMatchObject({ caller: { kind: 'AGENT', keyName: 'test' } });
    expect(performed.observationId).toMatch(/^O\d+$/);
    const { navigationMs, actionMs, settlingMs } = performed.timing;
    expect(navigationMs ?? actionMs).toBeGreaterThanOrEqual(0);
    expect(settlingMs).toBeGreaterThan(0);
    operations.add(performed.id);
    script.push(...scriptOf(performed.input));
  }
  expect(operations.size).toBe(25);

  const browser = await sharedChromium();
  const page = await browser.newPage();
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (page: Page) => Promise<void>;
  await new AsyncFunction('page', script.join('\n'))(page);
  const sent = (await page.locator('output').textContent()) ?? '';
  await page.close();
  expect(JSON.parse(sent)).toEqual({
    name: 'Ann "Al" Lee',
    size: 'Small',
    gift: true,
    kind: 'a',
    note: 'ring twice',
    count: 32,
    gestures: ['hover', 'double', 'drop'],
  });
  expect(shown.data.text).toContain(sent);
});
