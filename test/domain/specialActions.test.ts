import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/space/action.ts';
import {
  browserActions,
  findSpecialAction,
  SPECIAL_ACTIONS,
  specialActionLine,
  specialActionNames,
  specialActionRange,
  specialActionTable,
  stepValueDescription,
} from '../../src/domain/specialActions/specialActions.ts';

const ids = (actions: readonly Action[]) => actions.map(one => one.id).join(' ');

describe('browserActions', () => {
  const nothing = { scrollableDown: 0, scrollableUp: 0, tabs: [], fileChooser: null, dialog: null };
  const listed = (change: Partial<Parameters<typeof browserActions>[0]>) =>
    browserActions({ ...nothing, ...change });

  const always = 'S11 S16 S17 S18 S19 S20 S21 S22 S23 S24';

  it('has keys, gestures and typing in every state without a dialog, also on a page without elements', () =>
    expect(ids(listed({}))).toBe(always));

  it('has scrolling only if there is something to scroll to', () => {
    expect(ids(listed({ scrollableDown: 10 }))).toBe(`S9 ${always}`);
    expect(ids(listed({ scrollableUp: 10 }))).toBe(`S10 ${always}`);
  });

  it('has switch tab, with the tabs as values, and close tab if there are two tabs', () => {
    const tabs = [
      { id: 'T1', title: '', active: true },
      { id: 'T2', title: '', active: false },
    ];
    expect(ids(listed({ tabs }))).toBe(always.replace('S11', 'S11 S12 S13'));
    expect(listed({ tabs })[1]?.params[0]?.values).toEqual(['T1', 'T2']);
  });

  it('has choose files only while a file chooser is open', () => {
    expect(ids(listed({ fileChooser: 'one' }))).toBe(`${always} S25`);
    expect(listed({ fileChooser: 'several' }).at(-1)?.description).toContain('uploaded files');
  });

  it('has only the dialog actions, with the kind of the dialog, while a dialog is open', () => {
    const actions = listed({ dialog: 'confirm', scrollableDown: 10 });
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
      'S9 to S25',
      'S1 to S25',
    ]);
  });

  it('specialActionNames gives the names of a kind', () => {
    expect(specialActionNames('special')).toMatch(/^goto, scrape, .*, terminate$/);
  });

  it('stepValueDescription gives the grammar of each value', () => {
    const text = stepValueDescription();
    expect(text).toContain('- S1 goto, required: a web address');
    expect(text).toMatch(/- S16 hover, required: .*`B1@5,5`.*`@400,300`.*`Shift\+B1`/);
    expect(text).toMatch(/- S17 drag, .*`U1 -> B2`/);
  });

  it('specialActionLine names actions with the same kind of value together', () => {
    const line = specialActionLine(
      browserActions({ scrollableDown: 9, scrollableUp: 9, tabs: [], fileChooser: null, dialog: null }),
    );
    expect(line).toMatch(/^S9 scroll down, S10 scroll up\(pixels or id\); S11 key, S23 type, S24 wait for; /);
    expect(line).toContain('; S16 hover, S18 dblclick, S19 right click, S20 hold, ');
    expect(line).toContain('S21 click, S22 wheel(id or @x,y); S17 drag(from->to)');
    expect(line.length).toBeLessThan(220);
  });

  it('specialActionTable has a row for each id', () => {
    const rows = specialActionTable().split('\n');
    expect(rows).toHaveLength(2 + 25);
    expect(rows).toContain('| S15 | Dismiss the open dialog | a dialog is open |  |');
  });
});
