import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import { limitActions } from '../../src/domain/space.ts';
import { browserActions, SPECIAL_ACTIONS } from '../../src/domain/specialActions.ts';

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

  it('can cut within a category at max_nb_actions', () => {
    expect(ids(limitActions(page, { max: 3, min: 3 }))).toBe('L1 L2 B1');
  });
});

describe('browserActions()', () => {
  const still = { scrollableDown: 0, scrollableUp: 0, tabs: [], dialog: null, hasElements: false };
  const now = (change: Partial<Parameters<typeof browserActions>[0]>) =>
    ids(browserActions({ ...still, ...change }));

  it('always include press key', () => expect(now({})).toBe('S11'));
  it('include scrolling only if there is something to scroll to', () => {
    expect(now({ scrollableDown: 10 })).toBe('S9 S11');
    expect(now({ scrollableUp: 10 })).toBe('S10 S11');
  });
  it('include switch tab and close tab if there are two tabs', () => {
    const tabs = [
      { id: 'T1', title: '', active: true },
      { id: 'T2', title: '', active: false },
    ];
    expect(now({ tabs })).toBe('S11 S12 S13');
  });
  it('include hover and drag if there are elements', () =>
    expect(now({ hasElements: true })).toBe('S11 S16 S17'));
  it('include only the dialog actions while a dialog is open', () => {
    expect(now({ dialog: 'confirm', scrollableDown: 10, hasElements: true })).toBe('S14 S15');
  });
});

it('SPECIAL_ACTIONS has eight actions, S1 to S8', () => {
  expect(ids(SPECIAL_ACTIONS)).toBe('S1 S2 S3 S4 S5 S6 S7 S8');
});
