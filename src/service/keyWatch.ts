/** Whether a key is still good, and word of its end to those who hold a connection open with it. */
import type { ApiKey, Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type { AccountStore, Clock } from '../domain/ports.ts';

/** @returns the refusal of a key that was revoked or has expired; null while it is good */
export function keyRefusal({ revokedAt, expiresAt }: ApiKey, now: number): Failure | null {
  if (revokedAt !== null)
    return new Failure('REVOKED_API_KEY', `The API key was revoked on ${iso(revokedAt)}. Make a new key.`);
  if (expiresAt !== null && now >= expiresAt)
    return new Failure('EXPIRED_API_KEY', `The API key expired on ${iso(expiresAt)}. Make a new key.`);
  return null;
}

const iso = (at: number): string => new Date(at).toISOString();

/** How often keys in use are read again: another process may have revoked one. Milliseconds. */
const LOOK_EVERY_MS = 5_000;

type Tell = (failure: Failure) => void;

export class KeyWatch {
  readonly #accounts: AccountStore;
  readonly #clock: Clock;
  /** Key → its account and who is to be told. */
  readonly #watched = new Map<string, { readonly accountId: string; readonly tells: Set<Tell> }>();
  #cancel: (() => void) | null = null;

  constructor(accounts: AccountStore, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** Tells once, when the viewer's key ends. @returns takes it back; idempotent */
  watch(viewer: Viewer, tell: Tell): () => void {
    const { keyId } = viewer;
    // A function of its own each time: one that is given twice is told twice.
    const told: Tell = failure => tell(failure);
    const known = this.#watched.get(keyId) ?? { accountId: viewer.account.id, tells: new Set() };
    this.#watched.set(keyId, known);
    known.tells.add(told);
    this.#arm();
    return () => {
      known.tells.delete(told);
      if (known.tells.size > 0 || this.#watched.get(keyId) !== known) return;
      this.#watched.delete(keyId);
      if (this.#watched.size === 0) this.#rest();
    };
  }

  /** A key as it is now: where it has ended, those who wait for that are told. */
  judge(key: ApiKey): void {
    const refusal = keyRefusal(key, this.#clock.now());
    if (refusal === null) return;
    const tells = this.#watched.get(key.id)?.tells ?? [];
    this.#watched.delete(key.id);
    for (const tell of tells) tell(refusal);
    if (this.#watched.size === 0) this.#rest();
  }

  #arm(): void {
    this.#cancel ??= this.#clock.wakeAt(this.#clock.now() + LOOK_EVERY_MS, () => void this.#look());
  }

  #rest(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #look(): Promise<void> {
    this.#cancel = null;
    try {
      const accountIds = new Set([...this.#watched.values()].map(({ accountId }) => accountId));
      for (const accountId of accountIds)
        for (const key of await this.#accounts.keys(accountId)) this.judge(key);
    } catch {
      // A store that cannot be read now says nothing of any key; it is asked again.
    }
    if (this.#watched.size > 0) this.#arm();
  }
}
