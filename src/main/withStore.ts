/** Opens the store for one command. */
import { dataFolder } from '../store/dataFolder.ts';
import { openSqliteStore } from '../store/sqliteStore.ts';
import type { Store } from '../store/store.ts';
import { loadConfig } from './loadConfig.ts';

/**
 * Opens the store of PAGESPACE_DATA_DIR, calls `use` and closes the store. Does not lock the folder: a service may be using it,
 * and SQLite separates their transactions.
 * @throws ConfigError when the configuration is not valid; StoreError when the store cannot be opened
 */
export async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openSqliteStore(dataFolder(loadConfig(process.env).config.dataDir).databasePath);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
