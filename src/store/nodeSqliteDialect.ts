/** Kysely on node:sqlite. Kysely's own dialect expects better-sqlite3's shape; this gives it that shape. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { toStorageFull } from './toStorageFull.ts';

/** Statements kept prepared. The service has about thirty; lists of ids make more, one a length. */
const MAX_PREPARED_STATEMENTS = 200;

/** SQLite rolls back DDL with its transaction; Kysely says otherwise only because other drivers' users relied on it. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A dialect over an open database. Statements stay prepared; `destroy()` of the Kysely instance closes the database. */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(database: DatabaseSync) {
    super({ database: cachingDatabase(database) });
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

function cachingDatabase(database: DatabaseSync): SqliteDatabase {
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
        sql === ROLLBACK ? rollbackStatement(database) : toKyselyStatement(database.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    },
  };
}

/** As Kysely's driver writes it. */
const ROLLBACK = 'rollback';

/**
 * SQLite rolls a transaction back by itself when the disk is full, and then refuses to do it again: Kysely would tell of that
 * instead of the disk.
 */
function rollbackStatement(database: DatabaseSync): SqliteStatement {
  const statement = toKyselyStatement(database.prepare(ROLLBACK));
  return {
    ...statement,
    run: parameters =>
      database.isTransaction ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 },
  };
}

function toKyselyStatement(statement: StatementSync): SqliteStatement {
  // Sound: the tables hold only text, numbers and null, and Kysely hands on what the queries were given.
  const inputs = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: parameters => translateErrors(() => statement.all(...inputs(parameters))),
    run: parameters => translateErrors(() => statement.run(...inputs(parameters))),
    iterate: parameters => statement.iterate(...inputs(parameters)),
  };
}

/** @throws Failure STORAGE_FULL; any other error as SQLite threw it */
function translateErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toStorageFull(error);
  }
}
