import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/space/action.ts';
import { limitActions } from '../../src/domain/space/space.ts';
import { SPECIAL_ACTIONS } from '../../src/domain/specialActions/specialActions.ts';

const special = SPECIAL_ACTIONS[0];
if (special === undefined) throw new Error('there are special actions');
const action = (id: string, category: string): Action => ({ ...special, id, category });
const ids = (actions: readonly Action[]) => actions.map(one => one.id).join(' ');

const page = [
  action('L1', 'Menu'),
  action('B1', 'Form'),
  action('L2', 'Menu'),
  action('I1', 'Form'),
  action('L3', 'Footer'),
];

describe('limitActions()', () => {
  it('groups by category, in the order of the first action of each group', () => {
    expect(ids(limitActions(page, { max: 100, min: null }))).toBe('L1 L2 B1 I1 L3');
  });

  it('returns at most max_nb_actions', () => {
    expect(ids(limitActions(page, { max: 3, min: null }))).toBe('L1 L2 B1');
  });

  it('stops after the category in which min_nb_actions is reached', () => {
    expect(ids(limitActions(page, { max: 100, min: 1 }))).toBe('L1 L2');
    expect(ids(limitActions(page, { max: 100, min: 2 }))).toBe('L1 L2');
    expect(ids(limitActions(page, { max: 100, min: 3 }))).toBe('L1 L2 B1 I1');
  });

  it('lists a dialog first and what is below it last', () => {
    const covered = page.map(one => ({ ...one, status: 'covered' as const, layer: 'below' as const }));
    const dialog = { ...action('B9', 'Form'), layer: 'top' as const };
    expect(ids(limitActions([...covered, dialog], { max: 100, min: null }))).toBe('B9 L1 L2 B1 I1 L3');
    expect(ids(limitActions([...covered, dialog], { max: 2, min: null }))).toBe('B9 L1');
    expect(ids(limitActions([...covered, dialog], { max: 100, min: 1 }))).toBe('B9');
  });

  it('cuts what is fixed in the window after the rest', () => {
    const banner = { ...action('B9', 'Consent'), layer: 'fixed' as const };
    expect(ids(limitActions([...page, banner], { max: 3, min: null }))).toBe('L1 L2 B9');
  });

  it('can cut within a category at max_nb_actions', () => {
    expect(ids(limitActions(page, { max: 3, min: 3 }))).toBe('L1 L2 B1');
  });
});
