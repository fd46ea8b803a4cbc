/** The store of accounts and API keys. */
import type { Account, ApiKey } from '../account/account.ts';
import type { KeyPolicy } from '../account/keyPolicy.ts';

/** Reads and writes accounts and their API keys. */
export interface AccountStore {
  createAccount(account: Account): Promise<void>;
  /** Returns one account per id, in the order of the ids; null for an unknown id. */
  accounts(ids: readonly string[]): Promise<readonly (Account | null)[]>;
  /** Returns all accounts, oldest first. Only the operator may call it. */
  allAccounts(): Promise<readonly Account[]>;
  findAccountByName(name: string): Promise<Account | null>;
  createKey(key: ApiKey): Promise<void>;
  /** Returns the key with this hash, also a revoked or expired one; null if there is none. @param hash SHA-256 of the key, hex */
  findKeyByHash(hash: string): Promise<ApiKey | null>;
  /** Returns one key per id, in the order of the ids; null for an unknown id. */
  keysById(ids: readonly string[]): Promise<readonly (ApiKey | null)[]>;
  /** Returns the keys of the account, oldest first: at most 1,000, those that are not revoked and then those created last. */
  keys(accountId: string): Promise<readonly ApiKey[]>;
  /**
   * Revokes a key. A key that was revoked before keeps its revocation time.
   * @param at time of the revocation, in milliseconds since the epoch
   * @returns the key; null if the account has no such key
   */
  revokeKey(accountId: string, keyId: string, at: number): Promise<ApiKey | null>;
  /**
   * Returns the key that signs the addresses of files, hex. The first call of a database stores `fresh`.
   * @param fresh a new random key
   */
  signingKey(fresh: string): Promise<string>;
  /** Replaces the policy of a key; null removes it. Returns null if the account has no such key. */
  setKeyPolicy(accountId: string, keyId: string, policy: KeyPolicy | null): Promise<ApiKey | null>;
  /** Records the time of the last use of a key. A time before the recorded one changes nothing. */
  recordKeyUse(keyId: string, at: number): Promise<void>;
}
