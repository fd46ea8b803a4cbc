/** How many sessions an account has at once. */
import { Failure } from '../../domain/failures.ts';

/** A session that waits for a browser has its place already, so that no two starts take the last one. */
export class AccountConcurrencyLimiter {
  readonly #sessions = new Map<string, Set<string>>();

  /** @param max how many an account may have; null for any number @throws Failure CONCURRENCY_LIMIT */
  acquire(accountId: string, sessionId: string, max: number | null): void {
    const taken = this.#sessions.get(accountId) ?? new Set<string>();
    if (max !== null && taken.size >= max)
      throw new Failure(
        'CONCURRENCY_LIMIT',
        `This account may have ${max} sessions at once, and has them. Close one, or wait for one to end.`,
      );
    this.#sessions.set(accountId, taken.add(sessionId));
  }

  /** Idempotent. */
  release(accountId: string, sessionId: string): void {
    const taken = this.#sessions.get(accountId);
    if (taken?.delete(sessionId) === true && taken.size === 0) this.#sessions.delete(accountId);
  }
}
