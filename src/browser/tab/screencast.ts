import type { CDPSession } from 'playwright';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/session/takeOver.ts';
import type { Rect } from '../../domain/space/action.ts';
import { detachSession, userAgentOverrideOf } from '../cdp/playwrightSessions.ts';
import type { Tab } from './tab.ts';
import type { TabSet } from './tabSet.ts';

interface RedrawOptions {
  readonly width?: number;
  /** Parts that are painted over, in CSS pixels. */
  readonly boxes?: readonly Rect[];
  /** Width of what the picture shows, in CSS pixels; absent if it has one pixel for each. */
  readonly cssWidth?: number;
  readonly quality: number;
}

/** The first bytes of a PNG in Base64. */
const PNG = 'iVBORw0KGgo';

/** Returns the picture drawn anew. @param image PNG or JPEG, Base64 */
export async function redrawImage(
  image: string,
  { width, boxes = [], cssWidth, quality }: RedrawOptions,
): Promise<string> {
  // Loaded with the first picture that is changed: most services change none.
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const source = await loadImage(Buffer.from(image, 'base64'));
  const scale = (width ?? source.width) / source.width;
  const canvas = createCanvas(Math.round(source.width * scale), Math.round(source.height * scale));
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.drawImage(source, 0, 0);
  if (cssWidth !== undefined) context.scale(source.width / cssWidth, source.width / cssWidth);
  context.fillStyle = '#808080';
  for (const box of boxes)
    context.fillRect(
      Math.floor(box.x),
      Math.floor(box.y),
      Math.ceil(box.width) + 1,
      Math.ceil(box.height) + 1,
    );
  const encoded = image.startsWith(PNG) ? await canvas.encode('png') : await canvas.encode('jpeg', quality);
  return encoded.toString('base64');
}

/** Minimum time between two live images for a reader: 15 per second, a quarter of what browsers draw. */
const MIN_FRAME_INTERVAL_MS = 66;
/** Time after which another image is asked for in place of one that may be out of date or was left out. Milliseconds. */
const RENEWAL_MS = 100;
/** Maximum height of a live image, in pixels: so large that only the width limits the size. */
const UNLIMITED_HEIGHT = 100_000;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

type FrameResult = IteratorResult<ScreencastFrame, undefined>;

export interface FrameBoxes {
  /** CSS pixels of the window; null if the image is left out. */
  readonly boxes: readonly Rect[] | null;
  /** Width of the window in CSS pixels. */
  readonly cssWidth: number;
  /** False if the page changed meanwhile, so that a new image can show more. */
  readonly isCertain: boolean;
}

/** An image as Chromium sent it, the same with boxes painted over, and its smaller copies by their width. */
interface SourceFrame extends Omit<ScreencastFrame, 'image'> {
  readonly image: string;
  readonly boxes: Promise<FrameBoxes>;
  /** Null before the first reader takes it; resolves with null if the image is left out. */
  painted: Promise<string | null> | null;
  readonly imageWidth: number;
  readonly scaled: Map<number, Promise<string>>;
}

/** Runs while it has readers, at the largest width and quality of them, and follows when another tab becomes active. */
export class Screencast {
  readonly #tabs: TabSet;
  readonly #boxesIn: (tab: Tab, at: number) => Promise<FrameBoxes>;
  readonly #readers = new Set<ScreencastReader>();
  #session: { readonly tab: Tab; readonly cdp: Promise<CDPSession | null> } | null = null;
  #running: ScreencastOptions | null = null;
  #newest: SourceFrame | null = null;
  #renewal: NodeJS.Timeout | null = null;

  /** @param boxesIn returns what is painted over in an image that has come. Never rejects */
  constructor(tabs: TabSet, boxesIn: (tab: Tab, at: number) => Promise<FrameBoxes>) {
    this.#tabs = tabs;
    this.#boxesIn = boxesIn;
  }

  get readerCount(): number {
    return this.#readers.size;
  }

  /** Starts to read: the reader gets the present image at once, then each newer one. @param signal ends the reader when it aborts */
  read(options: ScreencastOptions, signal: AbortSignal): AsyncIterableIterator<ScreencastFrame> {
    const reader = new ScreencastReader(options, signal, ended => this.#remove(ended));
    if (signal.aborted) {
      reader.end();
      return reader;
    }
    if (this.#readers.size === 0) this.#tabs.activeChanged.add(this.#followActiveTab);
    this.#readers.add(reader);
    if (this.#newest !== null) reader.offer(this.#newest);
    this.#followActiveTab();
    return reader;
  }

  end(): void {
    for (const reader of [...this.#readers]) reader.end();
  }

  #remove(reader: ScreencastReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#tabs.activeChanged.delete(this.#followActiveTab);
    this.#detach();
    this.#newest = null;
  }

  readonly #followActiveTab = (): void => {
    const tab = this.#tabs.active;
    const wanted = this.#wanted();
    const isSame = this.#session?.tab === tab;
    const isEnough =
      this.#running !== null &&
      this.#running.maxWidth >= wanted.maxWidth &&
      this.#running.quality >= wanted.quality;
    if (isSame && isEnough) return;
    this.#detach();
    this.#running = wanted;
    this.#session = { tab, cdp: this.#start(tab, wanted).catch(() => null) };
  };

  #wanted(): ScreencastOptions {
    const all = [...this.#readers].map(({ options }) => options);
    return {
      maxWidth: Math.max(...all.map(({ maxWidth }) => maxWidth)),
      quality: Math.max(...all.map(({ quality }) => quality)),
    };
  }

  #detach(): void {
    // Chromium's screencast ends with its CDP session.
    void this.#session?.cdp.then(cdp => cdp && detachSession(cdp)).catch(() => {});
    this.#session = null;
    this.#running = null;
    if (this.#renewal !== null) clearTimeout(this.#renewal);
    this.#renewal = null;
  }

  #renew(cdp: CDPSession, options: ScreencastOptions): void {
    this.#renewal ??= setTimeout(() => {
      this.#renewal = null;
      cdp.send('Page.stopScreencast').catch(() => {});
      startScreencast(cdp, options).catch(() => {});
    }, RENEWAL_MS);
  }

