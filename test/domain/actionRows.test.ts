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
    expect(lines(...rows).slice(3)).toEqual([
      ' B3 "Move"',
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
    expect(lines(...all.slice(0, 2))).toEqual(['B1 "Delete"', 'B2 "Delete"']);
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
});
