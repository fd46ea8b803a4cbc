/** Live pictures of a session: Chromium's screencast of the active tab, the newest frame only. */
import type { CDPSession } from 'playwright';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/screencastFrame.ts';
import type { Tab } from './tab.ts';
import type { TabSet } from './tabSet.ts';

/** Frames come at most this often: enough for the eye, a quarter of what an animation makes. Milliseconds. */
const MIN_FRAME_INTERVAL_MS = 66;
/** Only the width is bounded. */
const UNLIMITED_HEIGHT = 100_000;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

type FrameResult = IteratorResult<ScreencastFrame, undefined>;

/**
 * One reader's frames. Every frame is acknowledged when it comes and replaces the one before, so that the last
 * picture of a page that then stands still is never lost; a reader that stalls costs one frame's memory.
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

  /** @param onEnd called once */
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

  /** Idempotent; a reader that waits is told. */
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

  /** Readers look again. */
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
    // The screencast ends with the CDP session that asked for it.
    void this.#session?.cdp.then(cdp => cdp?.detach()).catch(() => {});
    this.#session = null;
  }

  /** A page that is going or dead shows nothing: the next active tab is followed instead. */
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
