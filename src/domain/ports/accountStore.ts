import type {
  Account,
  ApiKey,
  ShareLink,
  ShareVisit,
  WalletMessage,
  WebSession,
} from '../account/account.ts';
import type { KeyPolicy } from '../account/keyPolicy.ts';
import type {
  AccountBalance,
  Credit,
  LedgerEntry,
  Period,
  TierInForce,
  UsageGroup,
  UsageGroupTotals,
  UsageTotals,
} from '../account/ledger.ts';
import type { VaultEntry } from '../vault.ts';

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
  /** A key that was revoked before keeps its revocation time. @param at milliseconds since the epoch @returns null if the account has no such key */
  revokeKey(accountId: string, keyId: string, at: number): Promise<ApiKey | null>;
  /** Returns the key that signs the addresses of files, hex. The first call of a database stores `fresh`. */
  signingKey(fresh: string): Promise<string>;
  /** Replaces the policy of a key; null removes it. Returns null if the account has no such key. */
  setKeyPolicy(accountId: string, keyId: string, policy: KeyPolicy | null): Promise<ApiKey | null>;
  /** Records the time of the last use of a key. A time before the recorded one changes nothing. */
  recordKeyUse(keyId: string, at: number): Promise<void>;
}

/** Writes, parses and verifies the messages that a wallet signs to sign in (EIP-4361). */
export interface WalletVerifier {
  /** Returns the text that the wallet signs; null if the wallet address or another field is not valid. */
  formatMessage(message: WalletMessage): Promise<string | null>;
  /** Reads the fields of a signed text; null if the text is not a valid sign-in message. */
  parseMessage(text: string): Promise<WalletMessage | null>;
  /** Returns true if the wallet at this address signed the text: with its key or, if a chain can be queried, as a contract. */
  verifySignature(text: string, signature: string, address: string): Promise<boolean>;
}

export interface WalletStore {
  /** Saves a nonce and removes expired nonces. Times are milliseconds since the epoch. */
  saveNonce(nonce: string, expiresAt: number, now: number): Promise<void>;
  /** Removes the nonce. Returns true if it existed and had not expired. */
  consumeNonce(nonce: string, now: number): Promise<boolean>;
  /** Returns the account of the wallet at this address. If it has none, stores and returns `newAccount`. @param address in lower case */
  findOrCreateAccount(address: string, newAccount: Account): Promise<Account>;
  /** Saves a web session and removes expired web sessions. @param now milliseconds since the epoch */
  saveWebSession(session: WebSession, now: number): Promise<void>;
  /** Returns a web session, also an expired one; null if there is none. @param hash SHA-256 of the cookie's token, hex */
  findWebSession(hash: string): Promise<WebSession | null>;
  deleteWebSession(hash: string): Promise<void>;
}

/** Reads the ledgers of accounts and writes credits. Prices and amounts are in millionths of the unit of account. */
export interface LedgerStore {
  /** Adds a credit to the balance of an account. For a reference that the account already has, changes nothing and returns the existing row. */
  credit(credit: Credit): Promise<LedgerEntry>;
  /** Returns the values that limit the spending of an account and of one of its keys. @param day start of the day (UTC) for `dayBrowserMs` */
  accountBalance(accountId: string, keyId: string, day: number): Promise<AccountBalance>;
  /** Returns the totals of a key on a day (UTC). @param day its start */
  keyUsageOnDay(
    accountId: string,
    keyId: string,
    day: number,
  ): Promise<{ readonly browserMs: number; readonly amountMicros: number }>;
  usage(accountId: string, period: Period): Promise<UsageTotals>;
  /** Returns the totals of the account's charges in the period, per group: at most `limit` groups, ordered by name. */
  usageByGroup(
    accountId: string,
    period: Period,
    group: UsageGroup,
    limit: number,
  ): Promise<readonly UsageGroupTotals[]>;
  /** Returns the totals of the charges of each session, in the order of the ids; zeros for a session without charges. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  /** Returns the number of the newest ledger row of each account, in the order of the ids; 0 for an empty ledger or an unknown id. */
  newestSeqs(accountIds: readonly string[]): Promise<readonly number[]>;
  /** Returns the balance of each account in micro-units, in the order of the ids; 0 for an unknown id. */
  balances(accountIds: readonly string[]): Promise<readonly number[]>;
  /** Returns the tier of each account, in the order of the ids; null for an unknown id. */
  accountTiers(accountIds: readonly string[]): Promise<readonly (TierInForce | null)[]>;
  /** Returns at most `limit` ledger rows of the account with `seq < before` (all rows for null), newest first. */
  newestEntries(accountId: string, before: number | null, limit: number): Promise<readonly LedgerEntry[]>;
  /** Returns at most `limit` ledger rows of the account in the period with `seq > after`, oldest first. */
  oldestEntries(
    accountId: string,
    period: Period,
    after: number,
    limit: number,
  ): Promise<readonly LedgerEntry[]>;
}

/** Stores the profiles of accounts. Their contents are sealed before the store gets them. */

/** A version of a profile, without its contents. */
export interface ProfileVersion {
  readonly name: string;
  /** 1, 2, 3, …: a session that writes adds one. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** Size of the sealed contents. */
  readonly bytes: number;
  /** The origins with storage and the hosts with cookies, in the order of the alphabet, at most 200. */
  readonly origins: readonly string[];
}

export interface ProfileStore {
  /** Makes a session the only writer. @returns null, or the id of the active session that is its writer already */
  acquire(accountId: string, name: string, sessionId: string, now: number): Promise<string | null>;
  /** Undoes `acquire`. */
  release(accountId: string, name: string, sessionId: string): Promise<void>;
  /** Returns the newest version; null if the account has no such profile. */
  latest(
    accountId: string,
    name: string,
  ): Promise<{ readonly version: number; readonly sealed: string } | null>;
  /** Returns the sealed contents of a version; null if it is not kept. */
  find(accountId: string, name: string, version: number): Promise<string | null>;
  /** Writes a version, or replaces it, and removes those that are older than the last five. */
  save(accountId: string, version: ProfileVersion, sealed: string): Promise<void>;
  /** Returns the versions of all profiles of an account, the newest first. */
  list(accountId: string): Promise<readonly ProfileVersion[]>;
  /** Removes a profile with all its versions. Returns false if the account has none of this name. */
  remove(accountId: string, name: string): Promise<boolean>;
}

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
  remove(accountId: string, name: string): Promise<boolean>;
}

export interface ShareLinkStore {
  create(link: ShareLink): Promise<void>;
  /** Returns the links of each session, the oldest first, in the order of the ids. */
  ofSessions(sessionIds: readonly string[]): Promise<readonly (readonly ShareLink[])[]>;
  findByHash(hash: string): Promise<ShareLink | null>;
  /** Returns the links with these ids that exist, in no particular order. */
  byIds(ids: readonly string[]): Promise<readonly ShareLink[]>;
  /** Revokes a link; one that was revoked before keeps its time. @returns the link; null if the account has no such link of the session */
  revoke(accountId: string, sessionId: string, id: string, at: number): Promise<ShareLink | null>;
  /** Adds a visit, counts it at its link, and removes the oldest beyond `keep` of those that were seen before `quietSince`: the others are open. */
  addVisit(visit: ShareVisit, keep: number, quietSince: number): Promise<void>;
  findVisit(hash: string): Promise<{ readonly visit: ShareVisit; readonly link: ShareLink } | null>;
  recordSeen(visitId: string, at: number, isOpen: boolean): Promise<void>;
  /** Returns the visits of a link, the newest first. */
  visits(linkId: string): Promise<readonly ShareVisit[]>;
}
