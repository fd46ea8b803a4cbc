/** The store for one command. */
import { dataFolder } from '../store/dataFolder.ts';
import { openSqlite, type Store } from '../store/sqlite.ts';
import { readSettings } from './readSettings.ts';

/**
 * Opens the store that the environment names and closes it when `use` is done. The folder is not locked: a service may be
 * running on it, and SQLite keeps the two apart.
 * @throws ConfigError, StoreError
 */
export async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openSqlite(dataFolder(readSettings(process.env).config.dataDir).databasePath);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
