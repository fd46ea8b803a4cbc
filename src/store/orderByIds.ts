/**
 * Orders the rows of a batch read. Returns one value per id, in the order of the ids; null for an id without a row.
 * @param rows the rows that were found, in any order
 * @param idOf returns the id of a row
 * @param toValue converts a row to the value to return
 */
export function orderByIds<Row, Value>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
  toValue: (row: Row) => Value,
): readonly (Value | null)[] {
  const byId = new Map(rows.map(row => [idOf(row), toValue(row)]));
  return ids.map(id => byId.get(id) ?? null);
}
