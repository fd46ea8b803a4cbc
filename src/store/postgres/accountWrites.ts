/** Leaves connections to other accounts while transactions of one account wait for each other. */
import { Semaphore } from '../../async/semaphore.ts';
import { Failure } from '../../domain/failure/failures.ts';

/**
 * Limits how many transactions of an account run at once. They wait for the same rows (the balance, the counts), and each
 * holds a connection while it waits: an account with many busy sessions would hold all.
 */
export class AccountWrites {
  readonly #permits: number;
  readonly #waitTimeoutMs: number;
  readonly #running = new Map<string, Semaphore>();

  /** @param waitTimeoutMs a transaction that waits longer for those before it fails */
  constructor(permits: number, waitTimeoutMs: number) {
    this.#permits = permits;
    this.#waitTimeoutMs = waitTimeoutMs;
  }

  /** Runs a transaction when it is the account's turn. @throws Failure DEPENDENCY_UNAVAILABLE if the wait was too long */
  async run<Result>(accountId: string, transaction: () => Promise<Result>): Promise<Result> {
    const own =
      this.#running.get(accountId) ??
      new Semaphore({ permits: this.#permits, waitTimeoutMs: this.#waitTimeoutMs, refusal: tooBusy });
    this.#running.set(accountId, own);
    try {
      return await own.run(transaction);
    } finally {
      if (own.acquired === 0) this.#running.delete(accountId);
    }
  }
}

const tooBusy = (): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'Too many changes of this account wait for the database of the service (PostgreSQL). Nothing was done.',
    { retryAfterSeconds: 2 },
  );
