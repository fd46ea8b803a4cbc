import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/space/action.ts';
import { spaceMarkdown } from '../../src/domain/space/spaceMarkdown.ts';
import { actionOf } from './actionOf.ts';
import { spaceOf } from './spaceOf.ts';

/** The lines of actions of one section. */
const lines = (...actions: readonly Action[]): string[] =>
  spaceMarkdown(spaceOf(actions)).split('\n').slice(3, -1);

test('spaceMarkdown() writes the lines of a list of actions once: a page that has not changed has the same list', () => {
  let reads = 0;
  const action = actionOf({ id: 'B1', description: 'button "Save"' });
  const counted = new Proxy(action, {
    get(target, name, receiver) {
      if (name === 'description') reads++;
      return Reflect.get(target, name, receiver);
    },
  });
  const actions = [counted];
  const first = spaceMarkdown(spaceOf(actions));
  const before = reads;
  expect(spaceMarkdown(spaceOf(actions))).toBe(first);
  expect(before).toBeGreaterThan(0);
  expect(reads).toBe(before);
});

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

  test('names that count are written by the first and the last one, up to each round number', () => {
    const options = (names: readonly string[], from: number, more = '') =>
      names.map((name, index) =>
        actionOf({ id: `B${from + index}`, description: `option "${name}"${more}` }),
      );
    const years = Array.from({ length: 26 }, (_, index) => String(1998 + index));
    expect(
      lines(
        ...options(years.slice(0, 20), 1),
        ...options(['2018'], 21, ', selected'),
        ...options(years.slice(21), 22),
      ),
    ).toEqual([
      'B1–B12 option "1998"–"2009"',
      'B13–B20 option "2010"–"2017"',
      'B21 option "2018", selected',
      'B22–B26 option "2019" "2020" "2021" "2022" "2023"',
    ]);
    const minutes = Array.from({ length: 12 }, (_, index) => String(index * 5).padStart(2, '0'));
    expect(lines(...options(minutes, 1)).length).toBe(2);
    const WEEK = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    const days = Array.from({ length: 31 }, (_, index) => `${WEEK[(index + 5) % 7]}, May ${index + 1}, 2026`);
    expect(lines(...options(days, 3))).toEqual([
      'B3–B11 option "Friday, May 1, 2026"–"Saturday, May 9, 2026"',
      'B12–B21 option "Sunday, May 10, 2026"–"Tuesday, May 19, 2026"',
      'B22–B33 option "Wednesday, May 20, 2026"–"Sunday, May 31, 2026"',
    ]);
    const orders = ['A1 Ann', 'A2 Bob', 'A3 Cid', 'A4 Dan', 'A5 Eve', 'A6 Fay', 'A7 Gus', 'A8 Hal'];
    expect(lines(...options(orders, 1))[0]).toBe(
      'B1–B6 option "A1 Ann" "A2 Bob" "A3 Cid" "A4 Dan" "A5 Eve" "A6 Fay"',
    );
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

  test('what stands beside the name of a row is in the row, and the next rows are one line each, with states that differ', () => {
    const row = (from: number, person: string, role: string) => [
      actionOf({ id: `I${from}`, kind: 'input', description: `checkbox, not checked, in "${person}"` }),
      actionOf({ id: `L${from}`, kind: 'link', description: `link "${person}"` }),
      actionOf({
        id: `I${from + 1}`,
        kind: 'input',
        description: `combobox "Role", value "${role}", in "${person}"`,
      }),
      inRow(`B${from}`, 'Edit', person),
      actionOf({ id: `B${from + 1}`, description: `button "Delete ${person}"` }),
    ];
    const rows = [row(1, 'Ann Lee', 'Admin'), row(3, 'Bob Orr', 'Viewer'), row(5, 'Cem Oz', 'Admin')];
    expect(lines(...rows.flat())).toEqual([
      'in "Ann Lee":',
      ' I1 checkbox',
      ' L1 "Ann Lee"',
      ' I2 combobox "Role", value "Admin"',
      ' B1 "Edit"',
      ' B2 "Delete Ann Lee"',
      '= I3 L3 "Bob Orr" I4, value "Viewer" B3 B4',
      '= I5 L5 "Cem Oz" I6, value "Admin" B5 B6',
    ]);
  });

  test('a name that contains the title of the next row begins that row', () => {
    const select = (id: string, name: string) =>
      actionOf({ id, kind: 'input', description: `checkbox "Select ${name}", not checked` });
    const rows = [
      select('I1', 'Chair'),
      inRow('B1', 'Edit', 'Chair'),
      select('I2', 'Chair XL'),
      inRow('B2', 'Edit', 'Chair XL'),
    ];
    expect(lines(...rows)).toEqual([
      'in "Chair":',
      ' I1 checkbox "Select Chair"',
      ' B1 "Edit"',
      '= I2 B2 in "Chair XL"',
    ]);
  });

  test('a box that begins with the name of its first action, or is named by all of its text, is the row of that action', () => {
    const post = (id: string, name: string) => actionOf({ id, description: `clickable "${name}"` });
    expect(lines(post('B1', 'Ann Lee'), inRow('B2', 'Reply', 'Ann Lee 28 May at noon…'))).toEqual([
      'B1 clickable "Ann Lee"',
      ' B2 "Reply"',
    ]);
    expect(
      lines(post('B1', 'New Ann Lee Lunch on Friday'), inRow('B2', 'Archive', 'Ann Lee Lunch on…')),
    ).toEqual(['B1 clickable "New Ann Lee Lunch on Friday"', ' B2 "Archive"']);
  });

  test('a section like the one above is one line, with its title', () => {
    const card = (from: number, name: string, isLink: boolean, more = '') => {
      const category = `Section "${name}"`;
      const link = { id: `L${from}`, kind: 'link' as const, description: `link "${name} ${name}"`, category };
      return [
        ...(isLink ? [actionOf(link)] : []),
        actionOf({ id: `B${from}`, description: `button "Like"${more}`, category }),
        actionOf({ id: `B${from + 1}`, description: 'button "Add to cart"', category }),
      ];
    };
    const shop = [...card(1, 'Blue shirt', true), ...card(3, 'Red shirt', true, ', pressed')];
    expect(spaceMarkdown(spaceOf(shop)).split('\n').slice(2, -1)).toEqual([
      '## L1 "Blue shirt"',
      'B1 "Like"',
      'B2 "Add to cart"',
      '= L3 "Red shirt" B3, pressed B4',
    ]);
    const plain = [...card(1, 'Blue shirt', false), ...card(3, 'Red shirt', false)];
    expect(spaceMarkdown(spaceOf(plain)).split('\n').slice(2, -1)).toEqual([
      '## "Blue shirt"',
      'B1 "Like"',
      'B2 "Add to cart"',
      '= B3 B4 in "Red shirt"',
    ]);
  });

  test('the meaning of a symbol stands once', () => {
    const anchor = (id: string, meaning: string) =>
      actionOf({ id, kind: 'link', description: `link "¶" "${meaning}"` });
    const all = [anchor('L1', 'link here'), actionOf({}), anchor('L2', 'link here'), anchor('L3', 'note')];
    expect(lines(...all)).toEqual(['L1 "¶" "link here"', 'B1 "Save"', 'L2 "¶"', 'L3 "¶" "note"']);
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
