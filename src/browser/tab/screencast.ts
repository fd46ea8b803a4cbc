/** Streams live images of a session: Chromium's screencast of the active tab. */
import type { CDPSession } from 'playwright';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/session/screencastFrame.ts';
import { detachSession } from '../cdp/playwrightSessions.ts';
import type { Tab } from './tab.ts';
import type { TabSet } from './tabSet.ts';

/** Minimum time between two live images for a reader: 15 per second, a quarter of what browsers draw. */
const MIN_FRAME_INTERVAL_MS = 66;
/** Maximum height of a live image, in pixels: so large that only the width limits the size. */
const UNLIMITED_HEIGHT = 100_000;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

type FrameResult = IteratorResult<ScreencastFrame, undefined>;

/**
 * Iterates over live images of the active tab, for one reader. Keeps only the newest image: a slow reader misses images,
 * but gets the last one of a page that stops changing.
 */
export class Screencast implements AsyncIterableIterator<ScreencastFrame> {
  readonly #tabs: TabSet;
  readonly #options: ScreencastOptions;
  readonly #signal: AbortSignal;
  readonly #onEnd: (stream: Screencast) => void;
  #session: { readonly tab: Tab; readonly cdp: Promise<CDPSession | null> } | null = null;
  #newest: ScreencastFrame | null = null;
  #deliveredAt = Number.NEGATIVE_INFINITY;
  #ended = false;
  #wake: PromiseWithResolvers<void> = Promise.withResolvers();

  /**
   * Starts the screencast of the active tab; follows when another tab becomes active.
   * @param signal ends the screencast when it aborts
   * @param onEnd called once, when the screencast ends
   */
  constructor(
    tabs: TabSet,
    options: ScreencastOptions,
    signal: AbortSignal,
    onEnd: (screencast: Screencast) => void,
  ) {
    this.#tabs = tabs;
    this.#options = options;
    this.#signal = signal;
    this.#onEnd = onEnd;
    signal.addEventListener('abort', this.end, { once: true });
    tabs.activeChanged.add(this.#followActiveTab);
    if (signal.aborted) this.end();
    else this.#followActiveTab();
  }

  /** Ends the screencast; a waiting `next` returns `done`. Idempotent. */
  readonly end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#newest = null;
    this.#signal.removeEventListener('abort', this.end);
    this.#tabs.activeChanged.delete(this.#followActiveTab);
    this.#detach();
    this.#wake.resolve();
    this.#onEnd(this);
  };

  async next(): Promise<FrameResult> {
    for (;;) {
      if (this.#ended) return DONE;
      const frame = this.#newest;
      const waitMs = this.#deliveredAt + MIN_FRAME_INTERVAL_MS - performance.now();
      if (frame !== null && waitMs <= 0) {
        this.#newest = null;
        this.#deliveredAt = performance.now();
        return { done: false, value: frame };
      }
      const timer = frame === null ? null : setTimeout(() => this.#wakeReader(), waitMs);
      await this.#wake.promise;
      if (timer !== null) clearTimeout(timer);
    }
  }

  async return(): Promise<FrameResult> {
    this.end();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Makes a waiting `next` check again whether there is an image or the screencast has ended. */
  #wakeReader(): void {
    this.#wake.resolve();
    if (!this.#ended) this.#wake = Promise.withResolvers();
  }

  readonly #followActiveTab = (): void => {
    const tab = this.#tabs.active;
    if (this.#ended || this.#session?.tab === tab) return;
    this.#detach();
    this.#session = { tab, cdp: this.#startScreencast(tab).catch(() => null) };
  };

  #detach(): void {
    // The screencast ends with its CDP session.
    void this.#session?.cdp.then(cdp => cdp && detachSession(cdp)).catch(() => {});
    this.#session = null;
  }

  /**
   * Starts Chromium's screencast of a tab. Acknowledges every frame immediately, so that Chromium sends the next one.
   * @throws Error when the page is closing or has crashed
   */
  async #startScreencast(tab: Tab): Promise<CDPSession> {
    const cdp = await tab.page.context().newCDPSession(tab.page);
    cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
      if (this.#ended || this.#session?.tab !== tab) return;
      const { deviceWidth: width, deviceHeight: height, timestamp } = metadata;
      const at = Math.round((timestamp ?? Date.now() / 1_000) * 1_000);
      this.#newest = { tabId: tab.id, image: data, width, height, at };
      this.#wakeReader();
    });
    const { maxWidth, quality } = this.#options;
    await cdp.send('Page.startScreencast', {
      format: 'jpeg',
      quality,
      maxWidth,
      maxHeight: UNLIMITED_HEIGHT,
    });
    return cdp;
  }
}
