/** Remembers for a while of which accounts something was published. */
import type { Clock } from '../domain/ports/clock.ts';

/** A set of accounts from which each account disappears some time after it was added last. */
export class RecentAccounts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keepMs: number;
  /** The time at which each account was added, the earliest first. */
  readonly #addedAt = new Map<string, number>();
  #isHeld = false;

  constructor(clock: Pick<Clock, 'now'>, keepMs: number) {
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  /** Adds an account, or keeps it longer. */
  add(accountId: string): void {
    const now = this.#clock.now();
    this.#addedAt.delete(accountId);
    this.#addedAt.set(accountId, now);
    this.#forget(now);
  }

  /** Keeps every account until `release()`. */
  hold(): void {
    this.#forget(this.#clock.now());
    this.#isHeld = true;
  }

  /** Returns the accounts since `hold()` and shortly before. */
  release(): readonly string[] {
    this.#isHeld = false;
    return [...this.#addedAt.keys()];
  }

  #forget(now: number): void {
    if (this.#isHeld) return;
    for (const [accountId, at] of this.#addedAt) {
      if (now - at <= this.#keepMs) return;
      this.#addedAt.delete(accountId);
    }
  }
}
