/** The store for one command. */
import { dataFolder } from '../store/dataFolder.ts';
import { openSqliteStore, type Store } from '../store/sqliteStore.ts';
import { loadConfig } from './loadConfig.ts';

/**
 * Opens the store that the environment names and closes it when `use` is done. The folder is not locked: a service may be
 * running on it, and SQLite keeps the two apart.
 * @throws ConfigError, StoreError
 */
export async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openSqliteStore(dataFolder(loadConfig(process.env).config.dataDir).databasePath);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
