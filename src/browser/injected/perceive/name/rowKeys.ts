/** Finds the columns whose texts identify the rows of a table. */
import { getAttribute, localName } from '../../dom/domGetters.ts';
import { type Cell, cellText } from './tableCells.ts';

/** The texts of the sampled rows in one column. */
interface ColumnSample {
  readonly column: number;
  readonly values: readonly string[];
  readonly isRowHeader: boolean;
}

/** Returns the columns that identify a row: the row header, else the first column of words that differ; a second one if needed. */
export function keyColumns(body: readonly (readonly Cell[])[]): readonly number[] {
  const samples = columnSamples(body);
  if (isMonth(columnSamples(body.filter(cells => cells.length > 1)))) return [];
  const best = samples.toSorted((a, b) => keyScore(b) - keyScore(a))[0];
  if (best === undefined || keyScore(best) <= 0) return [];
  if (new Set(best.values).size === best.values.length) return [best.column];
  const second = samples
    .filter(({ column }) => column !== best.column)
    .find(
      ({ values }) =>
        new Set(values.map((value, index) => `${best.values[index]} ${value}`)).size === values.length,
    );
  return second === undefined ? [best.column] : [best.column, second.column];
}

/** Returns true for the weeks of a month: a day does not identify the others of its week. */
const isMonth = (samples: readonly ColumnSample[]): boolean =>
  samples.length >= 7 &&
  samples.length <= 8 &&
  samples
    .slice(-7)
    .every(({ values, isRowHeader }) => !isRowHeader && values.every(value => DAY.test(value)));

/** Matches the text of a day in a calendar: its number, or its whole date. */
const DAY = /^\d{0,2}$|^[\p{L}\s.,\d]*\b\d{1,2}\b[\p{L}\s.,\d]*$/u;

function columnSamples(body: readonly (readonly Cell[])[]): ColumnSample[] {
  const byColumn = new Map<number, { values: string[]; headers: number }>();
  body.forEach((cells, index) => {
    for (const { cell, column } of cells) {
      const known = byColumn.get(column) ?? { values: [], headers: 0 };
      byColumn.set(column, known);
      while (known.values.length < index) known.values.push('');
      known.values.push(cellText(cell));
      if (localName(cell) === 'th' || getAttribute(cell, 'role') === 'rowheader') known.headers++;
    }
  });
  return [...byColumn].map(([column, { values, headers }]) => ({
    column,
    values,
    isRowHeader: headers * 2 > body.length,
  }));
}

/** Rates how well a column identifies rows; at most 0 if it does not. Columns further left win among equals. */
function keyScore({ column, values, isRowHeader }: ColumnSample): number {
  const texts = values.filter(value => value !== '');
  const distinct = new Set(texts).size;
  if (distinct < 2 && !(isRowHeader && distinct > 0)) return 0;
  const words = texts.filter(value => /\p{L}{2}/u.test(value)).length / texts.length;
  return (isRowHeader ? 2 : 0) + distinct / values.length + words - column / 1_000;
}
