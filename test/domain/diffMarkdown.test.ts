import { describe, expect, test } from 'vitest';
import { diffMarkdown } from '../../src/domain/space/diffMarkdown.ts';
import { NOTHING_PENDING } from '../../src/domain/space/space.ts';
import { spaceDiff } from '../../src/domain/space/spaceDiff.ts';
import { actionOf } from './actionOf.ts';

test('spaceDiff() counts what a veil covers and uncovers', () => {
  const before = { url: 'x', messages: [], actions: ['B1', 'B2', 'B3'].map(id => actionOf({ id })) };
  const veiled = before.actions.map(one => ({ ...one, status: 'covered' as const, layer: 'below' as const }));
  const now = {
    url: 'x',
    messages: [],
    actions: [...veiled.slice(0, 2), actionOf({ id: 'B3', checked: true })],
  };
  const there = spaceDiff(before, now);
  expect(there).toMatchObject({ added: [], removed: [], changed: [{ id: 'B3' }], covered: 2 });
  expect(diffMarkdown(there)).toBe('~ B3 "Save"\n~ 2 actions covered');
  expect(diffMarkdown(spaceDiff(now, before))).toBe('~ B3 "Save"\n~ 2 actions no longer covered');
});

test('spaceDiff() counts what a popup covers if it covers more than three actions', () => {
  const ids = ['B1', 'B2', 'B3', 'B4'];
  const observed = (covered: number) => ({
    url: 'x',
    messages: [],
    actions: ids.map((id, index) => actionOf({ id, status: index < covered ? 'covered' : 'valid' })),
  });
  expect(diffMarkdown(spaceDiff(observed(0), observed(4)))).toBe('~ 4 actions covered');
  expect(diffMarkdown(spaceDiff(observed(4), observed(0)))).toBe('~ 4 actions no longer covered');
  expect(diffMarkdown(spaceDiff(observed(0), observed(1)))).toBe('~ B1 "Save" (covered)');
});

test('diffMarkdown() tells first what goes on and what was downloaded', () => {
  const state = {
    dialog: null,
    pending: {
      requests: ['GET shop.example/items'],
      timers: [1_400],
      busy: ['"Loading…"'],
      navigation: 'shop.example/done',
    },
    downloads: [{ id: 'D1', fileId: null, name: 'a.csv', state: 'running' as const }],
  };
  expect(diffMarkdown({ added: [], removed: [], changed: [], messages: [], state })).toBe(
    'Pending: request "GET shop.example/items", timer "in 1.4 s", busy "Loading…", navigation "shop.example/done"\nDownload D1 "a.csv", running\nNothing has changed.',
  );
});

test.each([
  ['"Loading…"', '"Loading…"'],
  ['spinner', '"spinner"'],
  ['progressbar "Up, B1" 40 %', '"progressbar \'Up, B1\' 40 %"'],
])('diffMarkdown() quotes the sign %s once', (sign, quotation) => {
  const state = { dialog: null, pending: { ...NOTHING_PENDING, busy: [sign] }, downloads: [] };
  expect(diffMarkdown({ added: [], removed: [], changed: [], messages: [], state })).toBe(
    `Pending: busy ${quotation}\nNothing has changed.`,
  );
});

test('diffMarkdown() tells ids that are gone as ranges', () => {
  const gone = ['B1', 'B2', 'B3', 'L4', 'L5', 'I1'].map(id => actionOf({ id }));
  const diff = { added: [], removed: gone, changed: [], messages: [] };
  expect(diffMarkdown(diff)).toBe('- B1–B3 L4 L5 I1');
});

test('diffMarkdown() leaves out actions of which only the place among others has changed, if there is more to tell', () => {
  const place = (id: string, where: string) => actionOf({ id, description: `button "Edit", in "${where}"` });
  const observed = (...actions: ReturnType<typeof actionOf>[]) => ({ url: 'x', messages: [], actions });
  const before = observed(place('B1', 'Ann'), actionOf({ id: 'B2' }));
  const both = spaceDiff(before, observed(place('B1', 'Ann Lee'), actionOf({ id: 'B2', disabled: true })));
  expect(both.changed.map(({ id }) => id)).toEqual(['B1', 'B2']);
  expect(diffMarkdown(both)).toBe('~ B2 "Save"');
  const alone = spaceDiff(before, observed(place('B1', 'Ann Lee'), actionOf({ id: 'B2' })));
  expect(diffMarkdown(alone)).toBe('~ B1 "Edit"');
});

