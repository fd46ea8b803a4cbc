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
  /**
   * Makes a session the only writer of a profile.
   * @returns null, or the id of the active session that is its writer already
   */
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
