import { expect, it } from 'vitest';
import type { Action } from '../../src/domain/space/action.ts';
import { suggestionsFirst } from '../../src/domain/space/staleSuggestions.ts';
import { SPECIAL_ACTIONS } from '../../src/domain/specialActions/specialActions.ts';

const special = SPECIAL_ACTIONS[0];
if (special === undefined) throw new Error('there are special actions');
const action = (role: string, name: string): Action => ({
  ...special,
  role,
  name,
  fingerprint: `${role}|${name}`,
});
const names = (actions: readonly Action[]) => actions.map(one => `${one.role} ${one.name}`);

const page = [
  action('link', 'Home'),
  action('button', 'Save draft'),
  action('link', 'Save'),
  action('button', 'Save'),
  action('button', 'Cancel'),
];

it('suggestionsFirst puts the same fingerprint first, then the same name, then names that share words in the same role', () => {
  const meant = { role: 'button', name: 'save', fingerprint: 'button|Save' };
  expect(names(suggestionsFirst(page, meant))).toEqual([
    'button Save',
    'link Save',
    'button Save draft',
    'link Home',
    'button Cancel',
  ]);
});

it('suggestionsFirst keeps the order of the page if no action is similar', () => {
  expect(suggestionsFirst(page, { role: 'checkbox', name: 'Agree', fingerprint: '' })).toEqual(page);
});
