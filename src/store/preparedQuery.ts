/** Queries that are built and compiled once and run with other values each time: Kysely takes longer to build most of them than SQLite to run them. */
import type { Compilable, CompiledQuery, Kysely, OperationNodeSource, Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { StoreTransaction, Write } from './sqlEngine.ts';
import type { Tables } from './tables.ts';

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

/** Maximum number of compiled forms of one query: it has one for each set of columns and number of rows. */
const MAX_FORMS = 20;

/** A list of rows, or a row. */
type Values = readonly object[] | object;

/** Stands in a compiled query for the value of a column: of row number `row`, or of the only row. */
class Placeholder {
  readonly column: string;
  readonly row: number | null;

  constructor(column: string, row: number | null) {
    this.column = column;
    this.row = row;
  }
}

/** Returns the parameters of a compiled query with the values in the places of the placeholders. */
function parametersOf(query: CompiledQuery<unknown>, values: Values): readonly unknown[] {
  const parameters: unknown[] = [];
  for (const parameter of query.parameters) {
    if (parameter instanceof Placeholder) {
      const { row, column } = parameter;
      // Safe: the form of the query names the columns and the number of rows.
      const found = (row === null ? values : (values as readonly object[])[row]) as Record<string, unknown>;
      parameters.push(found[column]);
    } else parameters.push(parameter);
  }
  return parameters;
}

/**
 * An adapter whose database answers at once. Kysely's way there, a queue of connections and a promise for each of its layers, takes longer
 * than most queries of SQLite.
 */
export interface DirectRows {
  /**
   * Runs a query. @param isInTransaction true for a query of the open transaction
   * @returns its rows; null if it has to wait for the open transaction of another caller, whose writes it would see
   */
  rowsOf(sql: string, parameters: readonly unknown[], isInTransaction: boolean): readonly unknown[] | null;
}

/** A query that is compiled for each database and each set of columns once. */
export interface PreparedQuery<V extends Values, Row> {
  /** Runs the query. @returns its rows */
  run(db: Kysely<Tables>, values: V): Promise<readonly Row[]>;
  /** Returns the query with values, for `writeAll`. */
  write(trx: StoreTransaction, values: V): Write;
}

/**
 * Prepares a query.
 * @param build builds the query. It may hand the values to the query only, and must not read them: it gets placeholders.
 */
export function prepareQuery<V extends Values, Row>(
  build: (db: Kysely<Tables>, values: V) => Compilable<Row> & OperationNodeSource,
): PreparedQuery<V, Row> {
  const formsByEngine = new WeakMap<object, LRUCache<string, CompiledQuery<Row>>>();
  const compiled = (db: Kysely<Tables>, values: V): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor();
    const forms = formsByEngine.get(adapter) ?? new LRUCache<string, CompiledQuery<Row>>({ max: MAX_FORMS });
    formsByEngine.set(adapter, forms);
    const form = formOf(values);
    const known = forms.get(form);
    if (known !== undefined) return known;
    // Safe: Kysely treats a placeholder as any other value, and the query has not run yet.
    const query = build(db, placeholders(values) as V).compile();
    forms.set(form, query);
    return query;
  };
  const run = async (db: Kysely<Tables>, values: V): Promise<readonly Row[]> => {
    const query = compiled(db, values);
    const parameters = parametersOf(query, values);
    const { adapter } = db.getExecutor();
    const rows =
      'rowsOf' in adapter ? (adapter as DirectRows).rowsOf(query.sql, parameters, db.isTransaction) : null;
    // Safe: the query has the rows of its type, also without Kysely.
    if (rows !== null) return rows as readonly Row[];
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
  return {
    run,
    write: (trx: Transaction<Tables>, values) => ({
      execute: () => run(trx, values),
      toOperationNode: () => build(trx, values).toOperationNode(),
    }),
  };
}

/** Returns the names of the columns, and the number of rows of a list. */
const formOf = (values: Values): string =>
  Array.isArray(values) ? `${values.length} ${namesOf(values[0] ?? {})}` : namesOf(values);

const namesOf = (row: object): string => Object.keys(row).join();

const placeholders = (values: Values): Values =>
  Array.isArray(values) ? values.map(rowOfPlaceholders) : rowOfPlaceholders(values, null);

const rowOfPlaceholders = (row: object, nth: number | null): object =>
  Object.fromEntries(Object.keys(row).map(name => [name, new Placeholder(name, nth)]));
