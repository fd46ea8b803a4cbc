import type { Page } from 'playwright';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import type { NetworkIdleTracker } from './networkIdleTracker.ts';

/** Maximum wait for a service worker that answers for its site's server, in milliseconds; at most half of the navigation's time. */
const ANSWER_TIMEOUT_MS = 8_000;

/** The service workers of a tab's site. One that never answers would keep every page of its origin from being loaded. */
export class ServiceWorkers {
  readonly #page: Page;
  readonly #channel: CdpChannel;
  readonly #network: NetworkIdleTracker;
  /** The origin whose pages are loaded without their service worker; null for none. */
  #bypassed: string | null = null;
  #hasBypassed = false;

  constructor(page: Page, channel: CdpChannel, network: NetworkIdleTracker) {
    this.#page = page;
    this.#channel = channel;
    this.#network = network;
  }

  /** Settles as `open`, which loads a URL. If its service worker does not answer, calls it once more without the worker. */
  async openWithoutSilentOne(url: string, timeoutMs: number, open: () => Promise<void>): Promise<void> {
    if (this.#bypassed !== null && this.#bypassed !== originOf(url)) this.#bypass(null);
    const before = this.#bypassed;
    const timer = setTimeout(() => this.#bypassIfSilent(url), Math.min(ANSWER_TIMEOUT_MS, timeoutMs / 2));
    try {
      await open();
    } catch (error) {
      if (this.#bypassed === before) throw error;
      await open();
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Stops the load of the next document, which a step or the page itself has begun, if its service worker does not answer: the same step
   * loads it without the worker. Chromium would hold every call to the page back until then. Call it again and again.
   * @returns whether the load was stopped
   */
  stopIfSilent(navigationTimeoutMs: number): boolean {
    const maxMs = Math.min(ANSWER_TIMEOUT_MS, navigationTimeoutMs / 2);
    return this.#network.documentAwaitedMs >= maxMs && this.#bypassIfSilent(this.#network.mainUrl ?? '');
  }

  /** Returns whether a service worker was left out since the last call. */
  takeBypassed(): boolean {
    const has = this.#hasBypassed;
    this.#hasBypassed = false;
    return has;
  }

  /** @returns whether the load was stopped */
  #bypassIfSilent(url: string): boolean {
    const origin = originOf(this.#network.mainUrl ?? url);
    const hasWorker = this.#page
      .context()
      .serviceWorkers()
      .some(worker => originOf(worker.url()) === origin);
    if (!hasWorker || !this.#network.awaitsDocument) return false;
    this.#bypass(origin);
    this.#hasBypassed = true;
    this.#channel.sendNoReply('Page.stopLoading');
    return true;
  }

  #bypass(origin: string | null): void {
    this.#bypassed = origin;
    this.#channel.sendNoReply('Network.setBypassServiceWorker', { bypass: origin !== null });
  }
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? '';
