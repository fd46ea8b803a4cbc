/** What the in-page scraper and its host say to each other. Everything travels as JSON text: Chromium refuses deep values. */

import type {
  ArticleMetadata,
  IncompletePart,
  ScrapedImage,
  ScrapedLink,
} from '../../../domain/contentParts.ts';
import type { ExtractPlan } from '../../../domain/extractPlan.ts';
import type { Json } from '../../../domain/json.ts';
import type { ScrapeRequest } from '../../../domain/scrapeRequest.ts';

/** A frame whose document the parent's world cannot read: another process holds it. */
export interface OutOfProcessFrame {
  /** Place in this capture; the host hands the frame's content back under it. */
  readonly key: number;
  /** Its place in `window.frames`; -1 when it stands in a shadow tree, where Chromium does not count it. */
  readonly index: number;
  /** The `src` attribute made absolute; empty when there is none. */
  readonly src: string;
}

/** The scraped parts, or what is needed first: closed shadow trees, the content of frames. */
export type ScraperResponse =
  | { readonly kind: 'hosts'; readonly count: number }
  | { readonly kind: 'frames'; readonly frames: readonly OutOfProcessFrame[] }
  | { readonly kind: 'content'; readonly content: PageContent };

export interface PageContent {
  /** Sanitised, with absolute addresses; null when neither markup nor Markdown was asked for. */
  readonly html: string | null;
  /** The markup to make Markdown of; null when it is `html` itself. */
  readonly markdownHtml: string | null;
  readonly text: string | null;
  readonly links: readonly ScrapedLink[] | null;
  readonly images: readonly ScrapedImage[] | null;
  readonly structured: readonly Json[] | null;
  readonly metadata: ArticleMetadata | null;
  /** Parts of which the page had more than is read. */
  readonly incomplete: readonly IncompletePart[];
}

/** A child frame's own content, before it is put at its place in the parent. */
export interface FrameContent {
  readonly key: number;
  readonly html: string;
  readonly images: readonly ScrapedImage[];
  /** Whether the frame had more than is read. */
  readonly truncated: boolean;
}

/** What `extract` found. */
export interface ExtractResponse {
  /** Paths of the parts whose selector is none; then nothing was read. */
  readonly invalidSelectors: readonly string[];
  /** Strings and null in the plan's shape. */
  readonly value: Json;
  /** Whether there was more than is read. */
  readonly truncated: boolean;
  /** Elements that may have a closed shadow tree which was not read: `closedHost` gives them. */
  readonly closedRootHosts: number;
}

/** `globalThis.__pagespaceScrape` in a frame's isolated world. Answers are JSON text. */
export interface PageScraper {
  /** Reads the document; a `PageAnswer`. When it asks for hosts, `proceed` must follow; when it names frames, `finish`. */
  begin(request: ScrapeRequest): string;
  /** An element that may have a closed shadow tree, of those last counted. */
  closedHost(index: number): Element | null;
  /** Takes closed shadow trees, to be read from then on. */
  adopt(...roots: ShadowRoot[]): void;
  /** Goes on once the trees were looked for: reads anew if there were any. A `PageAnswer`. */
  proceed(adopted: boolean): string;
  /** Puts the frames' content at their places and answers a `PageAnswer` of kind content. */
  finish(frames: readonly FrameContent[]): string;
  /** The values that a plan names; an `ExtractAnswer`. @param again after closed trees were adopted */
  extract(plan: ExtractPlan, again: boolean): string;
  /** This frame's place in its parent's `window.frames`; -1 when it is not counted there. */
  indexInParent(): number;
}
