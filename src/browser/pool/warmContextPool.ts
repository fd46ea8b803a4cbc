import { PAGE_PARTS } from '../../domain/content/contentParts.ts';
import { emptyLocator } from '../act/element/elementContext.ts';
import { injectedScript, runReadyScript } from '../cdp/isolatedWorld.ts';
import type { Tab } from '../tab/tab.ts';
import type { BrowserInstance } from './browserPool.ts';
import { noPause, type Pause } from './healthCheck.ts';
import type { PooledContext } from './pooledContext.ts';

/** The number of warm contexts to keep ready for one account; `accountId` null: in a browser that has served no account yet. */
export interface WarmTarget {
  readonly accountId: string | null;
  readonly count: number;
}

interface WarmTargetOptions {
  readonly isolateAccounts: boolean;
  readonly hasSeveralAccounts: boolean;
  readonly accountIds: readonly string[];
  readonly count: number;
}

/**
 * Returns the warm contexts to keep ready. With several isolated accounts a browser that has served no account is always
 * ready, so that a start never waits for a browser, and each running account has one warm context of its own. A single
 * account needs no second browser.
 */
export function warmTargets(options: WarmTargetOptions): readonly WarmTarget[] {
  const { isolateAccounts, hasSeveralAccounts, accountIds, count } = options;
  if (!isolateAccounts || accountIds.length === 0) return [{ accountId: null, count }];
  if (!hasSeveralAccounts) return accountIds.map(accountId => ({ accountId, count }));
  const own = accountIds.map(accountId => ({ accountId, count: Math.min(1, count) }));
  return [{ accountId: null, count }, ...own];
}

const ALL_PARTS = { ...Object.fromEntries(PAGE_PARTS.map(part => [part, true])), onlyMainContent: true };

/** Compiles the injected scripts in the tab's blank page, in four round trips, and leaves it empty. Between parts of 10 to 40 ms it awaits `pause`. */
export async function prewarmPage(tab: Tab, pause: Pause = noPause): Promise<void> {
  const world = tab.target.worlds.find(tab.mainFrameId);
  if (world === null) return;
  const run = `${injectedScript('prewarm')};__pagespacePrewarm(${JSON.stringify(ALL_PARTS)})`;
  for (const expression of [runReadyScript('agent'), runReadyScript('scrape'), run]) {
    await tab.target.channel.session.send('Runtime.evaluate', {
      expression,
      contextId: world.contextId,
      awaitPromise: true,
    });
    await pause();
  }
  await emptyLocator(tab).count();
}

/** Warm contexts are created this long after the last session start, so that they do not take processor time from it. */
const REFILL_DELAY_MS = 100;
/** While a context is ready, the next one waits for this time without an operation: agents read a first answer at least so long. */
const QUIET_MS = 500;
/** Maximum time for which operations and starts of sessions postpone a refill while a context is ready. */
const MAX_POSTPONED_MS = 1_500;

export interface WarmContextPoolOptions {
  /** @param accountId null for a context in a browser that has served no account. `pause` is awaited between parts of the work */
  readonly create: (accountId: string | null, pause: Pause) => Promise<PooledContext>;
  /** Never rejects. */
  readonly release: (pooled: PooledContext) => Promise<void>;
  /** Returns the contexts that should be ready now, the most important ones first. */
  readonly targets: () => readonly WarmTarget[];
  /** Returns true if a session is open: its next operation may come at any time. */
  readonly hasSessions: () => boolean;
  readonly warn: (message: string, error?: unknown) => void;
}

export class WarmContextPool {
  readonly #options: WarmContextPoolOptions;
  readonly #contexts: PooledContext[] = [];
  /** Time until which operations postpone the refill, as `performance.now()`. */
  #postponedUntil = 0;
  /** Time of the last session start, and of the end of the last operation, as `performance.now()`. */
  #startedAt = Number.NEGATIVE_INFINITY;
  #operatedAt = Number.NEGATIVE_INFINITY;
  #runningOperations = 0;
  #refilling = false;
  #stopped = false;

  constructor(options: WarmContextPoolOptions) {
    this.#options = options;
  }

  /** Takes a working context of a browser that `canUse` accepts, rather one that serves the account already; null for none. */
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

  discard(browser: BrowserInstance): void {
    for (const pooled of this.#contexts.filter(one => one.browser === browser)) {
      this.#contexts.splice(this.#contexts.indexOf(pooled), 1);
      void this.#options.release(pooled);
    }
  }

  /** As `WarmContextPoolOptions.create`, and prewarms its page. @throws Error when the context cannot be created */
  async add(accountId: string | null, pause: Pause = noPause): Promise<void> {
    const { create, release } = this.#options;
    const pooled = await create(accountId, pause);
    try {
      await pause();
      await pooled.browser.whileConnected(prewarmPage(pooled.warm.tab, pause));
    } catch (error) {
      await release(pooled);
      throw error;
    }
    if (this.#stopped || pooled.browser.isRetired) await release(pooled);
    else this.#contexts.push(pooled);
  }

  /**
   * Creates the missing contexts after REFILL_DELAY_MS. While a context is ready, waits until the sessions are quiet, and stops between two
   * parts of the work when an operation begins: creating a context takes several times the processor time of a step.
   */
  refillSoon(): void {
    this.#startedAt = performance.now();
    void this.#refill();
  }

  async whileOperating<T>(work: () => Promise<T>): Promise<T> {
    this.#runningOperations++;
    try {
      return await work();
    } finally {
      this.#runningOperations--;
      this.#operatedAt = performance.now();
    }
  }

  /** Creates no more contexts. The contexts that are ready close with their browsers. */
  stop(): void {
    this.#stopped = true;
  }

  async #refill(): Promise<void> {
    if (this.#refilling || this.#stopped) return;
    this.#refilling = true;
    try {
      while (this.#nextTarget() !== null) {
        this.#postponedUntil = performance.now() + MAX_POSTPONED_MS;
        await this.#untilQuiet(QUIET_MS);
        const next = this.#nextTarget();
        if (next === null || this.#stopped) return;
        await this.add(next.accountId, () => this.#untilQuiet(REFILL_DELAY_MS));
      }
    } catch (error) {
      if (!this.#stopped) this.#options.warn('A warm browser context could not be created', error);
    } finally {
      this.#refilling = false;
    }
  }

  /** Resolves when no operation has run for `quietMs`; when no context is ready, REFILL_DELAY_MS after the last start. */
  async #untilQuiet(quietMs: number): Promise<void> {
    for (;;) {
      const waitMs = this.#waitMs(quietMs);
      if (waitMs <= 0 || this.#stopped) return;
      await new Promise<void>(resolve => void setTimeout(resolve, waitMs).unref());
    }
  }

  /** Returns the milliseconds for which a refill has to wait at least; 0 or less if it may go on. */
  #waitMs(quietMs: number): number {
    const now = performance.now();
    const untilStarted = this.#startedAt + REFILL_DELAY_MS - now;
    if (this.#contexts.length === 0) return untilStarted;
    const neededMs = this.#options.hasSessions() ? quietMs : REFILL_DELAY_MS;
    const quietAt = (this.#runningOperations > 0 ? now : this.#operatedAt) + neededMs;
    return Math.min(this.#postponedUntil - now, Math.max(untilStarted, quietAt - now));
  }

  /** Returns the first target that has too few ready contexts; null when all have enough. */
  #nextTarget(): WarmTarget | null {
    const ready = (accountId: string | null): number =>
      this.#contexts.filter(({ browser }) => browser.accountId === accountId).length;
    return this.#options.targets().find(({ accountId, count }) => ready(accountId) < count) ?? null;
  }
}
