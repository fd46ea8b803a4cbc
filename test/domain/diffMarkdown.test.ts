import { describe, expect, test } from 'vitest';
import { spaceDiff } from '../../src/domain/spaceDiff.ts';
import { diffMarkdown } from '../../src/domain/spaceMarkdown.ts';
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
    expect(text).toMatch(/^~ I123 \S.*(["…]|checked)$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(150);
  });
});
