/**
 * Answers a batch read: one result for each id, in the order of the ids, null where no row has it.
 * @param idOf the id that a row belongs to
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
