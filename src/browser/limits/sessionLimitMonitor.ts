/** Checks the limits of every session, with one timer for all browsers. Operations never wait for a check. */
import type { SessionLimits } from '../../domain/session/sessionLimits.ts';
import { BrowserResourceMonitor } from './browserResourceMonitor.ts';
import type { MonitoredBrowser } from './monitoredBrowser.ts';

/** Milliseconds between two checks of the sessions' limits. */
export const LIMIT_CHECK_INTERVAL_MS = 500;

/** Checks the limits of all sessions at intervals, from its creation until `stop`, and ends sessions that exceed one. */
export class SessionLimitMonitor {
  readonly #monitors = new WeakMap<MonitoredBrowser, BrowserResourceMonitor>();
  readonly #limits: SessionLimits;
  readonly #timer: NodeJS.Timeout;

  /** @param browsers returns the browsers that are running at the time of a check */
  constructor(
    limits: SessionLimits,
    browsers: () => Iterable<MonitoredBrowser>,
    intervalMs = LIMIT_CHECK_INTERVAL_MS,
  ) {
    this.#limits = limits;
    this.#timer = setInterval(() => {
      for (const browser of browsers()) if (!browser.isClosed) this.#monitorOf(browser).check();
    }, intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #monitorOf(browser: MonitoredBrowser): BrowserResourceMonitor {
    const known = this.#monitors.get(browser);
    if (known !== undefined) return known;
    const monitor = new BrowserResourceMonitor(browser, this.#limits);
    this.#monitors.set(browser, monitor);
    return monitor;
  }
}
