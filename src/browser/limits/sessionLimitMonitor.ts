/** Holds every session against its bounds: one timer for all, nothing in the way of an operation. */
import type { SessionLimits } from '../../domain/sessionLimits.ts';
import type { BrowserInstance } from '../pool/browserInstance.ts';
import { BrowserResourceMonitor } from './browserResourceMonitor.ts';

export const LIMIT_CHECK_INTERVAL_MS = 500;

export class SessionLimitMonitor {
  readonly #monitors = new WeakMap<BrowserInstance, BrowserResourceMonitor>();
  readonly #limits: SessionLimits;
  readonly #timer: NodeJS.Timeout;

  /** @param houses the browsers as they are at each look */
  constructor(
    bounds: SessionLimits,
    houses: () => Iterable<BrowserInstance>,
    everyMs = LIMIT_CHECK_INTERVAL_MS,
  ) {
    this.#limits = bounds;
    this.#timer = setInterval(() => {
      for (const house of houses()) if (!house.isClosed) this.#monitorOf(house).check();
    }, everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #monitorOf(browser: BrowserInstance): BrowserResourceMonitor {
    const known = this.#monitors.get(browser);
    if (known !== undefined) return known;
    const fresh = new BrowserResourceMonitor(browser, this.#limits);
    this.#monitors.set(browser, fresh);
    return fresh;
  }
}
