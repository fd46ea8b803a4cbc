/** How many sessions an account has at once. */
import { Failure } from '../domain/failures.ts';

/** A session that waits for a browser has its place already, so that no two starts take the last one. */
export class SessionPlaces {
  readonly #taken = new Map<string, Set<string>>();

  /** @param most how many an account may have; null for any number @throws Failure CONCURRENCY_LIMIT */
  take(accountId: string, sessionId: string, most: number | null): void {
    const taken = this.#taken.get(accountId) ?? new Set<string>();
    if (most !== null && taken.size >= most)
      throw new Failure(
        'CONCURRENCY_LIMIT',
        `This account may have ${most} sessions at once, and has them. Close one, or wait for one to end.`,
      );
    this.#taken.set(accountId, taken.add(sessionId));
  }

  /** Idempotent. */
  giveBack(accountId: string, sessionId: string): void {
    const taken = this.#taken.get(accountId);
    if (taken?.delete(sessionId) === true && taken.size === 0) this.#taken.delete(accountId);
  }
}
