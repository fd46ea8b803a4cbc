/** The input of a person in real Chromium: what the page gets of mouse, keyboard, input methods, paste and touch. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { InputEvent } from '../../../src/domain/session/takeOver.ts';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

/** Fields at known places; the title tells their values, what is pressed, and the last events. */
const ZOO = `<!doctype html><style>* { position: absolute; left: 10px; width: 300px; height: 40px; margin: 0 } style, script, title, head { display: none }</style>
<textarea id="a" style="top: 10px"></textarea><input id="b" style="top: 60px"><input id="secret" type="password" style="top: 110px">
<button id="go" style="top: 160px">Go</button><a href="/next" style="top: 210px">Next</a><div id="pad" style="top: 300px; height: 200px"></div>
<select id="list" style="top: 255px"><option>one<option disabled>two<option hidden>none<optgroup hidden label="Old"><option>never</optgroup><optgroup label="More"><option>three<option>four</optgroup></select>
<button style="top: 520px" onclick="asked = String(prompt('Who?', 'Nobody')); show()">Ask</button>
<script>
const down = new Set(), codes = [], composed = [];
let asked = '', changes = '';
// A page can write what was entered into a list.
secret.addEventListener('blur', () => { list.options[5].text = secret.value + ' four' });
let moves = 0, last = '', clicks = 0, at = '', touches = '', scrolled = 0;
const short = text => text.length > 200 ? text.length + ' characters' : text;
const show = () => { document.title = JSON.stringify({ a: short(a.value), b: short(b.value), down: [...down], codes, composed, last, clicks, at, touches, asked, list: list.value, changes, hasMoved: moves > 0 }) };
addEventListener('keydown', e => { down.add(e.key); codes.push(e.keyCode); show() });
addEventListener('keyup', e => { down.delete(e.key); show() });
addEventListener('mousedown', e => { down.add('mouse' + e.button); show() });
addEventListener('mouseup', e => { down.delete('mouse' + e.button); show() });
addEventListener('mousemove', e => { moves++; last = 'move'; at = e.clientX + ',' + e.clientY; show() });
addEventListener('click', e => { clicks++; last = 'click at ' + e.clientX + ',' + e.clientY; show() });
for (const type of ['compositionstart', 'compositionend']) addEventListener(type, e => { composed.push(type + ' ' + e.data); show() });
for (const type of ['touchstart', 'touchmove', 'touchend']) addEventListener(type, e => { touches += type + e.touches.length + ' '; show() });
list.addEventListener('change', e => { changes += e.isTrusted; show() });
addEventListener('input', show); show();
</script>`;

/** An input with a picker in each line of 40 pixels; the title tells the values and the last change. */
const PICKERS = `<!doctype html><style>body { margin: 0 } input, button, select { display: block; width: 300px; height: 40px; margin: 0; box-sizing: border-box }</style>
<input type="date" value="2026-01-02" min="2026-01-01"><input type="time"><input type="month"><input type="week"><input type="datetime-local"><input type="color">
<input list="papers"><datalist id="papers"><option value="cotton">Cotton, 300 g<option value="linen"></datalist>
<button onclick="day.showPicker()">When?</button><input id="day" type="date" style="width: 0; height: 0; padding: 0; border: 0">
<script>
let events = '';
// No key of the picker of colours chooses one: a script enters it.
const isTrusted = e => e.isTrusted || e.target.type === 'color';
const show = () => { document.title = [...document.querySelectorAll('input')].map(input => input.value).join() + events };
for (const type of ['input', 'change']) addEventListener(type, e => { if (!e.target.list && (type === 'change' || !isTrusted(e))) events += ' ' + type + (isTrusted(e) ? '' : ' of a script'); show() });
show();
</script>`;
/** A list of a hundred options. */
const LONG_LIST = `<!doctype html><title>none</title><style>body { margin: 0 }</style>
<select style="width: 300px; height: 40px" onchange="document.title = this.value"></select>
<script>const list = document.querySelector('select'); for (let at = 0; at < 100; at++) list.append(new Option('option ' + at))</script>`;

