/** The interface of the store, which SQLite and PostgreSQL implement. */
import type { LedgerAudit } from '../domain/account/ledgerAudit.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { LedgerStore } from '../domain/ports/ledgerStore.ts';
import type { ProfileStore } from '../domain/ports/profileStore.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import type { WalletStore } from '../domain/ports/walletStore.ts';

/** The open database of the service, as one store per kind of data. */
export interface Store {
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly wallets: WalletStore;
  readonly profiles: ProfileStore;
  /** Checks that sessions, operations, ledger and totals agree. Reads everything: only for the command line and tests. */
  auditLedger(): Promise<LedgerAudit>;
  /** Closes the database; idempotent. Later calls of all stores are rejected. */
  close(): Promise<void>;
}

/** The error when a database cannot be opened as the store. Its message says which database and why, without a password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
