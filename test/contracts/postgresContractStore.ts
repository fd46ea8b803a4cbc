/** One PostgreSQL store for a test file: each test gets it empty. */
import { Client } from 'pg';
import {
  type ClusterStore,
  openPostgresStore,
  type PostgresStoreOptions,
} from '../../src/store/postgres/postgresStore.ts';
import { createTestDatabase } from '../support/startPostgres.ts';

/** A database with its open store, shared by the tests of a file. */
export interface SharedStore {
  readonly url: string;
  readonly store: ClusterStore;
  /** A connection beside the store. */
  readonly outside: Client;
  /** Removes all rows. */
  empty(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a store on a database of its own. */
export async function openSharedStore(options: PostgresStoreOptions = {}): Promise<SharedStore> {
  const { url } = await createTestDatabase();
  const store = await openPostgresStore(url, options);
  const outside = new Client({ connectionString: url });
  await outside.connect();
  const { rows } = await outside.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not like 'kysely_%' and table_name <> 'database_runs'`,
  );
  // Deleting a few rows is ten times as fast as truncating the tables.
  const names = rows.map(({ name }) => name).filter(name => name !== 'accounts');
  const removal = [...names, 'accounts'].map(name => `delete from ${name}`).join('; ');
  return {
    url,
    store,
    outside,
    async empty() {
      await outside.query(removal);
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await outside.end();
    },
  };
}
