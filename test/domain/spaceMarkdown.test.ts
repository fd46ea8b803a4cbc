import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import { normalizeText, quote } from '../../src/domain/pageText.ts';
import type { Space } from '../../src/domain/space.ts';
import { spaceDiff } from '../../src/domain/spaceDiff.ts';
import { diffMarkdown, spaceMarkdown } from '../../src/domain/spaceMarkdown.ts';
import { browserActions } from '../../src/domain/specialActions.ts';
import { hostileText, PAGE_WORD } from '../support/hostileText.ts';
import { parseSpaceMarkdown } from '../support/parseSpaceMarkdown.ts';
import { spaceOf } from './spaceOf.ts';

const action = (more: Partial<Action>): Action => ({
  id: 'B1',
  kind: 'button',
  description: 'button "Save"',
  category: 'Main',
  status: 'valid',
  params: [],
  role: 'button',
  name: 'Save',
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  inViewport: true,
  bounds: null,
  frame: null,
  fingerprint: 'f',
  ...more,
});

const space = (actions: readonly Action[], more: Partial<Space> = {}): Space =>
  spaceOf(actions, { description: 'A page titled "Shop".', category: 'item', ...more });

const line = (more: Partial<Action>): string | undefined =>
  spaceMarkdown(space([action(more)]))
    .split('\n')
    .find(text => text.startsWith('- '));

describe('spaceMarkdown(): a line', () => {
  test.each([
    [{}, '- B1 button "Save"'],
    [
      { disabled: true, status: 'excluded' as const, description: 'button "Save", disabled' },
      '- B1 button "Save", disabled',
    ],
    [{ status: 'covered' as const }, '- B1 button "Save" (covered)'],
    [{ description: 'button "Delete", in "Ann"' }, '- B1 button "Delete", in "Ann"'],
    [{ description: 'icon "trash", third of 4' }, '- B1 icon "trash", third of 4'],
    [{ description: 'button "two\n  lines"' }, '- B1 button "two lines"'],
  ])('of %j is %s', (more, text) => {
    expect(line(more)).toBe(text);
  });

  test('of a select lists its values', () => {
    const params = [{ name: 'value', type: 'option' as const, default: null, values: ['S', 'M'] }];
    expect(line({ id: 'I1', description: 'combobox "Size", value "M"', params })).toBe(
      '- I1 combobox "Size", value "M" ("S"|"M")',
    );
  });
});

test('spaceMarkdown() omits the values of a checkbox and marks a file field', () => {
  const tick = [{ name: 'value', type: 'boolean' as const, default: null, values: ['true', 'false'] }];
  const file = [{ name: 'value', type: 'file' as const, default: null, values: null }];
  expect(line({ id: 'I1', description: 'checkbox "Agree"', params: tick })).toBe('- I1 checkbox "Agree"');
  expect(line({ id: 'I1', description: 'file field "Picture"', params: file })).toBe(
    '- I1 file field "Picture" (takes a file)',
  );
});

test('spaceMarkdown() writes each category once, above its actions', () => {
  const text = spaceMarkdown(
    space([
      action({ id: 'L1', category: 'Navigation' }),
      action({ id: 'B1' }),
      action({ id: 'L2', category: 'Navigation' }),
    ]),
  );
  expect(text.split('\n').slice(0, 7)).toEqual([
    '# A page titled "Shop". (item)',
    '"…" quotes the page.',
    '## Navigation',
    '- L1 button "Save"',
    '- L2 button "Save"',
    '## Main',
    '- B1 button "Save"',
  ]);
});

test('spaceMarkdown() writes special actions and browser actions in one line each', () => {
  const now = { scrollableDown: 0, scrollableUp: 0, tabs: [], fileChooser: null, dialog: 'prompt' as const };
  const text = spaceMarkdown(
    space([], {
      browserActions: browserActions(now),
      dialog: { kind: 'prompt', message: 'Your name?', defaultValue: null },
    }),
  );
  expect(text).toContain('\nOpen prompt: "Your name?"');
  expect(text).toContain('\nSpecial: S1 goto(url); S2 scrape; S3 screenshot; ');
  expect(text).toContain('\nBrowser: S14 accept dialog(text); S15 dismiss dialog');
});

test('spaceMarkdown() states the number of omitted actions', () => {
  expect(spaceMarkdown(space([action({})], { totalActions: 41, truncated: true }))).toContain('\n… 40 more');
});

describe('spaceMarkdown() with maxTokens', () => {
  const many = space(
    Array.from({ length: 200 }, (_, index) => action({ id: `B${index + 1}`, name: `Row ${index}` })),
  );

  test.each([100, 200, 1_000])('%i limits the text and states the number of omitted actions', maxTokens => {
    const text = spaceMarkdown(many, maxTokens);
    expect(text.length).toBeLessThanOrEqual(maxTokens * 3.5);
    const listed = text.match(/^- /gm)?.length ?? 0;
    expect(listed).toBeLessThan(200);
    expect(text).toContain(`… ${200 - listed} more`);
  });

  test('that is large enough omits nothing', () => {
    expect(spaceMarkdown(many, 100_000)).toBe(spaceMarkdown(many));
  });
});