test('diffMarkdown() has one line for a choice between tabs or radio buttons', () => {
  const tab = (id: string, name: string, more: string) =>
    actionOf({ id, role: 'tab', description: `tab "${name}"${more}` });
  const observed = (...actions: ReturnType<typeof actionOf>[]) => ({ url: 'x', messages: [], actions });
  const before = observed(tab('B1', 'Text', ', selected'), tab('B2', 'Notes', ''));
  const diff = spaceDiff(before, observed(tab('B1', 'Text', ''), tab('B2', 'Notes', ', selected')));
  expect(diff.changed.map(({ id }) => id)).toEqual(['B1', 'B2']);
  expect(diffMarkdown(diff)).toBe('~ B2 tab "Notes", selected');
  const closed = observed(tab('B1', 'Text', ''), tab('B2', 'Notes', ''));
  expect(diffMarkdown(spaceDiff(before, closed))).toBe('~ B1 tab "Text"');
});

test('diffMarkdown() joins changed names as the list does, but none with a note of its own', () => {
  const month = (name: string, days: number) =>
    Array.from({ length: days }, (_, index) =>
      actionOf({
        id: `B${index + 1}`,
        description: `button "${name} ${index + 1}, 2026"`,
        fingerprint: name,
      }),
    );
  const observed = (actions: ReturnType<typeof month>) => ({ url: 'x', messages: [], actions });
  const diff = spaceDiff(observed(month('April', 30)), observed(month('May', 31)));
  expect(diffMarkdown(diff).split('\n')).toEqual([
    '+ B31 "May 31, 2026"',
    '~ B1–B9 "May 1, 2026"–"May 9, 2026"',
    '~ B10–B19 "May 10, 2026"–"May 19, 2026"',
    '~ B20–B30 "May 20, 2026"–"May 30, 2026"',
  ]);
});

test('diffMarkdown() does not tell an id as gone that the new page has too', () => {
  const page = (url: string, ...ids: string[]) => ({
    url,
    title: 'Shop',
    messages: [],
    actions: ids.map(id => actionOf({ id, fingerprint: url })),
  });
  const diff = spaceDiff(page('http://x/a', 'B1', 'B2'), page('http://x/b', 'B1'));
  expect(diffMarkdown(diff)).toBe('Page "Shop" "http://x/b"\n+ B1 "Save"\n- B2');
});

test('spaceDiff() tells the new order of actions that changed places', () => {
  const observed = (...ids: string[]) => ({
    url: 'x',
    messages: [],
    actions: ids.map(id => actionOf({ id })),
  });
  const sorted = spaceDiff(observed('B1', 'B2', 'B3'), observed('B2', 'B3', 'B1'));
  expect(sorted).toMatchObject({ added: [], removed: [], changed: [], reordered: ['B2', 'B3', 'B1'] });
  expect(diffMarkdown(sorted)).toBe('~ new order: B2 B3 B1');
  expect(diffMarkdown(spaceDiff(observed('B1', 'B2'), observed('B3', 'B2')))).toBe('+ B3 "Save"\n- B1');
});

