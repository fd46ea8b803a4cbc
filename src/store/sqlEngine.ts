/** The differences between the SQL engines of the store: transactions, locks, and the functions without a common name. */
import {
  type Kysely,
  type OperationNodeSource,
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely';
import type { NodeEpoch } from '../domain/ports/nodeRegistry.ts';
import type { Tables } from './tables.ts';

/** A transaction of the store. */
export type StoreTransaction = Transaction<Tables>;

/** A database with its way to run transactions. */
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

/**
 * Runs statements that write to different tables and do not need each other's rows: on PostgreSQL in one round trip, as
 * one statement.
 */
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

/** Returns the condition that the column contains the text, byte by byte. */
export const containsText = (db: Kysely<Tables>, column: string, text: string): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql<boolean>`strpos(${sql.ref(column)}, ${text}) > 0`
    : sql<boolean>`instr(${sql.ref(column)}, ${text}) > 0`;

/** As `containsText`, with the column in lower case. */
export const containsLowerText = (db: Kysely<Tables>, column: string, text: string): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql<boolean>`strpos(lower(${sql.ref(column)}), ${text}) > 0`
    : sql<boolean>`instr(lower(${sql.ref(column)}), ${text}) > 0`;

/**
 * Returns the text of a field of a JSON column, for fields with plain words. PostgreSQL cannot unescape a whole document
 * that contains the character 0, so the field keeps its quotes there until they are trimmed.
 */
export const jsonWord = (db: Kysely<Tables>, column: string, field: string): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`trim(both '"' from (${sql.ref(column)}::json -> ${sql.lit(field)})::text)`
    : sql<string>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`;
