import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import {
  browserActions,
  findSpecialAction,
  requiredSpecialValues,
  SPECIAL_ACTIONS,
  specialActionNames,
  specialActionRange,
  specialActionTable,
} from '../../src/domain/specialActions.ts';

const ids = (actions: readonly Action[]) => actions.map(one => one.id).join(' ');

describe('browserActions', () => {
  const nothing = { scrollableDown: 0, scrollableUp: 0, tabs: [], dialog: null, hasElements: false };
  const listed = (change: Partial<Parameters<typeof browserActions>[0]>) =>
    browserActions({ ...nothing, ...change });

  it('has press key in every state without a dialog', () => expect(ids(listed({}))).toBe('S11'));

  it('has scrolling only if there is something to scroll to', () => {
    expect(ids(listed({ scrollableDown: 10 }))).toBe('S9 S11');
    expect(ids(listed({ scrollableUp: 10 }))).toBe('S10 S11');
  });

  it('has switch tab, with the tabs as values, and close tab if there are two tabs', () => {
    const tabs = [
      { id: 'T1', title: '', active: true },
      { id: 'T2', title: '', active: false },
    ];
    expect(ids(listed({ tabs }))).toBe('S11 S12 S13');
    expect(listed({ tabs })[1]?.params[0]?.values).toEqual(['T1', 'T2']);
  });

  it('has hover and drag if there are elements', () => {
    expect(ids(listed({ hasElements: true }))).toBe('S11 S16 S17');
  });

  it('has only the dialog actions, with the kind of the dialog, while a dialog is open', () => {
    const actions = listed({ dialog: 'confirm', scrollableDown: 10, hasElements: true });
    expect(ids(actions)).toBe('S14 S15');
    expect(actions[0]?.description).toBe('Accept the open confirm dialog');
  });

  it('has a text parameter only for a prompt', () => {
    expect(listed({ dialog: 'prompt' })[0]?.params[0]?.name).toBe('text');
    expect(listed({ dialog: 'alert' })[0]?.params).toEqual([]);
  });
});

it('SPECIAL_ACTIONS are S1 to S8', () => {
  expect(ids(SPECIAL_ACTIONS)).toBe('S1 S2 S3 S4 S5 S6 S7 S8');
});

describe('findSpecialAction', () => {
  it('returns the definition of an id', () => {
    expect(findSpecialAction('S13')).toMatchObject({ name: 'close tab', leavesPage: true });
  });

  it.each(['S0', 'S99', 'B1', 'toString'])('returns null for %s', id => {
    expect(findSpecialAction(id)).toBeNull();
  });
});

describe('the texts about special actions', () => {
  it('specialActionRange gives the first and the last id', () => {
    expect([specialActionRange('special'), specialActionRange('browser'), specialActionRange()]).toEqual([
      'S1 to S8',
      'S9 to S17',
      'S1 to S17',
    ]);
  });

  it('specialActionNames gives the names of a kind', () => {
    expect(specialActionNames('special')).toMatch(/^goto, scrape, .*, terminate$/);
  });

  it('requiredSpecialValues gives what each id requires', () => {
    expect(requiredSpecialValues()).toMatch(/^S1: a web address; S7: a number of seconds; S11: /);
  });

  it('specialActionTable has a row for each id', () => {
    const rows = specialActionTable().split('\n');
    expect(rows).toHaveLength(2 + 17);
    expect(rows).toContain('| S15 | Dismiss the open dialog | a dialog is open |  |');
  });
});