/** A date in a dialog, a field whose suggestions change, a date in a frame, and a colour that goes when it is chosen; the title tells their values, and Enter. The page takes each date from its input. */
const OTHER_PICKERS = `<!doctype html><style>body, dialog { margin: 0; padding: 0; border: 0 } input, button, iframe { display: block; width: 300px; height: 40px; margin: 0; padding: 0; border: 0; box-sizing: border-box }</style>
<iframe srcdoc="<style>body { margin: 0 }</style><input type=date style='width: 300px; height: 40px'>"></iframe><button>Other</button>
<input id="paper" list="papers" oninput="show()" onkeydown="if (event.key === 'Home') papers.firstChild.value = 'silk'"><datalist id="papers"><option value="cotton"><option value="linen"></datalist>
<button onclick="dialog.showModal()">Dialog</button><input type="color" oninput="this.remove()">
<dialog id="dialog"><input id="day" type="date" oninput="picked.push(day.value); day.value = ''; show()"></dialog>
<script>const picked = [], show = () => { document.title = [dialog.open, picked.join(' and '), paper.value].join() }; show();
addEventListener('keydown', event => { if (event.key === 'Enter') paper.value += ' Enter' })</script>`;

let started: StartedService;
let pages: ServedPages;
let agent: AgentDriver;
let holdId: string;

