/** Opens the store for one command. */
import { dataFolder } from '../store/files/dataFolder.ts';
import type { Store } from '../store/store.ts';
import { loadConfig } from './loadConfig.ts';

/**
 * Opens the store (of DATABASE_URL, otherwise of PAGESPACE_DATA_DIR), calls `use` and closes the store. Locks nothing: a
 * service may be using it, and the database separates their transactions.
 * @throws ConfigError when the configuration is not valid; StoreError when the store cannot be opened
 */
export async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = loadConfig(process.env).config;
  const store = await (databaseUrl === null ? openEmbedded(dataDir) : openDatabase(databaseUrl));
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

// Each store is loaded only where it is used, because loading takes most of the time of a command.
const openEmbedded = async (dataDir: string): Promise<Store> =>
  (await import('../store/sqlite/sqliteStore.ts')).openSqliteStore(dataFolder(dataDir).databasePath);

const openDatabase = async (url: string): Promise<Store> =>
  (await import('../store/postgres/postgresStore.ts')).openPostgresStore(url, {
    maxConnections: 2,
    statementTimeoutMs: null,
  });
