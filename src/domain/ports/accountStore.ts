/** The store of accounts and API keys. */
import type { Account, ApiKey } from '../account.ts';

/** Reads and writes accounts and keys. */
export interface AccountStore {
  createAccount(account: Account): Promise<void>;
  /** Returns one account per id, in the order of the ids; null for an unknown id. */
  accounts(ids: readonly string[]): Promise<readonly (Account | null)[]>;
  /** Returns all accounts, oldest first. Only the operator may call it. */
  allAccounts(): Promise<readonly Account[]>;
  /** Returns the oldest account with this name, or null. */
  findAccountByName(name: string): Promise<Account | null>;
  createKey(key: ApiKey): Promise<void>;
  /** @param hash SHA-256 of the key, hex */
  findKeyByHash(hash: string): Promise<ApiKey | null>;
  /** Returns all keys of the account, oldest first. */
  keys(accountId: string): Promise<readonly ApiKey[]>;
  /**
   * Revokes a key. A key that was revoked before keeps its revocation time. Returns the key, or null if the account has
   * no such key.
   */
  revokeKey(accountId: string, keyId: string, at: number): Promise<ApiKey | null>;
  recordKeyUse(keyId: string, at: number): Promise<void>;
}
