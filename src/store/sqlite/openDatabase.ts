import { chmodSync } from 'node:fs';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isFailure } from '../../domain/failure/failures.ts';
import { toStorageFull } from '../files/accountFileBytes.ts';
import { keepPrivate } from '../files/dataFolder.ts';
import type { DirectRows } from '../sqlEngine.ts';
import { openConnection } from './connection.ts';

/** Maximum number of prepared statements that are cached. The service has about thirty, and one more for each length of an id list. */
const MAX_PREPARED_STATEMENTS = 200;

/** Runs prepared queries without Kysely's queue, and tells it that transactions can contain DDL, which it denies only for older users. */
class NodeSqliteAdapter extends SqliteAdapter implements DirectRows {
  readonly #database: SqliteDatabase;
  readonly #hasOpenTransaction: () => boolean;

  constructor(database: SqliteDatabase, hasOpenTransaction: () => boolean) {
    super();
    this.#database = database;
    this.#hasOpenTransaction = hasOpenTransaction;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  rowsOf(sql: string, parameters: readonly unknown[], isInTransaction: boolean): readonly unknown[] | null {
    if (!isInTransaction && this.#hasOpenTransaction()) return null;
    const statement = this.#database.prepare(sql);
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  }
}

/** Caches prepared statements. `destroy()` of the Kysely instance closes the database. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #adapter: NodeSqliteAdapter;

  constructor(database: DatabaseSync, onFull: () => void = () => {}) {
    const caching = cachingDatabase(database, onFull);
    super({ database: caching });
    this.#adapter = new NodeSqliteAdapter(caching, () => database.isTransaction);
  }

  override createAdapter(): SqliteAdapter {
    return this.#adapter;
  }
}

function cachingDatabase(database: DatabaseSync, onFull: () => void): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: MAX_PREPARED_STATEMENTS });
  return {
    close() {
      prepared.clear();
      database.close();
    },
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement =
        sql === ROLLBACK ? rollbackStatement(database) : toKyselyStatement(database.prepare(sql), onFull);
      prepared.set(sql, statement);
      return statement;
    },
  };
}

/** The statement text that Kysely's driver sends for a rollback. */
const ROLLBACK = 'rollback';

/** Does nothing if no transaction is open: on a full disk SQLite rolls back by itself, and the error of a second rollback would hide the full disk. */
function rollbackStatement(database: DatabaseSync): SqliteStatement {
  const statement = toKyselyStatement(database.prepare(ROLLBACK), () => {});
  return {
    ...statement,
    run: parameters =>
      database.isTransaction ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 },
  };
}

function toKyselyStatement(statement: StatementSync, onFull: () => void): SqliteStatement {
  // Safe: the tables contain only text, numbers and null, and Kysely passes on the parameters of the queries.
  const inputs = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: parameters => translateErrors(() => statement.all(...inputs(parameters)), onFull),
    run: parameters => translateErrors(() => statement.run(...inputs(parameters)), onFull),
    iterate: parameters => statement.iterate(...inputs(parameters)),
  };
}

/** @throws Failure STORAGE_FULL for an error about a full disk, after a call of `onFull`; any other error unchanged */
function translateErrors<Result>(work: () => Result, onFull: () => void): Result {
  try {
    return work();
  } catch (error) {
    const translated = toStorageFull(error);
    if (isFailure(translated, 'STORAGE_FULL')) onFull();
    throw translated;
  }
}

/** Opens an SQLite file, and creates it if it is missing. @throws Error if it is not a database or not writable */
export function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') keepPrivate(path);
  return openConnection(path);
}

/** One step: with smaller ones, the copy would begin again after each write of the service. SQLite counts pages of 4 kB. */
const ALL_PAGES = 2_147_483_647;

/** Copies the database as it is at one moment to `target`, which only its owner can read. Writers go on. @throws Error also if the copy is damaged */
export async function backupDatabase(source: string, target: string): Promise<void> {
  const from = new DatabaseSync(source, { readOnly: true });
  try {
    await backup(from, target, { rate: ALL_PAGES });
  } finally {
    from.close();
  }
  chmodSync(target, 0o600);
  const copy = new DatabaseSync(target, { readOnly: true });
  try {
    const { integrity_check: result } = copy.prepare('pragma integrity_check').get() ?? {};
    if (result !== 'ok') throw new Error(`The copy of ${source} is damaged: ${String(result)}`);
  } finally {
    copy.close();
  }
}