beforeAll(async () => {
  [started, pages] = await Promise.all([
    startService(),
    servePages({
      '/': ZOO,
      '/pickers': PICKERS,
      '/list': LONG_LIST,
      '/other-pickers': OTHER_PICKERS,
      '/next': '<title>Next</title><p>Done: <b id="b">sesame-1234</b></p>',
    }),
  ]);
  agent = await startAgentDriver(started);
});
beforeEach(async () => {
  await agent.observe(`${pages.url}/`);
  ({ holdId } = await started.service.takeOver(started.viewer, { sessionId: agent.sessionId, name: 'Ana' }));
  return () => started.service.handBack(started.viewer, { sessionId: agent.sessionId, holdId });
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const send = (...events: InputEvent[]) =>
  started.service.sendInput(started.viewer, { sessionId: agent.sessionId, holdId, events });
const click = (y: number, x = 100, clicks = 1): InputEvent[] => [
  { type: 'mouse_move', x, y },
  { type: 'mouse_down', x, y, button: 'left', clicks },
  { type: 'mouse_up', x, y, button: 'left', clicks },
];
const touch = (y: number, x = 100): InputEvent[] => [
  { type: 'touch', points: [{ x, y }] },
  { type: 'touch', points: [] },
];
const choose = (option: number | null, text: string | null = null): InputEvent => ({
  type: 'choose',
  option,
  text,
});
/** Returns the picker that is open. A busy page opens it after the answer to the press. */
const opened = async () => (await send()).picker;
const openedType = async () => (await opened())?.type;
const A = 30;
const B = 80;
const SECRET = 130;
const key = (type: 'key_down' | 'key_up', name: string, modifiers = 0, keyCode?: number): InputEvent => ({
  type,
  key: name,
  code: /^[a-z]$/i.test(name) ? `Key${name.toUpperCase()}` : name.length === 1 ? '' : name,
  keyCode: keyCode ?? NAMED_CODES[name] ?? codeOnUsKeyboard(name),
  modifiers,
  repeat: false,
});
const NAMED_CODES: Readonly<Record<string, number>> = {
  Enter: 13,
  Backspace: 8,
  Home: 36,
  End: 35,
  ArrowLeft: 37,
  Delete: 46,
  Control: 17,
  Shift: 16,
};
/** The keys of a US keyboard that make other characters than letters, by their codes. */
const US_KEYS: readonly (readonly [code: number, characters: string])[] = [
  ...Array.from(')!@#$%^&*(', (shifted, digit) => [48 + digit, `${digit}${shifted}`] as const),
  [186, ';:'],
  [187, '=+'],
  [188, ',<'],
  [189, '-_'],
  [190, '.>'],
  [191, '/?'],
  [192, '`~'],
  [219, '[{'],
  [220, '\\|'],
  [221, ']}'],
  [222, `'"`],
];
const codeOnUsKeyboard = (character: string): number =>
  US_KEYS.find(([, characters]) => characters.includes(character))?.[0] ??
  character.toUpperCase().charCodeAt(0);
const press = (name: string, modifiers = 0): InputEvent[] => [
  key('key_down', name, modifiers),
  key('key_up', name, modifiers),
];
const chord = (name: string): InputEvent[] => [
  key('key_down', 'Control'),
  ...press(name, 2),
  key('key_up', 'Control'),
];
/** Returns the title of the page, read by the person's own operation. */
async function title(url: string | null = null): Promise<string> {
  const { metadata } = await started.service.observe(
    { ...started.viewer, holdId },
    {
      sessionId: agent.sessionId,
      url,
      limits: { max: 50, min: null },
      data: null,
      space: true,
      keepAlive: true,
      timeoutMinutes: null,
      screenshot: false,
      signal: new AbortController().signal,
    },
  );
  return metadata.title;
}

/** Returns what the page tells in its title. */
async function state() {
  return JSON.parse(await title()) as {
    readonly a: string;
    readonly b: string;
    readonly down: readonly string[];
    readonly codes: readonly number[];
    readonly composed: readonly string[];
    readonly last: string;
    readonly clicks: number;
    readonly at: string;
    readonly touches: string;
    readonly asked: string;
    readonly list: string;
    readonly changes: string;
  };
}

it('enters all of printable ASCII, in its order', async () => {
  const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  await send(...click(B), ...ascii.flatMap(character => press(character)));
  const { b, down } = await state();
  expect(b).toBe(ascii.join(''));
  expect(down).toEqual([]);
});

it('edits in the middle of a text', async () => {
  await send(...click(A), { type: 'text', text: 'one three' });
  await send(...press('Home'), ...'two '.split('').flatMap(one => press(one)), ...press('End'));
  await send(
    ...press('Backspace'),
    ...press('Enter'),
    ...press('x'),
    ...press('ArrowLeft'),
    ...press('Delete'),
  );
  expect((await state()).a).toBe('two one thre\n');
});

it('performs a click after 500 moves of the mouse, where the last of them ended', async () => {
  const moves = Array.from(
    { length: 500 },
    (_, index): InputEvent => ({ type: 'mouse_move', x: index / 2, y: 180 }),
  );
  await send(...moves, ...click(180, 111));
  expect(await state()).toMatchObject({ clicks: 1, last: 'click at 111,180', at: '111,180' });
});

it('selects, copies and pastes 10 kB with Control+A, C and V, and hands the copy to the person', async () => {
  const text = 'abcde ghij'.repeat(1_024);
  await send(...click(A), { type: 'paste', text });
  const { copied } = await send(...chord('a'), ...chord('c'));
  // A busy page reports it after the answer.
  await expect.poll(async () => copied ?? (await send()).copied).toBe(text);
  await send(...click(B), ...chord('v'), ...chord('v'));
  expect(await state()).toMatchObject({ a: '10240 characters', b: '20480 characters', down: [] });
});

it('presses a key with the code 229 and enters the text that an input method makes of it', async () => {
  await send(...click(B), key('key_down', 'Unidentified', 0, 229), { type: 'text', text: 'ん' });
  await send(key('key_up', 'Unidentified', 0, 229));
  expect(await state()).toMatchObject({ b: 'ん', codes: [229], down: [] });
});

it('composes é, 日本 and a family of emoji', async () => {
  const texts = [
    ['´', 'é'],
    ['に', 'にほ', 'にほん', '日本'],
    ['👩', '👩‍👩', '👩‍👩‍👧'],
  ];
  await send(...click(B));
  for (const steps of texts)
    await send(...steps.map((text): InputEvent => ({ type: 'compose', text })), {
      type: 'text',
      text: steps.at(-1) ?? '',
    });
  const { b, composed } = await state();
  expect(b).toBe('é日本👩‍👩‍👧');
  expect(composed.filter(each => each.startsWith('compositionend'))).toEqual([
    'compositionend é',
    'compositionend 日本',
    'compositionend 👩‍👩‍👧',
  ]);
});

it('keeps nothing pressed after a release, and after the connection of the person was cut', async () => {
  const hold = [
    key('key_down', 'Shift'),
    key('key_down', 'q', 8),
    { type: 'mouse_down', x: 50, y: 400, button: 'left', clicks: 1 } as const,
  ];
  await send(...hold);
  expect((await state()).down).toEqual(['Shift', 'q', 'mouse0']);
  await send({ type: 'release' });
  expect((await state()).down).toEqual([]);
  await send(...hold);
  await started.service.renewTakeOver(started.viewer, {
    sessionId: agent.sessionId,
    holdId,
    isConnected: false,
  });
  expect((await state()).down).toEqual([]);
});

it('keeps nothing pressed when the session is handed back in the middle of a message', async () => {
  const moves = Array.from(
    { length: 200 },
    (_, index): InputEvent => ({ type: 'wheel', x: index, y: 400, deltaX: 0, deltaY: 1 }),
  );
  // The rest of the message is refused, before or after the hand-back has its answer.
  const sent = send({ type: 'mouse_down', x: 50, y: 400, button: 'left', clicks: 1 }, ...moves).catch(
    () => undefined,
  );
  await started.service.handBack(started.viewer, { sessionId: agent.sessionId, holdId });
  await sent;
  expect((await state()).down).toEqual([]);
});

it('turns the wheel, and touches with fingers', async () => {
  await send({ type: 'wheel', x: 100, y: 100, deltaX: 0, deltaY: 120 });
  await send(
    { type: 'touch', points: [{ x: 60, y: 400 }] },
    { type: 'touch', points: [{ x: 60, y: 420 }] },
    { type: 'touch', points: [] },
  );
  expect((await state()).touches).toBe('touchstart1 touchmove1 touchend0 ');
});

it.each([
  ['the mouse', () => click(275)],
  ['a finger', () => touch(275)],
])(
  'shows the options of a drop-down list that %s opens, and chooses one as a person does',
  async (_, open) => {
    await send(...open());
    await expect.poll(openedType).toBe('select');
    expect((await opened())?.options).toEqual([
      { label: 'one', selected: true, disabled: false },
      { label: 'two', selected: false, disabled: true },
      { label: 'More: three', selected: false, disabled: false },
      { label: 'More: four', selected: false, disabled: false },
    ]);
    expect(await send(choose(3))).toEqual({ copied: null, picker: null });
    expect(await state()).toMatchObject({ list: 'four', changes: 'true' });
  },
);

it('shows the picker of each input that has one, when the person opens it, and enters the value that is chosen', async () => {
  await title(`${pages.url}/pickers`);
  // A press on the text of a date is for the keyboard, with a finger also for the picker.
  expect((await send(...click(20))).picker).toBeNull();
  await send(...touch(20));
  await expect.poll(opened).toMatchObject({ type: 'date', value: '2026-01-02', min: '2026-01-01' });
  expect((await send(choose(null))).picker).toBeNull();
  const values = [
    ['date', '2026-03-09'],
    ['time', '14:05'],
    ['month', '2026-04'],
    ['week', '2026-W11'],
    ['datetime_local', '2026-03-09T14:05'],
    ['color', '#ff8800'],
  ] as const;
  for (const [line, [type, value]] of values.entries()) {
    await send(...click(20 + line * 40, 285));
    await expect.poll(openedType).toBe(type);
    await send(choose(null, value));
    await expect.poll(opened).toBeNull();
  }
  await send(...click(260));
  await expect.poll(openedType).toBe('suggestions');
  const labels = (await opened())?.options.map(({ label }) => label);
  expect(labels).toEqual(['cotton: Cotton, 300 g', 'linen']);
  await send(choose(1));
  // A page opens the picker of an input that cannot be seen.
  await send(...click(300));
  await expect.poll(openedType).toBe('date');
  await send(choose(null, '2026-05-06'));
  await expect.poll(opened).toBeNull();
  // Each of the seven is the page's as if the person had picked it there.
  await expect
    .poll(() => title())
    .toBe([...values.map(([, value]) => value), 'linen', '2026-05-06'].join() + ' change'.repeat(7));
  // In an empty picker Enter would choose the present time.
  await send(...click(60, 285));
  await expect.poll(openedType).toBe('time');
  await send(choose(null, ''));
  await expect
    .poll(() => title())
    .toMatch(/^2026-03-09,,2026-04,.*(?: change){7} input of a script change of a script$/);
});

it('enters a choice only in the picker that was shown, and presses no key that the page would take', async () => {
  await title(`${pages.url}/other-pickers`);
  await send(...touch(20));
  await expect.poll(openedType).toBe('date');
  // The field of the frame has lost the focus.
  await send(...touch(60));
  await expect.poll(opened).toBeNull();
  await send(...click(100));
  await expect.poll(openedType).toBe('suggestions');
  await send(...press('Home'));
  await send(choose(0));
  expect(await title()).toBe('false,,');
  await expect.poll(async () => (await opened())?.options[0]?.label).toBe('silk');
  await send(choose(0));
  await send(...click(180));
  await expect.poll(openedType).toBe('color');
  await send(choose(null, '#ff8800'));
  await send(...click(140));
  await send(...touch(20));
  await expect.poll(openedType).toBe('date');
  await send(choose(null, '2026-03-09'));
  await expect.poll(() => title()).toBe('true,2026-03-09,silk');
});

it('chooses nothing when the session is handed back before the option is reached', async () => {
  await title(`${pages.url}/list`);
  await send(...click(20));
  await expect.poll(async () => (await opened())?.options.length).toBe(100);
  const sent = send(choose(99)).catch(error => expect(error).toMatchObject({ code: 'TAKE_OVER_ENDED' }));
  await started.service.handBack(started.viewer, { sessionId: agent.sessionId, holdId });
  await sent;
  expect(await title()).toBe('none');
});

it('answers a prompt, and dismisses the next one', async () => {
  await send(...click(540));
  await send({ type: 'accept_dialog', text: 'Ana' });
  expect((await state()).asked).toBe('Ana');
  await send(...click(540));
  await send({ type: 'dismiss_dialog' });
  expect((await state()).asked).toBe('null');
});

it('masks what was typed into a secret field in all that follows, paints it over while it is typed, and counts inputs and navigations', async () => {
  await send(...click(SECRET), ...'sesame-1234'.split('').flatMap(character => press(character)));
  const ended = new AbortController();
  const live = { maxWidth: 1280, quality: 60 };
  const frames = await started.service.frames(started.viewer, agent.sessionId, live, ended.signal);
  const image = await loadImage(Buffer.from((await frames.next()).value?.image ?? '', 'base64'));
  ended.abort();
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  // The field has not told its text yet.
  const { data: shades } = context.getImageData(35, 115, 290, 30);
  expect(shades.every((shade, at) => at % 4 === 3 || Math.abs(shade - 128) < 12)).toBe(true);
  await send(...click(275));
  await expect.poll(openedType).toBe('select');
  expect((await opened())?.options[3]?.label).toMatch(/^More: •+ four$/);
  await send(choose(0), ...click(230));
  await expect
    .poll(async () => (await started.service.tabs(agent.sessionId))[0]?.url)
    .toBe(`${pages.url}/next`);
  await started.service.handBack(started.viewer, { sessionId: agent.sessionId, holdId });
  const { space, diff } = await agent.observe();
  expect(space?.messages[0]?.text).toBe('Meanwhile a person: 15 inputs, 1 navigation.');
  expect(diff?.removed.length).toBeGreaterThan(3);
  const { data } = await agent.scrape();
  expect(data?.text).toContain('Done: •');
  const events = await started.store.sessions.events(agent.sessionId, 0, 1_000);
  expect(JSON.stringify([events, space, data, started.warnings])).not.toContain('sesame');
});
