import type { Page } from 'playwright';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import { SHARED_WORKER_MARK } from '../cdp/messageLimits.ts';
import type { FrameDocumentRequest } from './frameDocumentRequest.ts';
import type { NetworkIdleTracker } from './networkIdleTracker.ts';

/** Maximum wait for a service worker that answers for its site's server, in milliseconds; at most half of the navigation's time. */
const ANSWER_TIMEOUT_MS = 8_000;
/**
 * Maximum wait for a service worker that answers for the document of a frame, in milliseconds. It is shorter: a page settles three seconds after it is parsed even if its frames still load, and what
 * a frame shows must be there by then.
 */
const FRAME_ANSWER_TIMEOUT_MS = 2_000;

/** The kind of document that was loaded without its service worker. */
export type Bypassed = 'page' | 'frame';

/** The service workers of a tab's site. One that never answers would keep every page of its origin from being loaded. */
export class ServiceWorkers {
  readonly #page: Page;
  readonly #channel: CdpChannel;
  readonly #network: NetworkIdleTracker;
  /** The origin whose pages, with the frames in them, are loaded without service workers; null for none. */
  #bypassed: string | null = null;
  #hasBypassed: Bypassed | null = null;

  constructor(page: Page, channel: CdpChannel, network: NetworkIdleTracker) {
    this.#page = page;
    this.#channel = channel;
    this.#network = network;
    network.onFrameDocument = asked => {
      if (this.#bypassed !== null || asked.request.method !== 'GET') return;
      setTimeout(() => this.#reloadIfSilent(asked), FRAME_ANSWER_TIMEOUT_MS).unref();
    };
  }

  /** Loads the document of a frame again, without its service worker, if that has not answered. */
  #reloadIfSilent({ requestId, frameId, request }: FrameDocumentRequest): void {
    const { url, urlFragment = '', headers } = request;
    const isSilent = this.#network.requests.awaitsResponse(requestId) && !this.#network.awaitsDocument;
    if (!isSilent || frameId === undefined || !this.#hasWorker(originOf(url))) return;
    if (this.#bypassed === null) this.#bypass(originOf(this.#page.url()));
    this.#hasBypassed ??= 'frame';
    const referrer = headers.Referer !== undefined && { referrer: headers.Referer };
    this.#channel.sendNoReply('Page.navigate', { frameId, url: url + urlFragment, ...referrer });
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

  /** Returns for what a service worker was left out since the last call; null for nothing. */
  takeBypassed(): Bypassed | null {
    const has = this.#hasBypassed;
    this.#hasBypassed = null;
    return has;
  }

  /** @returns whether the load was stopped */
  #bypassIfSilent(url: string): boolean {
    const origin = originOf(this.#network.mainUrl ?? url);
    if (!this.#network.awaitsDocument || !this.#hasWorker(origin)) return false;
    this.#bypass(origin);
    this.#hasBypassed = 'page';
    this.#channel.sendNoReply('Page.stopLoading');
    return true;
  }

  #hasWorker(origin: string): boolean {
    const urls = this.#page
      .context()
      .serviceWorkers()
      .map(worker => worker.url());
    return urls.some(url => originOf(url) === origin && !url.endsWith(SHARED_WORKER_MARK));
  }

  #bypass(origin: string | null): void {
    this.#bypassed = origin;
    this.#channel.sendNoReply('Network.setBypassServiceWorker', { bypass: origin !== null });
  }
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? '';