test('spaceMarkdown() writes what the page says below the head', () => {
  const text = spaceMarkdown(
    space([action({})], {
      messages: [
        { kind: 'alert', text: 'Wrong "password".', action: null, isNew: true },
        { kind: 'validation', text: 'Enter a name.', action: 'I1', isNew: false },
      ],
    }),
  );
  expect(text.split('\n').slice(2, 5)).toEqual([
    `! alert "Wrong 'password'."`,
    '! validation I1 "Enter a name."',
    '## Main',
  ]);
});

describe('the grammar of spaceMarkdown()', () => {
  const text = hostileText(8);
  const quoted = text.map(quote);
  const hostileAction = fc
    .record({
      kind: fc.constantFrom('link' as const, 'button' as const, 'input' as const),
      name: text,
      description: fc.tuple(fc.constantFrom('button', 'date field', 'clickable red circle'), quoted, quoted),
      category: fc.tuple(fc.constantFrom('Form', 'Section', 'Frame'), quoted),
      status: fc.constantFrom('valid' as const, 'covered' as const, 'clipped' as const),
      values: fc.option(fc.array(text, { maxLength: 4 }), { nil: null }),
      isFile: fc.boolean(),
    })
    .map(({ name, description: [noun, title, place], category, values, isFile, ...fields }) => ({
      ...fields,
      name,
      description: `${noun} ${title}, value ${place}, in ${place}`,
      category: category.join(' '),
      params: [
        { name: 'value', type: isFile ? ('file' as const) : ('option' as const), default: null, values },
      ],
    }));
  const hostileSpace = fc.record({
    actions: fc.array(hostileAction, { maxLength: 12 }),
    title: text,
    dialog: fc.option(text, { nil: null }),
    messages: fc.array(
      fc.record({
        kind: fc.constantFrom('alert' as const, 'validation' as const, 'appeared' as const),
        text,
        action: fc.constantFrom('I1', null),
        isNew: fc.constant(true),
      }),
      { maxLength: 4 },
    ),
  });

  test('lets a parser read back exactly the actions, from every page', () => {
    fc.assert(
      fc.property(hostileSpace, ({ actions, title, dialog, messages }) => {
        const listed = actions.map((fields, index) =>
          action({ ...fields, id: `${{ link: 'L', button: 'B', input: 'I' }[fields.kind]}${index + 1}` }),
        );
        const parsed = parseSpaceMarkdown(
          spaceMarkdown(
            space(listed, {
              description: `A page titled ${quote(title)}.`,
              dialog: dialog === null ? null : { kind: 'alert', message: dialog, defaultValue: null },
              messages,
            }),
          ),
        );
        const inOrder = [...Map.groupBy(listed, ({ category }) => category).values()].flat();
        expect(parsed.actions).toEqual(
          inOrder.map(({ id, category, description, status, params: [param] }) => ({
            id,
            category,
            description,
            status: status === 'valid' ? null : status,
            takesFile: param?.type === 'file',
            values: param?.values?.length ? param.values.map(value => quote(value).slice(1, -1)) : null,
          })),
        );
        const unquoted = (words: string): string => quote(words).slice(1, -1);
        expect(parsed.messages).toEqual(
          messages.map(({ kind, action: id, text: words }) => ({ kind, action: id, text: unquoted(words) })),
        );
        expect(parsed.dialog?.message ?? null).toBe(dialog === null ? null : unquoted(dialog));
        expect(parsed.ownWords).not.toContain(PAGE_WORD);
        expect(normalizeText(parsed.ownWords.replaceAll('\n', ' '))).toMatch(/^[ -~·…]*$/);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('spaceMarkdown() folds what is below a dialog into one line', () => {
  const below = ['B2', 'B3'].map(id => action({ id, status: 'covered', layer: 'below' }));
  const text = spaceMarkdown(space([action({ layer: 'top' }), ...below]));
  expect(text.split('\n').slice(2, 5)).toEqual([
    '## Main',
    '- B1 button "Save"',
    '… 2 covered actions below the dialog',
  ]);
  expect(spaceMarkdown(space(below))).toContain('- B2 button "Save" (covered)');
});

test('spaceDiff() counts what a veil covers and uncovers', () => {
  const before = { url: 'x', messages: [], actions: ['B1', 'B2', 'B3'].map(id => action({ id })) };
  const veiled = before.actions.map(one => ({ ...one, status: 'covered' as const, layer: 'below' as const }));
  const now = {
    url: 'x',
    messages: [],
    actions: [...veiled.slice(0, 2), action({ id: 'B3', checked: true })],
  };
  const there = spaceDiff(before, now);
  expect(there).toMatchObject({ added: [], removed: [], changed: [{ id: 'B3' }], covered: 2 });
  expect(diffMarkdown(there)).toBe('~ B3 button "Save"\n~ 2 actions covered');
  expect(diffMarkdown(spaceDiff(now, before))).toBe('~ B3 button "Save"\n~ 2 actions no longer covered');
});