describe('diffMarkdown() of one changed action has at most 150 bytes', () => {
  const values = Array.from({ length: 12 }, (_, index) => `Option number ${index}`);
  test.each([
    ['an option', `combobox "Country", value "${'x'.repeat(60)}"`],
    ['a long name', `checkbox "${'I agree to everything '.repeat(7)}", checked, in "${'Terms '.repeat(8)}"`],
    ['a long text', `textbox "${'名前'.repeat(40)}", value "${'東京都'.repeat(20)}", required, multiline`],
  ])('%s', (_name, description) => {
    const params = [{ name: 'value', type: 'option' as const, default: null, values }];
    const changed = [actionOf({ id: 'I123', kind: 'input', description, params })];
    const text = diffMarkdown({ added: [], removed: [], changed, messages: [] });
    expect(text).toMatch(/^~ I123 \S.*("|checked|multiline)$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(150);
  });
});

test.each([
  [
    'another address',
    { url: 'https://shop.test/orders?page=2' },
    'Page "Orders" "https://shop.test/orders?page=2"',
  ],
  [
    'another route of an application',
    { url: 'https://shop.test/#/orders' },
    'Page "Orders" "https://shop.test/#/orders"',
  ],
  ['another tab with the same address', { tab: 'T2' }, 'Tab T2 "Orders" "https://shop.test/"\n+ B1 "Save"'],
  ['another place in the page', { url: 'https://shop.test/#top' }, 'Title "Orders"'],
])('diffMarkdown() tells the page first: %s', (_what, moved, markdown) => {
  const before = {
    url: 'https://shop.test/',
    tab: 'T1',
    title: 'Shop',
    messages: [],
    actions: [actionOf({ id: 'B1' })],
  };
  const now = {
    ...before,
    title: 'Orders',
    actions: [actionOf({ id: 'B1', ...('tab' in moved && { fingerprint: 'other' }) })],
  };
  expect(diffMarkdown(spaceDiff(before, { ...now, ...moved }))).toBe(markdown);
});

test('diffMarkdown() tells a new title of the page', () => {
  const observed = (title: string) => ({
    url: 'https://a.example/',
    title,
    messages: [],
    actions: [actionOf({})],
  });
  const diff = spaceDiff(observed('Cart (0)'), observed('Cart (1)'));
  expect(diffMarkdown(diff)).toBe('Title "Cart (1)"');
});

test('spaceDiff() lists a new order from the first action that moved to the last one, and none where only the names moved', () => {
  const observed = (...ids: string[]) => ({
    url: 'x',
    messages: [],
    actions: ids.map(id => actionOf({ id })),
  });
  const ids = ['B1', 'B2', 'B3', 'B4', 'B5'];
  expect(spaceDiff(observed(...ids), observed('B1', 'B3', 'B2', 'B4', 'B5')).reordered).toEqual(['B3', 'B2']);
  const renamed = {
    ...observed('B2', 'B1'),
    actions: ['B2', 'B1'].map(id => actionOf({ id, fingerprint: `new ${id}` })),
  };
  expect(spaceDiff(observed('B1', 'B2'), renamed).reordered).toBeUndefined();
});

test('diffMarkdown() shows the end of a long value if that is what changed', () => {
  const text = 'The quick brown fox jumps over the lazy dog and runs away into the forest';
  const field = (value: string) =>
    actionOf({
      id: 'I1',
      kind: 'input',
      name: 'Note',
      value,
      description: `textbox "Note", value "${value.slice(0, 59)}…"`,
    });
  const observed = (value: string) => ({ url: 'x', messages: [], actions: [field(value)] });
  expect(diffMarkdown(spaceDiff(observed(text), observed(`${text}, then home`)))).toMatch(
    /^~ I1 "Note", value "….*away into the forest, then home"$/,
  );
  expect(diffMarkdown(spaceDiff(observed(text), observed(`A ${text}`)))).toMatch(/value "A The quick/);
});

test('a long line of a changed action keeps its quotations and parentheses closed', () => {
  for (const length of [40, 90, 200])
    for (const letter of ['x', 'é', '語', '😀']) {
      const words = letter.repeat(length);
      const action = actionOf({
        id: 'I1',
        name: words,
        description: `combobox "${words}", value "${words}", in "${words}"`,
      });
      const diff = {
        added: [],
        removed: [],
        messages: [],
        changed: [{ ...action, focus: { caret: 12, selected: words } }],
      };
      const line = diffMarkdown(diff);
      expect(line).toMatch(/^~ I1 combobox "[^"]*", value "[^"]*" \(focused, caret 12, selected "[^"]*"\)$/);
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(150);
    }
});

test('a class that a control has lost is told beside the one that it has got', () => {
  const look = { number: 1, part: 'class' as const, words: 'is-on', lost: 'is-off' };
  const changed = [{ ...actionOf({}), look, hasNewLook: true }];
  expect(diffMarkdown({ added: [], removed: [], messages: [], changed })).toBe(
    '~ B1 "Save" (new class "is-on", no class "is-off")',
  );
});
