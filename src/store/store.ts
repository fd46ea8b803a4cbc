/** The interface of the store, which SQLite and PostgreSQL implement. */
import type { Compilable, Kysely } from 'kysely';
import type { LedgerAudit } from '../domain/account/ledger.ts';
import type {
  AccountStore,
  LedgerStore,
  ProfileStore,
  ShareLinkStore,
  VaultStore,
  WalletStore,
} from '../domain/ports/accountStore.ts';
import type { AuditLog } from '../domain/ports/auditLog.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import type { Tables } from './tables.ts';

/** Runs reads whose time grows with what is stored, so that they do not delay other requests. */
export interface Reader {
  /**
   * Returns all rows of a query.
   * @param accountId the account that reads; accounts with waiting reads take turns
   */
  all<Row>(accountId: string, query: Compilable<Row>): Promise<readonly Row[]>;
  /** Stops the reader, and rejects the waiting reads. Idempotent. */
  close(): Promise<void>;
}

/** Creates a reader that reads on the connection of the store: for databases in memory, which no other thread can open. */
export const sameThreadReader = (db: Kysely<Tables>): Reader => ({
  all: async (_accountId, query) => (await db.executeQuery(query.compile())).rows,
  close: async () => {},
});

/** Encrypted contents, and what they are bound to. */
export interface SealedRow {
  readonly kind: 'profile' | 'vault';
  readonly accountId: string;
  readonly name: string;
  /** Of a vault entry. */
  readonly origins: readonly string[];
  readonly sealed: string;
}

/** The open database of the service, as one store per kind of data. */
export interface Store {
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly wallets: WalletStore;
  readonly profiles: ProfileStore;
  readonly vault: VaultStore;
  readonly auditLog: AuditLog;
  readonly shareLinks: ShareLinkStore;
  /**
   * Replaces the encrypted contents of profiles and of the vault, for another key. Contents that are written meanwhile stay as they are.
   * @param reseal returns the new contents; null to leave them
   * @returns the number of contents that were replaced
   */
  reseal(reseal: (row: SealedRow) => string | null): Promise<number>;
  /** Checks that sessions, operations, ledger and totals agree. Reads everything: only for the command line and tests. */
  auditLedger(): Promise<LedgerAudit>;
  /** Closes the database; idempotent. Later calls of all stores are rejected. */
  close(): Promise<void>;
}

/** The error when a database cannot be opened as the store. Its message says which database and why, without a password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
