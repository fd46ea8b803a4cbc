/** Notifies open connections when their API key is revoked or expires. */
import type { ApiKey, Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';

/**
 * Returns the failure REVOKED_API_KEY or EXPIRED_API_KEY for a key that is no longer valid at `now`; null for a valid
 * key.
 */
export function unusableKeyFailure({ revokedAt, expiresAt }: ApiKey, now: number): Failure | null {
  if (revokedAt !== null)
    return new Failure('REVOKED_API_KEY', `The API key was revoked on ${iso(revokedAt)}. Use another key.`);
  if (expiresAt !== null && now >= expiresAt)
    return new Failure('EXPIRED_API_KEY', `The API key expired on ${iso(expiresAt)}. Use another key.`);
  return null;
}

const iso = (at: number): string => new Date(at).toISOString();

/**
 * Time between two reads of the watched keys from the store, in milliseconds. Another process may have revoked a key.
 */
const KEY_POLL_INTERVAL_MS = 5_000;

/** Maximum number of keys that one read returns. */
const KEYS_PER_READ = 500;

type KeyEndListener = (failure: Failure) => void;

interface WatchedKey {
  readonly listeners: Set<KeyEndListener>;
}

/** Polls the keys that have listeners, and calls the listeners of a key when it is revoked or expires. */
export class KeyExpiryWatcher {
  readonly #accounts: AccountStore;
  readonly #clock: Clock;
  /** The watched keys by key id. */
  readonly #watched = new Map<string, WatchedKey>();
  #cancel: (() => void) | null = null;

  constructor(accounts: AccountStore, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /**
   * Calls `listener` once when the viewer's key is revoked or expires.
   * @returns a function that removes the listener; idempotent
   */
  watch({ keyId }: Viewer, listener: KeyEndListener): () => void {
    // Wrap the listener, so that a listener that is added twice is called twice.
    const registered: KeyEndListener = failure => listener(failure);
    const watched = this.#watched.get(keyId) ?? { listeners: new Set() };
    this.#watched.set(keyId, watched);
    watched.listeners.add(registered);
    this.#schedule();
    return () => {
      watched.listeners.delete(registered);
      if (watched.listeners.size > 0 || this.#watched.get(keyId) !== watched) return;
      this.#watched.delete(keyId);
      if (this.#watched.size === 0) this.#stop();
    };
  }

  /** Calls the listeners of this key, and removes them, if the key is revoked or has expired. */
  check(key: ApiKey): void {
    const failure = unusableKeyFailure(key, this.#clock.now());
    if (failure === null) return;
    const listeners = this.#watched.get(key.id)?.listeners ?? [];
    this.#watched.delete(key.id);
    for (const listener of listeners) listener(failure);
    if (this.#watched.size === 0) this.#stop();
  }

  #schedule(): void {
    this.#cancel ??= this.#clock.scheduleAfter(KEY_POLL_INTERVAL_MS, () => void this.#poll());
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #poll(): Promise<void> {
    this.#cancel = null;
    try {
      const ids = [...this.#watched.keys()];
      for (let start = 0; start < ids.length; start += KEYS_PER_READ)
        for (const key of await this.#accounts.keysById(ids.slice(start, start + KEYS_PER_READ)))
          if (key !== null) this.check(key);
    } catch {
      // The store cannot be read now; the next poll tries again.
    }
    if (this.#watched.size > 0) this.#schedule();
  }
}
