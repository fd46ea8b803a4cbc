/** What an observation, a step and a scrape answer about a page. */
import type { ChunkRequest } from './contentChunk.ts';
import type { Space } from './space.ts';

export interface TabInfo {
  /** `T1`, `T2`: never used again in the session. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly active: boolean;
}

/** How live pictures of a session are to be. */
export interface ScreencastOptions {
  /** The image is made smaller to this width, in pixels; never larger. */
  readonly maxWidth: number;
  /** JPEG's, 1 to 100. */
  readonly quality: number;
}

/** A live picture of the active tab. */
export interface ScreencastFrame {
  readonly tabId: string;
  /** JPEG, base64. */
  readonly image: string;
  /** The viewport in CSS pixels; the image has the same proportions. */
  readonly width: number;
  readonly height: number;
  /** When the browser made it, in milliseconds since the epoch. */
  readonly at: number;
}

export interface PageMetadata {
  readonly url: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** The status the page's own server answered; null where there was none (about:blank, a page from cache or history). */
  readonly httpStatus: number | null;
  readonly tabs: readonly TabInfo[];
}

export const IMAGE_CATEGORIES = ['icon', 'content_image', 'decorative', 'svg_icon', 'svg_content'] as const;
export type ImageCategory = (typeof IMAGE_CATEGORIES)[number];

export interface ScrapedImage {
  readonly id: string;
  /** Absolute; null for an inline SVG. */
  readonly url: string | null;
  readonly alt: string | null;
  readonly category: ImageCategory;
  /** Natural size in pixels; null where not known. */
  readonly width: number | null;
  readonly height: number | null;
}

export interface ScrapedLink {
  readonly url: string;
  readonly text: string;
}

export interface ArticleMetadata {
  readonly byline: string | null;
  readonly published: string | null;
  readonly lang: string | null;
  readonly siteName: string | null;
  readonly canonical: string | null;
  readonly excerpt: string | null;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A page's content. A part is null only when it was not asked for. */
export interface ScrapedData {
  /** Sanitised HTML with absolute URLs. */
  readonly mainContent: string | null;
  readonly markdown: string | null;
  readonly text: string | null;
  readonly images: readonly ScrapedImage[] | null;
  readonly links: readonly ScrapedLink[] | null;
  /** JSON-LD, microdata and OpenGraph objects. */
  readonly structured: readonly Json[] | null;
  readonly metadata: ArticleMetadata | null;
  /** Values by the caller's schema; null where none was given. */
  readonly extracted?: Json | null;
  /** What of them is missing or not what the schema says. */
  readonly extractErrors?: readonly ExtractError[] | null;
  /** The page as a PDF, base64. */
  readonly pdf?: string | null;
  /** What was read: `text/html`, `application/pdf`. */
  readonly contentType?: string;
  /** The file that the address turned out to be, where it was no page. */
  readonly file?: { readonly url: string; readonly name: string };
  /** Whether something was cut: at the bound of an answer, then the cursor leads on; or for good, then `incomplete` has it. */
  readonly truncated?: boolean;
  readonly cursor?: string | null;
  /** Parts of which there was more than is ever read; the cursor does not lead there. */
  readonly incomplete?: readonly ScrapedPart[];
}

/** The parts that may be cut for good. */
export const SCRAPED_PARTS = [
  'main_content',
  'markdown',
  'text',
  'images',
  'links',
  'structured',
  'extracted',
] as const;
export type ScrapedPart = (typeof SCRAPED_PARTS)[number];

/** A value that is missing or is not what the schema says. */
export interface ExtractError {
  /** Dotted path in the value: `items.0.price`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** How a picture is to be. */
export interface ScreenshotOptions {
  /** The whole page, not the viewport. */
  readonly fullPage: boolean;
  readonly format: ScreenshotFormat;
  /** JPEG's, 1 to 100. */
  readonly quality: number;
}

export const SCREENSHOT_FORMATS = ['png', 'jpeg'] as const;
export type ScreenshotFormat = (typeof SCREENSHOT_FORMATS)[number];

/** PNG of the viewport. */
export const DEFAULT_SCREENSHOT: ScreenshotOptions = { fullPage: false, format: 'png', quality: 80 };

/** The parts as callers name them. */
export const CONTENT_FORMATS = [
  'main_content',
  'markdown',
  'text',
  'images',
  'links',
  'structured',
  'metadata',
  'pdf',
] as const;
export type ContentFormat = (typeof CONTENT_FORMATS)[number];

/** Which parts of the content to make: what is not asked for costs nothing. */
export interface ContentSelection {
  readonly onlyMainContent: boolean;
  readonly mainContent: boolean;
  readonly markdown: boolean;
  readonly text: boolean;
  readonly images: boolean;
  readonly links: boolean;
  readonly structured: boolean;
  readonly metadata: boolean;
}

/** The parts of the content, and what else is made of the page. */
export interface ScrapeRequest extends ContentSelection {
  /** JSON Schema whose parts say where their value stands (docs/scraping.md). */
  readonly extract?: Json | null;
  readonly pdf?: boolean;
  /** Which part of long texts; all where absent. */
  readonly chunk?: ChunkRequest;
}

/** What a page is right now, to an agent. */
export interface PageObservation {
  readonly metadata: PageMetadata;
  readonly space: Space;
}
