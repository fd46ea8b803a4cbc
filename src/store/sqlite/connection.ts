/** The connections of an SQLite file. Without imports of packages: the start of a thread that loads Kysely takes three times as long. */
import { DatabaseSync } from 'node:sqlite';

/** Milliseconds that a write waits for another process, such as `npm run keys` beside the service. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens a connection that writes. @throws Error if the file is not a database or not writable */
export function openConnection(path: string): DatabaseSync {
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

/** Opens a second connection that only reads, beside that of `openConnection`. */
export function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  database.exec('pragma temp_store = memory');
  return database;
}
