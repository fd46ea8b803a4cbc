/** Stores the vault entries of accounts. Their values are sealed before the store gets them. */
import type { VaultEntry } from '../vault.ts';

export interface VaultStore {
  /** Writes an entry, or replaces the one of its name. */
  save(accountId: string, entry: Omit<VaultEntry, 'usedAt'>, sealed: string): Promise<void>;
  /** Returns an entry with its sealed values; null if the account has none of this name. */
  find(
    accountId: string,
    name: string,
  ): Promise<{ readonly entry: VaultEntry; readonly sealed: string } | null>;
  list(accountId: string): Promise<readonly VaultEntry[]>;
  /** Records that a step has filled a value of the entry. */
  recordUse(accountId: string, name: string, at: number): Promise<void>;
  /** Returns false if the account has no entry of this name. */
  remove(accountId: string, name: string): Promise<boolean>;
}
