/** Whether a key is still good, and word of its end to those who hold a connection open with it. */
import type { ApiKey, Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';

/** @returns the refusal of a key that was revoked or has expired; null while it is good */
export function unusableKeyFailure({ revokedAt, expiresAt }: ApiKey, now: number): Failure | null {
  if (revokedAt !== null)
    return new Failure('REVOKED_API_KEY', `The API key was revoked on ${iso(revokedAt)}. Make a new key.`);
  if (expiresAt !== null && now >= expiresAt)
    return new Failure('EXPIRED_API_KEY', `The API key expired on ${iso(expiresAt)}. Make a new key.`);
  return null;
}

const iso = (at: number): string => new Date(at).toISOString();

/** How often keys in use are read again: another process may have revoked one. Milliseconds. */
const KEY_POLL_INTERVAL_MS = 5_000;

type KeyEndListener = (failure: Failure) => void;

export class KeyExpiryWatcher {
  readonly #accounts: AccountStore;
  readonly #clock: Clock;
  /** Key → its account and who is to be told. */
  readonly #watched = new Map<string, { readonly accountId: string; readonly tells: Set<KeyEndListener> }>();
  #cancel: (() => void) | null = null;

  constructor(accounts: AccountStore, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** Tells once, when the viewer's key ends. @returns takes it back; idempotent */
  watch(viewer: Viewer, listener: KeyEndListener): () => void {
    const { keyId } = viewer;
    // A function of its own each time: one that is given twice is told twice.
    const registered: KeyEndListener = failure => listener(failure);
    const known = this.#watched.get(keyId) ?? { accountId: viewer.account.id, tells: new Set() };
    this.#watched.set(keyId, known);
    known.tells.add(registered);
    this.#schedule();
    return () => {
      known.tells.delete(registered);
      if (known.tells.size > 0 || this.#watched.get(keyId) !== known) return;
      this.#watched.delete(keyId);
      if (this.#watched.size === 0) this.#stop();
    };
  }

  /** A key as it is now: where it has ended, those who wait for that are told. */
  check(key: ApiKey): void {
    const refusal = unusableKeyFailure(key, this.#clock.now());
    if (refusal === null) return;
    const tells = this.#watched.get(key.id)?.tells ?? [];
    this.#watched.delete(key.id);
    for (const tell of tells) tell(refusal);
    if (this.#watched.size === 0) this.#stop();
  }

  #schedule(): void {
    this.#cancel ??= this.#clock.scheduleAt(
      this.#clock.now() + KEY_POLL_INTERVAL_MS,
      () => void this.#poll(),
    );
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #poll(): Promise<void> {
    this.#cancel = null;
    try {
      const accountIds = new Set([...this.#watched.values()].map(({ accountId }) => accountId));
      for (const accountId of accountIds)
        for (const key of await this.#accounts.keys(accountId)) this.check(key);
    } catch {
      // A store that cannot be read now says nothing of any key; it is asked again.
    }
    if (this.#watched.size > 0) this.#schedule();
  }
}
