/** The store of accounts and API keys. */
import type { Account, ApiKey } from '../account.ts';

/** Reads and writes accounts and keys. */
export interface AccountStore {
  createAccount(account: Account): Promise<void>;
  /** One result per id, in the order of the ids; null for an unknown id. */
  accounts(ids: readonly string[]): Promise<readonly (Account | null)[]>;
  /** All accounts, oldest first. For the operator only. */
  allAccounts(): Promise<readonly Account[]>;
  /** The oldest account with this name, or null. */
  findAccountByName(name: string): Promise<Account | null>;
  createKey(key: ApiKey): Promise<void>;
  /** @param hash SHA-256 of the key, hex */
  findKeyByHash(hash: string): Promise<ApiKey | null>;
  /** All keys of the account, oldest first. */
  keys(accountId: string): Promise<readonly ApiKey[]>;
  /** Revokes a key; a revoked key keeps its first revocation time. Returns the key, or null if the account has no such key. */
  revokeKey(accountId: string, keyId: string, at: number): Promise<ApiKey | null>;
  recordKeyUse(keyId: string, at: number): Promise<void>;
}
