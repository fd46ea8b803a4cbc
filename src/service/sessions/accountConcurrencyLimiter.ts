/** Limits how many sessions an account has at the same time. */
import { Failure } from '../../domain/failure/failures.ts';

/**
 * Limits how many sessions each account has at the same time. A session counts as soon as it waits for a browser, so
 * that two starts cannot take the account's last slot.
 */
export class AccountConcurrencyLimiter {
  /** Ids of the counted sessions, by account id. */
  readonly #sessions = new Map<string, Set<string>>();

  /**
   * Counts a session of the account, until `release`.
   * @param max maximum number of sessions of the account; null for no limit
   * @throws Failure CONCURRENCY_LIMIT if the account already has `max` sessions
   */
  acquire(accountId: string, sessionId: string, max: number | null): void {
    const sessions = this.#sessions.get(accountId) ?? new Set<string>();
    if (max !== null && sessions.size >= max)
      throw new Failure(
        'CONCURRENCY_LIMIT',
        `This account already has its maximum of ${max} sessions at once. Close one, or wait until one ends.`,
      );
    this.#sessions.set(accountId, sessions.add(sessionId));
  }

  /** Stops counting a session. Idempotent. */
  release(accountId: string, sessionId: string): void {
    const sessions = this.#sessions.get(accountId);
    if (sessions?.delete(sessionId) === true && sessions.size === 0) this.#sessions.delete(accountId);
  }
}
