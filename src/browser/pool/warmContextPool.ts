/** Contexts held ready for whoever comes next, and made anew when one was taken. */
import type { BrowserInstance } from './browserInstance.ts';
import type { PooledContext } from './pooledContext.ts';
import { prewarmPage } from './prewarmPage.ts';

/** They are made this long after the last start, so that they do not take the processor from it. */
const REFILL_DELAY_MS = 100;

export interface WarmContextPoolOptions {
  /** Makes a context that any account may have. */
  readonly create: () => Promise<PooledContext>;
  /** Gives up a context that nobody has. Never rejects. */
  readonly release: (room: PooledContext) => Promise<void>;
  /** How many are to be ready now. */
  readonly targetCount: () => number;
  readonly warn: (message: string, error?: unknown) => void;
}

export class WarmContextPool {
  readonly #options: WarmContextPoolOptions;
  readonly #contexts: PooledContext[] = [];
  #timer: NodeJS.Timeout | null = null;
  #refilling = false;
  #stopped = false;

  constructor(options: WarmContextPoolOptions) {
    this.#options = options;
  }

  /** Takes one that is well out of a browser that `may` allows; null when there is none. */
  take(canUse: (browser: BrowserInstance) => boolean): PooledContext | null {
    for (const pooled of this.#contexts.filter(({ browser }) => canUse(browser))) {
      this.#contexts.splice(this.#contexts.indexOf(pooled), 1);
      if (!pooled.browser.isClosed && !pooled.warm.tab.crashed) return pooled;
      void this.#options.release(pooled);
    }
    return null;
  }

  /** Gives up those of this browser. */
  discard(browser: BrowserInstance): void {
    for (const room of this.#contexts.filter(one => one.browser === browser)) {
      this.#contexts.splice(this.#contexts.indexOf(room), 1);
      void this.#options.release(room);
    }
  }

  /** Makes one more, its page rehearsed: there is time for it, no caller waits. @throws Error when it cannot be made */
  async add(): Promise<void> {
    const { create, release } = this.#options;
    const pooled = await create();
    try {
      await pooled.browser.whileConnected(prewarmPage(pooled.warm.tab));
    } catch (error) {
      await release(pooled);
      throw error;
    }
    if (this.#stopped || pooled.browser.retired) await release(pooled);
    else this.#contexts.push(pooled);
  }

  /** Makes those that are missing, in a moment. */
  refillSoon(): void {
    if (this.#stopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refill(), REFILL_DELAY_MS);
    this.#timer.unref();
  }

  /** Makes none any more. Those that are ready end with their browsers. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #refill(): Promise<void> {
    if (this.#refilling || this.#stopped) return;
    this.#refilling = true;
    try {
      while (this.#unownedCount < this.#options.targetCount() && !this.#stopped) await this.add();
    } catch (error) {
      if (!this.#stopped) this.#options.warn('A browser context could not be made ready', error);
    } finally {
      this.#refilling = false;
    }
  }

  /** How many whoever comes next may have. */
  get #unownedCount(): number {
    return this.#contexts.filter(({ browser }) => browser.accountId === null).length;
  }
}
