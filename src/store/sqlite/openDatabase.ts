/** Opens SQLite files with the settings of the store. */
import { DatabaseSync } from 'node:sqlite';
import { keepPrivate } from '../files/dataFolder.ts';

/** Milliseconds that a write waits for another process, such as `npm run keys` beside the service. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens an SQLite file, and creates it if it is missing. @throws Error if it is not a database or not writable */
export function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory');
    // SQLite's own lower() handles only ASCII letters.
    database.function('lower', { deterministic: true }, text =>
      typeof text === 'string' ? text.toLowerCase() : text,
    );
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Opens a second connection that only reads, beside that of `openDatabase`. */
export function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  database.exec('pragma temp_store = memory');
  return database;
}
