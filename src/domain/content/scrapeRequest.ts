/** The request of a scrape. */

import type { Json } from '../json.ts';
import type { ChunkRequest } from './contentChunk.ts';
import type { ContentPart, PagePart } from './contentParts.ts';

/** Area, format and quality of a screenshot. */
export interface ScreenshotOptions {
  /** True for the whole page, false for the viewport. */
  readonly fullPage: boolean;
  readonly format: ScreenshotFormat;
  /** JPEG quality, 1 to 100. PNG ignores it. */
  readonly quality: number;
}

/** The image formats of screenshots. */
const SCREENSHOT_FORMATS = ['png', 'jpeg'] as const;
export type ScreenshotFormat = (typeof SCREENSHOT_FORMATS)[number];

/** The default options: a PNG of the viewport. */
export const DEFAULT_SCREENSHOT: ScreenshotOptions = { fullPage: false, format: 'png', quality: 80 };

/** A picture of a page. */
export interface Screenshot {
  /** Base64. */
  readonly image: string;
  /** True if the page is larger than the largest picture, so that a part of it is not in the picture. */
  readonly isCut: boolean;
}

/** The content parts to read from the page. The scraper does not compute a part that is false. */
export interface ContentSelection extends Readonly<Record<PagePart, boolean>> {
  /** True for main content only; false for the whole visible page. */
  readonly onlyMainContent: boolean;
  /** CSS selectors: only what is in these elements is content, all that they show. Absent or empty: the whole page. */
  readonly include?: readonly string[];
  /** CSS selectors of elements that are left out. */
  readonly exclude?: readonly string[];
  /** True to keep the attributes `class` and `id` in the HTML of the main content. */
  readonly keepClasses?: boolean;
}

/** The request of a scrape: the content parts, the schema for `extracted`, and the chunk to return. */
export interface ScrapeRequest
  extends ContentSelection,
    Readonly<Partial<Record<Exclude<ContentPart, PagePart | 'extracted'>, boolean>>> {
  /** JSON Schema whose parts contain selectors or labels of their values (docs/scraping.md). */
  readonly extract?: Json | null;
  /** True to scroll through endless and virtual lists before the page is read (`scrollList.ts` has the bounds). */
  readonly scroll?: boolean;
  /** True to refuse what a banner asks consent for, before the page is read. */
  readonly dismissBanners?: boolean;
  /** The chunk to return; absent for all content. */
  readonly chunk?: ChunkRequest;
}
