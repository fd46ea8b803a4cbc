import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/space/action.ts';
import { applyListing, filterActions, NO_FILTER } from '../../src/domain/space/actionFilter.ts';
import { diffMarkdown } from '../../src/domain/space/diffMarkdown.ts';
import { spaceDiff } from '../../src/domain/space/spaceDiff.ts';
import { spaceMarkdown } from '../../src/domain/space/spaceMarkdown.ts';
import { SPECIAL_ACTIONS } from '../../src/domain/specialActions/specialActions.ts';
import { spaceOf } from './spaceOf.ts';

const special = SPECIAL_ACTIONS[0];
if (special === undefined) throw new Error('there are special actions');
const action = (id: string, change: Partial<Action> = {}): Action => ({
  ...special,
  id,
  kind: id.startsWith('L') ? 'link' : id.startsWith('I') ? 'input' : 'button',
  category: 'Menu',
  description: `Thing ${id}`,
  name: `Thing ${id}`,
  role: 'button',
  ...change,
});
const ids = (actions: readonly Action[]) => actions.map(one => one.id).join(' ');

const page = [
  action('L1'),
  action('B1', { category: 'Form', description: 'Save the DRAFT' }),
  action('I1', { category: 'Form', inViewport: false }),
  action('L2', { inViewport: false }),
];
describe('filterActions()', () => {
  it.each([
    ['of kinds', { kinds: ['link', 'input'] as const }, 'L1 I1 L2'],
    ['of statuses', { status: ['covered'] as const }, ''],
    ['of categories, whatever their case', { categories: ['form'] }, 'B1 I1'],
    ['by words of the description, whatever their case', { search: 'draft' }, 'B1'],
    ['of what shows', { inViewport: true }, 'L1 B1'],
    ['of what does not show', { inViewport: false }, 'I1 L2'],
    ['of several things at once', { kinds: ['link'] as const, inViewport: false }, 'L2'],
    ['of nothing', {}, 'L1 B1 I1 L2'],
  ])('%s', (_what, filter, expected) => {
    expect(ids(filterActions(page, { ...NO_FILTER, ...filter }))).toBe(expected);
  });
});

describe('applyListing()', () => {
  const all = { max: 100, min: null, filter: NO_FILTER, maxTokens: null };

  it('filters before it applies the limits', () => {
    const listed = applyListing(spaceOf(page), {
      ...all,
      max: 1,
      filter: { ...NO_FILTER, kinds: ['input'] },
    });
    expect([ids(listed.actions), listed.truncated, listed.totalActions]).toEqual(['I1', false, 4]);
  });

  it('sets truncated if a limit cut the list', () => {
    expect(applyListing(spaceOf(page), { ...all, max: 2 }).truncated).toBe(true);
  });

  it('keeps the actions and their Markdown within maxTokens', () => {
    const many = spaceOf(Array.from({ length: 500 }, (_, nth) => action(`B${nth + 1}`)));
    const listed = applyListing(many, { ...all, max: 1_000, maxTokens: 300 });
    expect(listed.truncated).toBe(true);
    expect(listed.actions.length).toBeGreaterThan(10);
    const text = spaceMarkdown(listed);
    expect(text.length).toBeLessThan(300 * 4);
    expect(text).toContain(`… ${500 - listed.actions.length} more`);
  });

  it('keeps within maxTokens what is fixed or in the window, wherever it stands in the list', () => {
    const rows = Array.from({ length: 200 }, (_, nth) => action(`B${nth + 1}`, { inViewport: nth >= 190 }));
    const bar = action('B999', { layer: 'fixed' });
    const listed = applyListing(spaceOf([...rows, bar]), { ...all, max: 1_000, maxTokens: 150 });
    expect(ids(listed.actions)).toMatch(/^B1 .*B191 .*B200 B999$/);
    expect(spaceMarkdown(listed)).toContain('B999');
  });

  it('keeps with the text between the actions those that are fixed, and the text before them, and tells what it cut', () => {
    const rows = Array.from({ length: 40 }, (_, nth) => action(`B${nth + 1}`));
    const textBlocks = [...rows, { id: 'B99' }].map(({ id }) => ({
      kind: 'text' as const,
      text: `About ${id}, in some words`,
      before: id,
    }));
    const space = { ...spaceOf([...rows, action('B99', { layer: 'fixed' })]), textBlocks };
    const listed = applyListing(space, { ...all, max: 1_000, text: true, maxTokens: 200 });
    expect(listed.truncated).toBe(true);
    expect(listed.textBlocks?.at(-1)).toMatchObject({ text: 'About B99, in some words', before: 'B99' });
    expect(spaceMarkdown(listed)).toMatch(/About B99.*"\nB99 .*\n… \d+ more and \d+ texts/);
  });

  it('keeps the line about what is below a dialog, also where a limit cuts the list of the dialog', () => {
    const rows = Array.from({ length: 50 }, (_, nth) => action(`B${nth + 1}`, { layer: 'top' }));
    const below = Array.from({ length: 30 }, (_, nth) => action(`L${nth + 1}`, { layer: 'below' }));
    for (const limits of [{ max: 20 }, { maxTokens: 150 }]) {
      const listed = applyListing(spaceOf([...below, ...rows]), { ...all, max: 1_000, ...limits });
      expect(spaceMarkdown(listed)).toContain(
        `… 30 covered actions below the dialog\n… ${50 - listed.actions.length} more`,
      );
    }
  });
});

describe('spaceDiff()', () => {
  const url = 'https://site.example/';
  const diff = (before: readonly Action[], now: readonly Action[], address = url) =>
    spaceDiff({ url, actions: before, messages: [] }, { url: address, actions: now, messages: [] });

  it('returns added, removed and changed actions', () => {
    const now = [action('L1'), action('I1', { category: 'Form', value: 'Ada' }), action('B9')];
    const found = diff(page, now);
    expect([ids(found.added), ids(found.removed), ids(found.changed)]).toEqual(['B9', 'B1 L2', 'I1']);
  });

  it('is empty without changes', () => {
    expect(diff(page, page)).toEqual({ added: [], removed: [], changed: [], messages: [] });
  });

  it('ignores the position of an element', () => {
    const moved = { x: 1, y: 2, width: 3, height: 4 };
    expect(diff([action('B1')], [action('B1', { bounds: moved, inViewport: false })]).changed).toEqual([]);
  });

  it('treats the same id at another address as another element unless the fingerprint is equal', () => {
    const before = [action('L1', { fingerprint: 'home' }), action('L2', { fingerprint: 'a' })];
    const now = [action('L1', { fingerprint: 'home' }), action('L2', { fingerprint: 'b' })];
    const found = diff(before, now, `${url}other`);
    expect([ids(found.added), ids(found.removed)]).toEqual(['L2', 'L2']);
    expect(diff(before, now, `${url}#part`).changed.map(one => one.id)).toEqual(['L2']);
  });

  it('is formatted by diffMarkdown() with one line per action', () => {
    const found = diff([action('B1'), action('B2')], [action('B1', { value: 'on' }), action('B3')]);
    expect(diffMarkdown(found)).toBe('+ B3 Thing B3\n~ B1 Thing B1\n- B2');
  });
});
