/** Kysely on node:sqlite. Kysely's own dialect expects better-sqlite3's shape; this gives it that shape. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';

/** Statements kept prepared. The service has about thirty; lists of ids make more, one a length. */
const MAX_PREPARED = 200;

/** SQLite rolls back DDL with its transaction; Kysely says otherwise only because other drivers' users relied on it. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A dialect over an open database. Statements stay prepared; `destroy()` of the Kysely instance closes the database. */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(database: DatabaseSync) {
    super({ database: withPreparedStatements(database) });
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

function withPreparedStatements(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close() {
      prepared.clear();
      database.close();
    },
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) {
        prepared.delete(sql);
        prepared.set(sql, known);
        return known;
      }
      const statement = adapted(database.prepare(sql));
      if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value ?? sql);
      prepared.set(sql, statement);
      return statement;
    },
  };
}

function adapted(statement: StatementSync): SqliteStatement {
  // Sound: the tables hold only text, numbers and null, and Kysely hands on what the queries were given.
  const inputs = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...inputs(parameters)),
    run: parameters => statement.run(...inputs(parameters)),
    iterate: parameters => statement.iterate(...inputs(parameters)),
  };
}
