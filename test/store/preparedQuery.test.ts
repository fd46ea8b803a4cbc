import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { prepareQuery } from '../../src/store/sqlEngine.ts';
import { NodeSqliteDialect } from '../../src/store/sqlite/openDatabase.ts';
import type { Tables } from '../../src/store/tables.ts';

const selectKeys = prepareQuery((db, { id }: { readonly id: string }) =>
  db.selectFrom('session_usage').select('session_id').where('session_id', '=', id),
);
const insertKey = prepareQuery((db, row: { readonly session_id: string }) =>
  db.insertInto('session_usage').values(row as never),
);

describe('prepareQuery() on SQLite', () => {
  it('reads what its own transaction has written, and nothing that another one has not committed', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec('create table session_usage (session_id text)');
    await using db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database) });
    const written = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const transaction = db.transaction().execute(async trx => {
      await insertKey.run(trx, { session_id: 'S' });
      expect(await selectKeys.run(trx, { id: 'S' })).toEqual([{ session_id: 'S' }]);
      written.resolve();
      await end.promise;
      throw new Error('rolled back');
    });
    await written.promise;
    const outside = selectKeys.run(db, { id: 'S' });
    end.resolve();
    await expect(transaction).rejects.toThrow('rolled back');
    expect(await outside).toEqual([]);
  });
});
