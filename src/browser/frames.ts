/** Live pictures of a session: Chromium's screencast of the active tab, the newest frame only. */
import type { CDPSession } from 'playwright';
import type { Frame, FrameOptions } from '../domain/page.ts';
import type { Tab } from './tab.ts';
import type { TabSet } from './tabSet.ts';

/** Frames come at most this often: enough for the eye, a quarter of what an animation makes. Milliseconds. */
const LEAST_GAP_MS = 66;
/** Only the width is bounded. */
const ANY_HEIGHT = 100_000;

const OVER: IteratorReturnResult<undefined> = { done: true, value: undefined };

type Result = IteratorResult<Frame, undefined>;

/**
 * One reader's frames. Every frame is acknowledged when it comes and replaces the one before, so that the last
 * picture of a page that then stands still is never lost; a reader that stalls costs one frame's memory.
 */
export class FrameStream implements AsyncIterableIterator<Frame> {
  readonly #tabs: TabSet;
  readonly #options: FrameOptions;
  readonly #signal: AbortSignal;
  readonly #onEnd: (stream: FrameStream) => void;
  #session: { readonly tab: Tab; readonly cdp: Promise<CDPSession | null> } | null = null;
  #newest: Frame | null = null;
  #deliveredAt = Number.NEGATIVE_INFINITY;
  #ended = false;
  #wake: PromiseWithResolvers<void> = Promise.withResolvers();

  /** @param onEnd called once */
  constructor(
    tabs: TabSet,
    options: FrameOptions,
    signal: AbortSignal,
    onEnd: (stream: FrameStream) => void,
  ) {
    this.#tabs = tabs;
    this.#options = options;
    this.#signal = signal;
    this.#onEnd = onEnd;
    signal.addEventListener('abort', this.end, { once: true });
    tabs.activeChanged.add(this.#follow);
    if (signal.aborted) this.end();
    else this.#follow();
  }

  /** Idempotent; a reader that waits is told. */
  readonly end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#newest = null;
    this.#signal.removeEventListener('abort', this.end);
    this.#tabs.activeChanged.delete(this.#follow);
    this.#leave();
    this.#wake.resolve();
    this.#onEnd(this);
  };

  async next(): Promise<Result> {
    for (;;) {
      if (this.#ended) return OVER;
      const frame = this.#newest;
      const early = this.#deliveredAt + LEAST_GAP_MS - performance.now();
      if (frame !== null && early <= 0) {
        this.#newest = null;
        this.#deliveredAt = performance.now();
        return { done: false, value: frame };
      }
      const timer = frame === null ? null : setTimeout(() => this.#rouse(), early);
      await this.#wake.promise;
      if (timer !== null) clearTimeout(timer);
    }
  }

  async return(): Promise<Result> {
    this.end();
    return OVER;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Readers look again. */
  #rouse(): void {
    this.#wake.resolve();
    if (!this.#ended) this.#wake = Promise.withResolvers();
  }

  readonly #follow = (): void => {
    const tab = this.#tabs.active;
    if (this.#ended || this.#session?.tab === tab) return;
    this.#leave();
    this.#session = { tab, cdp: this.#watch(tab).catch(() => null) };
  };

  #leave(): void {
    // The screencast ends with the CDP session that asked for it.
    void this.#session?.cdp.then(cdp => cdp?.detach()).catch(() => {});
    this.#session = null;
  }

  /** A page that is going or dead shows nothing: the next active tab is followed instead. */
  async #watch(tab: Tab): Promise<CDPSession> {
    const cdp = await tab.page.context().newCDPSession(tab.page);
    cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
      if (this.#ended || this.#session?.tab !== tab) return;
      const { deviceWidth: width, deviceHeight: height, timestamp } = metadata;
      const at = Math.round((timestamp ?? Date.now() / 1_000) * 1_000);
      this.#newest = { tabId: tab.id, image: data, width, height, at };
      this.#rouse();
    });
    const { maxWidth, quality } = this.#options;
    await cdp.send('Page.startScreencast', { format: 'jpeg', quality, maxWidth, maxHeight: ANY_HEIGHT });
    return cdp;
  }
}