  /** Starts a screencast. Acknowledges each image at once: Chromium drops those that it cannot send. @throws Error if the page closes or has crashed */
  async #start(tab: Tab, options: ScreencastOptions): Promise<CDPSession> {
    const cdp = await tab.page.context().newCDPSession(tab.page);
    cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
      if (this.#running !== options) return;
      const { deviceWidth: width, deviceHeight: height, timestamp } = metadata;
      const at = Math.round((timestamp ?? Date.now() / 1_000) * 1_000);
      const imageWidth = Math.min(options.maxWidth, width);
      const boxes = this.#boxesIn(tab, at);
      void boxes.then(({ isCertain }) => {
        if (!isCertain && this.#running === options) this.#renew(cdp, options);
      });
      this.#newest = {
        ...{ tabId: tab.id, image: data, width, height, at, imageWidth },
        ...{ boxes, painted: null, scaled: new Map() },
      };
      for (const reader of this.#readers) reader.offer(this.#newest);
    });
    const agent = userAgentOverrideOf(tab.page.context());
    if (agent !== null) await cdp.send('Emulation.setUserAgentOverride', agent);
    await startScreencast(cdp, options);
    return cdp;
  }
}

const startScreencast = (cdp: CDPSession, { maxWidth, quality }: ScreencastOptions): Promise<unknown> =>
  cdp.send('Page.startScreencast', { format: 'jpeg', quality, maxWidth, maxHeight: UNLIMITED_HEIGHT });

/** One reader of the screencast. Keeps only the newest image: a slow reader misses images, but gets the last one of a page that stops changing. */
class ScreencastReader implements AsyncIterableIterator<ScreencastFrame> {
  readonly options: ScreencastOptions;
  readonly #signal: AbortSignal;
  readonly #onEnd: (reader: ScreencastReader) => void;
  #newest: SourceFrame | null = null;
  #deliveredAt = Number.NEGATIVE_INFINITY;
  #ended = false;
  #wake: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(options: ScreencastOptions, signal: AbortSignal, onEnd: (reader: ScreencastReader) => void) {
    this.options = options;
    this.#signal = signal;
    this.#onEnd = onEnd;
    signal.addEventListener('abort', this.end, { once: true });
  }

  /** Ends the reader; a waiting `next` returns `done`. Idempotent. */
  readonly end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#newest = null;
    this.#signal.removeEventListener('abort', this.end);
    this.#wake.resolve();
    this.#onEnd(this);
  };

  offer(frame: SourceFrame): void {
    this.#newest = frame;
    this.#wakeReader();
  }

  async next(): Promise<FrameResult> {
    const intervalMs = this.options.minIntervalMs ?? MIN_FRAME_INTERVAL_MS;
    for (;;) {
      if (this.#ended) return DONE;
      const frame = this.#newest;
      const waitMs = this.#deliveredAt + intervalMs - performance.now();
      if (frame !== null && waitMs <= 0) {
        this.#newest = null;
        const value = await shownFrame(frame, this.options.maxWidth);
        if (value === null) continue;
        this.#deliveredAt = performance.now();
        return { done: false, value };
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

  #wakeReader(): void {
    this.#wake.resolve();
    if (!this.#ended) this.#wake = Promise.withResolvers();
  }
}

/** Quality of an image that is drawn anew: what is lost by it is less than what is lost by the size. */
const REDRAWN_QUALITY = 70;

/** Returns the image for a reader, drawn once for all readers of the same width; null if it is left out. */
async function shownFrame(source: SourceFrame, maxWidth: number): Promise<ScreencastFrame | null> {
  source.painted ??= paintedImage(source);
  const image = await source.painted;
  if (image === null) return null;
  const { tabId, width, height, at, imageWidth, scaled } = source;
  const frame = { tabId, width, height, at };
  if (imageWidth <= maxWidth) return { ...frame, image };
  let copy = scaled.get(maxWidth);
  if (copy === undefined) {
    copy = redrawImage(image, { width: maxWidth, quality: REDRAWN_QUALITY });
    scaled.set(maxWidth, copy);
  }
  return { ...frame, image: await copy };
}

async function paintedImage({ image, boxes: found }: SourceFrame): Promise<string | null> {
  const { boxes, cssWidth } = await found;
  if (boxes === null || boxes.length === 0) return boxes && image;
  return redrawImage(image, { boxes, cssWidth, quality: REDRAWN_QUALITY });
}
