/** Keeps contexts ready for the next sessions, and replaces those that a session takes. */
import type { BrowserInstance } from './browserInstance.ts';
import type { PooledContext } from './pooledContext.ts';
import { prewarmPage } from './prewarmPage.ts';
import type { WarmTarget } from './warmTargets.ts';

/** Warm contexts are created this long after the last session start, so that they do not take processor time from it. */
const REFILL_DELAY_MS = 100;
/** Maximum time for which operations of sessions postpone a refill while a context is ready. */
const MAX_POSTPONED_MS = 1_000;

/** Options of `WarmContextPool`: how to create and close contexts, and how many to keep. */
export interface WarmContextPoolOptions {
  /** Creates a context for an account. @param accountId null for a context in a browser that has served no account */
  readonly create: (accountId: string | null) => Promise<PooledContext>;
  /** Closes a context without a session. Never rejects. */
  readonly release: (pooled: PooledContext) => Promise<void>;
  /** Returns the contexts that should be ready now, the most important ones first. */
  readonly targets: () => readonly WarmTarget[];
  readonly warn: (message: string, error?: unknown) => void;
}

/** Keeps the contexts of `targets()` ready for the next sessions. */
export class WarmContextPool {
  readonly #options: WarmContextPoolOptions;
  readonly #contexts: PooledContext[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** Time until which operations postpone the refill, as `performance.now()`; null while none is due. */
  #postponedUntil: number | null = null;
  #runningOperations = 0;
  #refilling = false;
  #stopped = false;

  constructor(options: WarmContextPoolOptions) {
    this.#options = options;
  }

  /**
   * Removes and returns a working context in a browser that `canUse` accepts; null when there is none. Prefers browsers
   * that serve the account already.
   */
  take(accountId: string, canUse: (browser: BrowserInstance) => boolean): PooledContext | null {
    const usable = this.#contexts.filter(({ browser }) => canUse(browser));
    const isOwn = ({ browser }: PooledContext): boolean => browser.accountId === accountId;
    for (const pooled of [...usable.filter(isOwn), ...usable.filter(one => !isOwn(one))]) {
      this.#contexts.splice(this.#contexts.indexOf(pooled), 1);
      if (!pooled.browser.isClosed && !pooled.warm.tab.crashed) return pooled;
      void this.#options.release(pooled);
    }
    return null;
  }

  /** Closes the browser's contexts that wait for a session. */
  discard(browser: BrowserInstance): void {
    for (const pooled of this.#contexts.filter(one => one.browser === browser)) {
      this.#contexts.splice(this.#contexts.indexOf(pooled), 1);
      void this.#options.release(pooled);
    }
  }

  /**
   * Creates a context and prewarms its page.
   * @param accountId null for a context in a browser that has served no account
   * @throws Error when the context cannot be created
   */
  async add(accountId: string | null): Promise<void> {
    const { create, release } = this.#options;
    const pooled = await create(accountId);
    try {
      await pooled.browser.whileConnected(prewarmPage(pooled.warm.tab));
    } catch (error) {
      await release(pooled);
      throw error;
    }
    if (this.#stopped || pooled.browser.isRetired) await release(pooled);
    else this.#contexts.push(pooled);
  }

  /**
   * Creates the missing contexts after REFILL_DELAY_MS; a further call restarts the delay. While a context is ready, waits for
   * a moment in which no operation runs: creating one takes as much processor time as a step.
   */
  refillSoon(): void {
    if (this.#stopped) return;
    this.#postponedUntil ??= performance.now() + MAX_POSTPONED_MS;
    this.#restartDelay();
  }

  /** Runs an operation of a session. */
  async whileOperating<T>(work: () => Promise<T>): Promise<T> {
    this.#runningOperations++;
    try {
      return await work();
    } finally {
      this.#runningOperations--;
      if (this.#isPostponed) this.#restartDelay();
    }
  }

  /** True while a refill is due and may wait. */
  get #isPostponed(): boolean {
    const until = this.#postponedUntil;
    return !this.#stopped && until !== null && this.#contexts.length > 0 && performance.now() < until;
  }

  #restartDelay(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#runningOperations > 0 && this.#isPostponed) return this.#restartDelay();
      this.#postponedUntil = null;
      void this.#refill();
    }, REFILL_DELAY_MS);
    this.#timer.unref();
  }

  /** Creates no more contexts. The contexts that are ready close with their browsers. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #refill(): Promise<void> {
    if (this.#refilling || this.#stopped) return;
    this.#refilling = true;
    try {
      for (let next = this.#nextTarget(); next !== null && !this.#stopped; next = this.#nextTarget())
        await this.add(next.accountId);
    } catch (error) {
      if (!this.#stopped) this.#options.warn('A warm browser context could not be created', error);
    } finally {
      this.#refilling = false;
    }
  }

  /** Returns the first target that has too few ready contexts; null when all have enough. */
  #nextTarget(): WarmTarget | null {
    const ready = (accountId: string | null): number =>
      this.#contexts.filter(({ browser }) => browser.accountId === accountId).length;
    return this.#options.targets().find(({ accountId, count }) => ready(accountId) < count) ?? null;
  }
}
