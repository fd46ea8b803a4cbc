/**
 * The interface of `globalThis.__pagespaceScrape`, the scraper in a frame's isolated world, and the messages between it
 * and the host. Results are sent as JSON text, because Chromium refuses to return deeply nested values.
 */
import type { ContentValue, MissingContent, PagePart } from '../../../domain/content/contentParts.ts';
import type { ExtractPlan } from '../../../domain/content/extractPlan.ts';
import type { ContentSelection, PageValues } from '../../../domain/content/scrape.ts';
import type { Json } from '../../../domain/json.ts';

/** The scraper that the bundle `scrape` installs in a frame. It runs one scrape at a time. */
export interface PageScraper {
  /**
   * Starts a scrape: reads the document in this frame.
   * @returns JSON of a `ScraperResponse`. After `closedRoots` call `resume`; after `frames` call `finish`.
   */
  start(request: ContentSelection): string;
  /**
   * Returns one of the elements that the last response counted in `hostCount`. Pass its closed shadow root, if it has
   * one, to `addClosedRoots`. Null if there is no such index.
   */
  closedHost(index: number): Element | null;
  /** Adds closed shadow roots, so that later reads include them. */
  addClosedRoots(...roots: ShadowRoot[]): void;
  /**
   * Continues after the host has searched for closed shadow roots; reads the document again if it found any.
   * @returns JSON of a `ScraperResponse`
   */
  resume(foundRoots: boolean): string;
  /** Ends the scrape: inserts the content of frames in other processes. @returns JSON of a `ScraperResponse` of kind `content` */
  finish(frames: readonly FrameContent[]): string;
  /**
   * Reads the values that a plan describes.
   * @param again true to read the same plan again after closed shadow roots were added
   * @returns JSON of an `ExtractResponse`
   */
  extractValues(plan: ExtractPlan, again: boolean): string;
  /** Returns this frame's index in its parent's `window.frames`; -1 if the parent does not list it. */
  indexInParent(): number;
  /** Returns the selectors that the browser does not accept. */
  invalidSelectors(selectors: readonly string[]): readonly string[];
  /**
   * Scrolls one screen through the page's longest list, waits until the page has stopped to add rows, and keeps its rows.
   * @param isFirst true to begin at the top
   */
  scrollList(isFirst: boolean): Promise<ScrollStep>;
  /** Returns the part of the page that scrolls and ends with a list; null if there is none. */
  openBox(): Element | null;
  /** Presses the button of a consent banner that refuses. Returns true if there is one. */
  refuseConsent(): boolean;
  /** Returns the size of the image, if the browser shows an image as the document; null if unknown. */
  imageSize(): ImageSize | null;
}

/**
 * Response of the scraper: the content, or a request for data that it needs first: closed shadow roots, or the content of frames in
 * other processes.
 */
export type ScraperResponse =
  | { readonly kind: 'closedRoots'; readonly hostCount: number }
  | {
      readonly kind: 'frames';
      readonly frames: readonly OutOfProcessFrame[];
      /** The parts to read in each of these frames. */
      readonly frameRequest: ContentSelection;
    }
  | { readonly kind: 'content'; readonly content: PageContent };

/** A frame in another process. The scraper of its parent cannot read it. */
export interface OutOfProcessFrame {
  /** Identifies the frame in `FrameContent`. */
  readonly key: number;
  /** The frame's index in `window.frames`; -1 in a shadow tree, because Chromium does not list such frames. */
  readonly index: number;
  /** Absolute URL of the frame's `src` attribute; empty if it has none. */
  readonly src: string;
}

/** The content of a frame in another process, as the scraper of that frame has read it. */
export interface FrameContent {
  /** The `key` of the frame's `OutOfProcessFrame`. */
  readonly key: number;
  readonly html: string;
  readonly images: ContentValue<'images'>;
  /** True if a limit cut the frame's content. */
  readonly isTruncated: boolean;
}

/** The content parts that the scraper has read. */
export interface PageContent {
  /** The requested parts. */
  readonly values: Partial<PageValues>;
  /** The parts that are incomplete, because a limit cut them. */
  readonly truncated: readonly PagePart[];
  /** Content that the page has or announces and that is in no part. */
  readonly missing: readonly MissingContent[];
  /** True if `openBox` returns an element, so that listeners for scrolling tell whether there are more rows. */
  readonly hasOpenEnd: boolean;
}

/** The result of one step through a list. */
export interface ScrollStep {
  /** True at the end of the list. */
  readonly isAtEnd: boolean;
  /** Distance from the top, in CSS pixels. */
  readonly position: number;
  /** Number of rows that have been seen. */
  readonly rows: number;
}

/** The values that the scraper has read by an `ExtractPlan`. */
export interface ExtractResponse {
  /** Paths of the parts with an invalid selector. If there are any, no value was read. */
  readonly invalidSelectors: readonly string[];
  /** The values read, in the shape of the `ExtractPlan`: each is a string, or null if nothing was found. */
  readonly value: Json;
  /** The `lang` of the page; empty for none. */
  readonly language: string;
  /** Paths of the values whose elements the page does not show, such as `items.0.price`. */
  readonly hidden: readonly string[];
  /** True if a limit cut the values. */
  readonly isTruncated: boolean;
  /** Number of elements whose closed shadow root, if they have one, the scraper needs; `closedHost` returns each element. */
  readonly hostCount: number;
}

/** Size in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}
