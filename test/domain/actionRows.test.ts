import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/space/action.ts';
import { spaceMarkdown } from '../../src/domain/space/spaceMarkdown.ts';
import { actionOf } from './actionOf.ts';
import { spaceOf } from './spaceOf.ts';

/** The lines of actions of one section. */
const lines = (...actions: readonly Action[]): string[] =>
  spaceMarkdown(spaceOf(actions)).split('\n').slice(3, -1);

describe('spaceMarkdown(): rows', () => {
  const inRow = (id: string, name: string, row: string) =>
    actionOf({ id, description: `button "${name}", in "${row}"` });

  test('the title of a row stands once above its actions', () => {
    expect(lines(inRow('B1', 'Edit', 'Ann'), inRow('B2', 'Delete', 'Ann'))).toEqual([
      'in "Ann":',
      ' B1 "Edit"',
      ' B2 "Delete"',
    ]);
  });

  test('an action that has the title as its name stands above the others', () => {
    const name = actionOf({ id: 'L1', kind: 'link', description: 'link "Ann"' });
    expect(lines(name, inRow('B1', 'Edit', 'Ann'), inRow('B2', 'Delete', 'Ann'))).toEqual([
      'L1 "Ann"',
      ' B1 "Edit"',
      ' B2 "Delete"',
    ]);
  });

  test('texts of one box, each without its own action, are one row', () => {
    const row = (id: number, person: string) => [
      inRow(`B${id}`, 'Email', `${person} Twitter`),
      inRow(`B${id + 1}`, 'Twitter', `${person} Email`),
    ];
    expect(lines(...row(1, 'Ann'), ...row(3, 'Bob'))).toEqual([
      'in "Ann Twitter":',
      ' B1 "Email"',
      ' B2 "Twitter"',
      '= B3 B4 in "Bob Twitter"',
    ]);
    expect(lines(inRow('B1', 'Email', 'Ann Twitter'), inRow('B2', 'Twitter', 'Bob Email'))).toEqual([
      'B1 "Email", in "Ann Twitter"',
      'B2 "Twitter", in "Bob Email"',
    ]);
  });

  test('rows like the row above are one line with their ids', () => {
    const rows = ['Ann', 'Bob', 'Cem'].flatMap((row, index) => [
      inRow(`B${index * 3 + 1}`, 'Edit', row),
      inRow(`B${index * 3 + 2}`, index === 1 ? 'Restore' : 'Delete', row),
      inRow(`B${index * 3 + 3}`, 'Move', row),
    ]);
    expect(lines(...rows)).toEqual([
      'in "Ann":',
      ' B1–B3 "Edit" "Delete" "Move"',
      '= B4 B5 "Restore" B6 in "Bob"',
      '= B7 B8 "Delete" B9 in "Cem"',
    ]);
    const alike = ['Ann', 'Bob'].map((row, index) => inRow(`B${index + 1}`, 'Edit', row));
    expect(lines(...alike)).toEqual(['B1 "Edit", in "Ann"', '= B2 in "Bob"']);
  });

  test('actions that differ in their place only are one line', () => {
    const all = [1, 2, 3].map(nth =>
      actionOf({ id: `B${nth}`, description: `button "Delete", ${nth}th of 3` }),
    );
    expect(lines(...all)).toEqual(['B1–B3 "Delete"']);
    expect(lines(...all.slice(0, 2))).toEqual(['B1–B2 "Delete"']);
  });

  test('the title of a section is no context, and an action with that name stands in its place', () => {
    const section = { category: 'Section "News of May"' };
    const link = { id: 'L1', kind: 'link' as const, description: 'link "News of May"', ...section };
    const text = spaceMarkdown(
      spaceOf([actionOf(link), { ...inRow('B1', 'Share', 'News of…'), ...section }]),
    );
    expect(text.split('\n').slice(2, 4)).toEqual(['## L1 "News of May"', 'B1 "Share"']);
    expect(spaceMarkdown(spaceOf([{ ...inRow('B1', 'Share', 'News of…'), ...section }]))).toContain(
      '\n## "News of May"\nB1 "Share"\n',
    );
  });

  const links = (names: readonly string[], from = 1, more: Partial<Action> = {}) =>
    names.map((name, index) =>
      actionOf({ id: `L${from + index}`, kind: 'link', description: `link "${name}"`, ...more }),
    );
  const MENU = ['Home', 'News', 'Prices', 'About us'];

  test('three to six short names share a line with the range of their ids, with states that hold for each', () => {
    expect(lines(...links(MENU))).toEqual(['L1–L4 "Home" "News" "Prices" "About us"']);
    expect(lines(...links(MENU.slice(0, 2)))).toEqual(['L1 "Home"', 'L2 "News"']);
    expect(lines(...links([...MENU, 'Jobs', 'Team', 'Map']))).toEqual([
      'L1–L6 "Home" "News" "Prices" "About us" "Jobs" "Team"',
      'L7 "Map"',
    ]);
    const tabs = MENU.map((name, index) =>
      actionOf({
        id: `B${index + 1}`,
        description: `tab "${name}", ${index === 0 ? 'selected' : 'disabled'}`,
      }),
    );
    expect(lines(...tabs)).toEqual([
      'B1 tab "Home", selected',
      'B2–B4 tab "News" "Prices" "About us", disabled',
    ]);
  });

  test('actions of different kinds with one name share a line', () => {
    const box = actionOf({ id: 'I1', kind: 'input', description: 'checkbox "Red", not checked' });
    expect(lines(box, ...links(['Red', 'Blue']))).toEqual(['I1 checkbox, L1 "Red"', 'L2 "Blue"']);
  });

  test('actions that repeat at least four above refer to them, in other sections too', () => {
    const footer = { category: 'Footer' };
    const all = [...links(MENU), ...links([...MENU, 'Imprint'], 5, footer)];
    expect(lines(...all).slice(1)).toEqual(['## Footer', 'L5–L8 same as L1–L4', 'L9 "Imprint"']);
    expect(lines(...links(MENU), ...links(MENU.slice(1), 5, footer)).slice(2)).toEqual([
      'L5–L7 "News" "Prices" "About us"',
    ]);
  });

  test('what stands between two actions of a row is in the row, unless the row starts again', () => {
    const [date] = links(['2 May']);
    if (date === undefined) throw new Error('There is no link.');
    expect(lines(inRow('B1', 'Like', 'Ann'), date, inRow('B2', 'Reply', 'Ann'))).toEqual([
      'in "Ann":',
      ' B1 "Like"',
      ' L1 "2 May"',
      ' B2 "Reply"',
    ]);
    expect(lines(inRow('B1', 'Like', 'Ann'), date, inRow('B2', 'Like', 'Ann'))).toEqual([
      'B1 "Like", in "Ann"',
      'L1 "2 May"',
      'B2 "Like", in "Ann"',
    ]);
  });

  test('a link has no context if all links of its name have the same', () => {
    const [first, second] = links(['Profile', 'Profile']).map((link, index) => ({
      ...link,
      description: `link "Profile", in "${index === 0 ? 'Ann' : 'Bob'}"`,
    }));
    if (first === undefined || second === undefined) throw new Error('There are no links.');
    expect(lines(first, second)).toEqual(['L1 "Profile", in "Ann"', '= L2 in "Bob"']);
    expect(lines(first, { ...second, description: first.description })).toEqual(['L1–L2 "Profile"']);
  });

  test('names that begin alike are cut where they can be told apart', () => {
    const start = 'The quarterly report of the northern region';
    expect(lines(...links([`${start}, spring`, `${start}, autumn`]))).toEqual([
      `L1 "${start}, spring"`,
      `L2 "${start}, autumn"`,
    ]);
    expect(lines(...links([`${start}, spring`]))).toEqual(['L1 "The quarterly report of the northern…"']);
  });
});
