/** The differences between the SQL engines of the store: transactions, locks, and the functions without a common name. */
import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type OperationNodeSource,
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { NodeEpoch } from '../domain/ports/nodes.ts';
import type { Tables } from './tables.ts';

export type StoreTransaction = Transaction<Tables>;

export interface SqlEngine {
  readonly db: Kysely<Tables>;
  /** Runs `work` in a transaction. `work` runs again if the transaction had to be rolled back because of another one, or of a lost connection. */
  transact<Result>(work: (trx: StoreTransaction) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in a transaction that only a live node can commit: the epoch of this node cannot end before the commit.
   * On one machine, and for the commands of the command line, `owner` is null.
   * @param accountId the account whose rows `work` writes: its transactions leave connections to those of other accounts
   * @throws Failure DEPENDENCY_UNAVAILABLE if the epoch has ended; nothing is written
   */
  transactAsNode<Result>(
    work: (trx: StoreTransaction, owner: NodeEpoch | null) => Promise<Result>,
    accountId?: string,
  ): Promise<Result>;
  /** Waits until no other transaction holds the lock of this name, and holds it until the end of the transaction. */
  lock(trx: StoreTransaction, name: string): Promise<void>;
}

/** Creates the engine of SQLite, whose only writer needs no locks. */
export const sqliteEngine = (db: Kysely<Tables>): SqlEngine => ({
  db,
  transact: work => db.transaction().execute(work),
  transactAsNode: work => db.transaction().execute(trx => work(trx, null)),
  lock: async () => {},
});

/** Returns the engine whose work is a part of a transaction that runs. */
export const within = (engine: SqlEngine, trx: StoreTransaction): SqlEngine => ({
  ...engine,
  db: trx,
  transact: work => work(trx),
});

/** A statement that writes to one table. */
export interface Write extends OperationNodeSource {
  execute(): Promise<unknown>;
}

/** For statements that do not need each other's rows: on PostgreSQL one statement in one round trip. */
export async function writeAll(trx: StoreTransaction, writes: readonly Write[]): Promise<void> {
  if (!isPostgres(trx) || writes.length < 2) {
    for (const write of writes) await write.execute();
    return;
  }
  const named = writes.map((write, i) => sql`${sql.ref(`write_${i}`)} as (${write})`);
  await sql`with ${sql.join(named)} select`.execute(trx);
}

/** True if the database is PostgreSQL. */
export const isPostgres = (db: QueryExecutorProvider): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/** Returns the condition that a column, or another expression, contains the text, byte by byte. */
export const containsText = (
  db: Kysely<Tables>,
  within: RawBuilder<unknown>,
  text: string,
): RawBuilder<boolean> =>
  sql<boolean>`${sql.raw(isPostgres(db) ? 'strpos' : 'instr')}(${within}, ${text}) > 0`;

/** A JSON field with plain words. PostgreSQL cannot unescape a document that contains the character 0, so it keeps quotes, which are trimmed. */
export const jsonWord = (db: Kysely<Tables>, column: string, field: string): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`trim(both '"' from (${sql.ref(column)}::json -> ${sql.lit(field)})::text)`
    : sql<string>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`;

/** One value per id, in the order of the ids; `otherwise` for an id without a row. @param read gets each id once */
export async function byIds<Row extends { readonly id: string }, Value, Otherwise>(
  ids: readonly string[],
  read: (ids: string[]) => { execute(): Promise<readonly Row[]> },
  toValue: (row: Row) => Value,
  otherwise: Otherwise,
): Promise<readonly (Value | Otherwise)[]> {
  if (ids.length === 0) return [];
  const rows = await read([...new Set(ids)]).execute();
  const found = new Map(rows.map(row => [row.id, toValue(row)]));
  return ids.map(id => found.get(id) ?? otherwise);
}

/** Returns the changes of an upsert that give these columns the values of the row that could not be inserted. */
export const excluded = <Column extends string>(...columns: readonly Column[]) =>
  // Safe: a reference has the type of its column.
  Object.fromEntries(columns.map(column => [column, sql.ref(`excluded.${column}`)])) as Record<
    Column,
    RawBuilder<never>
  >;

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

/** The database answers at once: Kysely's queue of connections and promises takes longer than most queries of SQLite. */
export interface DirectRows {
  /** Null if the query has to wait for the open transaction of another caller, whose writes it would see. */
  rowsOf(sql: string, parameters: readonly unknown[], isInTransaction: boolean): readonly unknown[] | null;
}

/** A query that is compiled for each database and each set of columns once. */
interface PreparedQuery<V extends Values, Row> {
  /** Runs the query. @returns its rows */
  run(db: Kysely<Tables>, values: V): Promise<readonly Row[]>;
  /** Returns the query with values, for `writeAll`. */
  write(trx: StoreTransaction, values: V): Write;
}

/** @param build may hand the values to the query only, and must not read them: it gets placeholders */
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

const formOf = (values: Values): string =>
  Array.isArray(values) ? `${values.length} ${namesOf(values[0] ?? {})}` : namesOf(values);

const namesOf = (row: object): string => Object.keys(row).join();

const placeholders = (values: Values): Values =>
  Array.isArray(values) ? values.map(rowOfPlaceholders) : rowOfPlaceholders(values, null);

const rowOfPlaceholders = (row: object, nth: number | null): object =>
  Object.fromEntries(Object.keys(row).map(name => [name, new Placeholder(name, nth)]));

/** The error of a query after the end of the store. */
export const closedError = (): Error => new Error('The store is closed');
