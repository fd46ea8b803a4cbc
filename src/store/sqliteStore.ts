/** The embedded store: one SQLite file, opened with node:sqlite. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { LedgerAudit } from '../domain/ledgerAudit.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { LedgerStore } from '../domain/ports/ledgerStore.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import type { WalletStore } from '../domain/ports/walletStore.ts';
import { auditLedger } from './auditLedger.ts';
import { kyselyAccountStore } from './kyselyAccountStore.ts';
import { kyselyLedgerStore } from './kyselyLedgerStore.ts';
import { kyselySessionStore } from './kyselySessionStore.ts';
import { kyselyWalletStore } from './kyselyWalletStore.ts';
import { migrate } from './migrations.ts';
import { NodeSqliteDialect } from './nodeSqliteDialect.ts';
import type { Tables } from './tables.ts';

/** The open database of the service, as one store per kind of data. */
export interface Store {
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly wallets: WalletStore;
  /** Checks that sessions, operations, ledger and totals agree. Reads everything: only for the command line and tests. */
  auditLedger(): Promise<LedgerAudit>;
  /** Closes the database; idempotent. Later calls of all stores are rejected. */
  close(): Promise<void>;
}

/** The error when a file cannot be opened as the store. Its message contains the path and the reason. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Milliseconds that a write waits for another process, such as `npm run keys` beside the service. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the SQLite file of the service, creates it if it is missing, and brings its schema up to date. Committed data survives a crash of the
 * process; a power failure can lose the last moments (synchronous=NORMAL in WAL mode).
 * @param path a file, or `:memory:`
 * @throws StoreError if the file is damaged, not a database, not writable, or from a newer version of pagespace
 */
export async function openSqliteStore(path: string): Promise<Store> {
  try {
    return await createSqliteStore(openDatabase(path));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(`The store ${path} cannot be opened: ${reason}`, { cause });
  }
}

/** Creates the store on an open database and brings its schema up to date. Closing the store closes the database. */
export async function createSqliteStore(database: DatabaseSync): Promise<Store> {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database) });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    sessions: kyselySessionStore(db),
    accounts: kyselyAccountStore(db),
    ledger: kyselyLedgerStore(db),
    wallets: kyselyWalletStore(db),
    auditLedger: () => auditLedger(db),
    close: () => db.destroy(),
  };
}

/** Opens an SQLite file with the settings of the store, and creates it if it is missing. @throws Error if it is not a database or not writable */
export function openDatabase(path: string): DatabaseSync {
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
