/** The browsers of a node: selects the browser for a new context, and closes browsers that are no longer needed. */
import { Failure } from '../../domain/failure/failures.ts';
import type { BrowserInstance } from './browserInstance.ts';

/** Options of `BrowserPool`: how to start a browser, and which events to report. */
export interface BrowserPoolOptions {
  /** Starts a browser. @param onClosed must be called once, when the browser has closed or crashed */
  readonly start: (onClosed: (browser: BrowserInstance) => void) => Promise<BrowserInstance>;
  readonly sessionsPerBrowser: number;
  /** True when a browser serves the sessions of one account only. */
  readonly isolateAccounts: boolean;
  /** Called when a browser accepts no more sessions: it is retired, has closed or has crashed. */
  readonly onUnavailable: (browser: BrowserInstance) => void;
  /** Called when a browser ends that the pool did not close. */
  readonly onLost: (browser: BrowserInstance) => void;
  /** Called when a retired browser starts to close because its last context has closed. */
  readonly onClosing: () => void;
}

/** Creates the Failure SHUTTING_DOWN of a session start during the shutdown of the service. */
export const shuttingDown = (): Failure =>
  new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', {
    retryAfterSeconds: 5,
  });

/**
 * Starts, selects and closes browsers. Each browser is starting, active (accepts new contexts) or retired (closes with
 * its last context).
 */
export class BrowserPool {
  readonly #options: BrowserPoolOptions;
  /** Browsers that are starting, by the account that they are for; null for any account. */
  readonly #starting = new Map<string | null, Promise<BrowserInstance>>();
  readonly #active = new Set<BrowserInstance>();
  readonly #retired = new Set<BrowserInstance>();
  #isClosing = false;

  constructor(options: BrowserPoolOptions) {
    this.#options = options;
  }

  /** Returns the browsers that have started and still run, retired ones included. */
  running(): BrowserInstance[] {
    return [...this.#active, ...this.#retired];
  }

  /**
   * Starts a browser, or waits for the one that is already starting for this account.
   * @param accountId null for a browser that any account may use
   * @throws Error when Chromium does not start
   */
  start(accountId: string | null): Promise<BrowserInstance> {
    const starting = this.#starting.get(accountId);
    if (starting !== undefined) return starting;
    const started = this.#options
      .start(browser => this.#closed(browser))
      .then(async browser => {
        if (this.#isClosing) await browser.close();
        else if (!browser.isClosed) this.#active.add(browser);
        return browser;
      })
      .finally(() => this.#starting.delete(accountId));
    this.#starting.set(accountId, started);
    return started;
  }

  /**
   * Reserves a context in a browser that has capacity, and starts a browser when none has. `removeContext` undoes it.
   * @param accountId null for a context that any account may use
   * @throws Failure SHUTTING_DOWN; Error when Chromium does not start
   */
  async pickBrowser(accountId: string | null): Promise<BrowserInstance> {
    for (;;) {
      if (this.#isClosing) throw shuttingDown();
      const browser = this.#findBrowser(accountId);
      if (browser !== null) {
        // No await between the check and the reservation: many callers arrive at the same time.
        this.claim(browser, accountId);
        browser.reserveContext();
        return browser;
      }
      await this.start(accountId);
    }
  }

  /** Returns true if a context for the account can be created now, in a browser that serves the account already. */
  hasOwnCapacity(accountId: string): boolean {
    return this.#findBrowser(accountId)?.accountId === accountId;
  }

  /** Returns the accounts that the active browsers serve, when accounts are isolated. */
  accountIds(): ReadonlySet<string> {
    return new Set([...this.#active].flatMap(({ accountId }) => (accountId === null ? [] : [accountId])));
  }

  /** Returns a browser that can take a context for the account: one of its own, else one that has served no account. */
  #findBrowser(accountId: string | null): BrowserInstance | null {
    const usable = [...this.#active].filter(
      browser => browser.hasCapacity(this.#options.sessionsPerBrowser) && this.canHost(browser, accountId),
    );
    return usable.find(browser => browser.accountId === accountId) ?? usable[0] ?? null;
  }

  /** True when the browser may serve the account. @param accountId null for a context that any account may use */
  canHost(browser: BrowserInstance, accountId: string | null): boolean {
    return !this.#options.isolateAccounts || browser.accountId === null || browser.accountId === accountId;
  }

  /** Binds the browser to the account when accounts are isolated and the browser has no account yet. */
  claim(browser: BrowserInstance, accountId: string | null): void {
    if (this.#options.isolateAccounts) browser.accountId ??= accountId;
  }

  /** Gives back a context that has closed or could not be created. Closes a retired browser without further contexts. */
  removeContext(browser: BrowserInstance): void {
    browser.contexts--;
    this.#closeIfEmpty(browser);
  }

  /** Stops the use of a browser for new contexts; it closes with its last context, or now if it has none. */
  retire(browser: BrowserInstance): void {
    if (browser.isRetired) return;
    browser.isRetired = true;
    if (this.#active.delete(browser)) this.#retired.add(browser);
    this.#options.onUnavailable(browser);
    this.#closeIfEmpty(browser);
  }

  #closeIfEmpty(browser: BrowserInstance): void {
    if (!browser.isRetired || browser.contexts > 0 || !this.#retired.delete(browser)) return;
    void browser.close();
    this.#options.onClosing();
  }

  /** Closes every session and every browser, including those that are starting. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#starting.values());
    const running = this.running();
    await Promise.all(running.flatMap(browser => [...browser.leases].map(lease => lease.close())));
    await Promise.all(running.map(browser => browser.close()));
  }

  #closed(browser: BrowserInstance): void {
    const wasRunning = this.#active.delete(browser) || this.#retired.delete(browser);
    this.#options.onUnavailable(browser);
    if (wasRunning && !this.#isClosing) this.#options.onLost(browser);
  }
}
