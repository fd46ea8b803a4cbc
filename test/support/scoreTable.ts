/** Prints the quality of texts by page type. */
import { PAGE_TYPES, type PageType } from '../../src/browser/injected/signals/pageTypes.ts';
import type { PageScore } from './contentScore.ts';

/** The score of one page of a type. */
export interface TypedScore {
  readonly type: PageType;
  readonly score: PageScore;
}

const COLUMNS = ['f1', 'precision', 'recall', 'wanted', 'wantedWords', 'unwanted'] as const;

/** Returns a table with one line for all pages and one for each type. */
export function scoreTable(title: string, pages: readonly TypedScore[]): string {
  const line = (name: string, rows: readonly TypedScore[]) =>
    [
      name.padEnd(15),
      String(rows.length).padEnd(6),
      ...COLUMNS.map(column => mean(rows.map(({ score }) => score[column])).padEnd(11)),
    ].join('');
  const head = ['pages', 'F1', 'precision', 'recall', 'wanted in', 'as words', 'unwanted out'];
  return [
    title,
    `${''.padEnd(15)}${head.map((name, at) => name.padEnd(at === 0 ? 6 : 11)).join('')}`,
    line('all', pages),
    ...PAGE_TYPES.map(type =>
      line(
        type,
        pages.filter(page => page.type === type),
      ),
    ),
  ].join('\n');
}

function mean(values: readonly (number | null)[]): string {
  const known = values.filter(value => value !== null);
  return known.length === 0 ? '-' : (known.reduce((sum, one) => sum + one, 0) / known.length).toFixed(3);
}
