import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import type { Space } from '../../src/domain/space.ts';
import { spaceMarkdown } from '../../src/domain/spaceMarkdown.ts';
import { browserActions } from '../../src/domain/specialActions.ts';
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
      '- I1 combobox "Size", value "M" (S | M)',
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
  expect(text.split('\n').slice(0, 6)).toEqual([
    '# A page titled "Shop". (item)',
    '## Navigation',
    '- L1 button "Save"',
    '- L2 button "Save"',
    '## Main',
    '- B1 button "Save"',
  ]);
});

test('spaceMarkdown() writes special actions and browser actions in one line each', () => {
  const now = { scrollableDown: 0, scrollableUp: 0, tabs: [], dialog: 'prompt' as const };
  const text = spaceMarkdown(
    space([], {
      browserActions: browserActions(now),
      dialog: { kind: 'prompt', message: 'Your name?', defaultValue: null },
    }),
  );
  expect(text).toContain('\nOpen prompt: "Your name?"');
  expect(text).toContain('\nSpecial: S1 goto(url) · S2 scrape · S3 screenshot · ');
  expect(text).toContain('\nBrowser: S14 accept dialog(text) · S15 dismiss dialog');
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
