import type { Json } from '../json.ts';
import { normalizeLines, normalizeText } from '../space/pageText.ts';
import {
  CHUNKED_PARTS,
  type ChunkedPart,
  type ContentPart,
  type ContentValue,
  type IncompletePart,
  type PagePart,
} from './contentParts.ts';

/** Default of `max_characters` in UTF-16 units: the maximum size of each text and each list (as JSON) in one response. */
export const DEFAULT_MAX_CHARACTERS = 1_000_000;
export const LOWEST_MAX_CHARACTERS = 1_000;
export const HIGHEST_MAX_CHARACTERS = 10_000_000;

interface ChunkRequest {
  /** Maximum size of each text and each list (as JSON) in the response, in UTF-16 units. */
  readonly maxCharacters: number;
  /** Cursor of an earlier response: the chunk starts where that response ended. Null for the first chunk. */
  readonly cursor: string | null;
}

/** Number of offsets in the shortest cursor that is accepted: cursors of the first release had this many. */
const MIN_CURSOR_OFFSETS = 6;
/** One offset for each of `CHUNKED_PARTS`, separated by `-`. Missing ones are 0, because newer parts were added at the end. */
export const CURSOR_PATTERN = new RegExp(
  `^\\d{1,9}(-\\d{1,9}){${MIN_CURSOR_OFFSETS - 1},${CHUNKED_PARTS.length - 1}}$`,
);

/** Returns the requested chunk of each text and list, with the cursor of the next (null after the last). In order they make up the content. */
export function contentChunk(data: ScrapedData, { maxCharacters, cursor }: ChunkRequest): ScrapedData {
  const starts = (cursor ?? '').split('-').map(Number);
  const ranges = CHUNKED_PARTS.map((part, index) => {
    const start = starts[index] ?? 0;
    const all = data[part] ?? '';
    const end =
      typeof all === 'string' ? textEnd(all, start, maxCharacters, part) : listEnd(all, start, maxCharacters);
    return { part, start, end, hasMore: end < all.length };
  });
  const slices = ranges.map(({ part, start, end }) => [part, data[part]?.slice(start, end) ?? null]);
  const hasMore = ranges.some(range => range.hasMore);
  return {
    ...data,
    ...(Object.fromEntries(slices) as Pick<ScrapedData, ChunkedPart>),
    truncated: hasMore || (data.incomplete ?? []).length > 0,
    cursor: hasMore ? ranges.map(({ end }) => end).join('-') : null,
  };
}

/** Returns where a chunk ends: HTML after a tag, other text after a line or a word, if one ends in the last half of the chunk. */
function textEnd(text: string, start: number, max: number, part: ChunkedPart): number {
  const limit = start + max;
  if (limit >= text.length) return Math.max(start, text.length);
  const earliest = start + Math.floor(max / 2);
  for (const separator of part === 'mainContent' ? ['>'] : ['\n', ' ']) {
    const found = text.lastIndexOf(separator, limit - 1);
    if (found > earliest) return found + 1;
  }
  const splitsSurrogatePair = /[\ud800-\udbff]/.test(text[limit - 1] ?? '');
  return splitsSurrogatePair ? limit - 1 : limit;
}

/** Returns the index before which a chunk of a list ends. Never splits an item; an item larger than `max` is a chunk of its own. */
function listEnd(list: readonly (Json | object)[], start: number, max: number): number {
  let end = start;
  for (let remaining = max; end < list.length; end++) {
    remaining -= JSON.stringify(list[end]).length + 1;
    if (remaining < 0 && end > start) break;
  }
  return Math.max(start, end);
}

export interface ScreenshotOptions {
  readonly fullPage: boolean;
  readonly format: ScreenshotFormat;
  /** JPEG quality, 1 to 100. PNG ignores it. */
  readonly quality: number;
}

const SCREENSHOT_FORMATS = ['png', 'jpeg'] as const;
export type ScreenshotFormat = (typeof SCREENSHOT_FORMATS)[number];

export const DEFAULT_SCREENSHOT: ScreenshotOptions = { fullPage: false, format: 'png', quality: 80 };

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
  readonly keepClasses?: boolean;
}

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

/** The content parts that the injected scraper reads from the page; null if not requested. */
export type PageValues = { readonly [Part in PagePart]: ContentValue<Part> | null };
type OtherPart = Exclude<ContentPart, PagePart>;

/** The result of a scrape: the content parts, and whether they are complete. A part that was not requested is null or absent. */
export interface ScrapedData
  extends PageValues,
    Readonly<{ [Part in OtherPart]?: ContentValue<Part> | null }> {
  /** Values of `extracted` that are missing or do not match the schema; null without a schema. */
  readonly extractErrors?: readonly ExtractError[] | null;
  /** MIME type of the scraped document: `text/html`, `application/pdf`. */
  readonly contentType?: string;
  /** The file that the browser downloaded instead of showing a page. */
  readonly file?: { readonly url: string; readonly name: string };
  /** True if content is missing: `cursor` continues it, or `incomplete` names a part that no request returns whole. */
  readonly truncated?: boolean;
  readonly cursor?: string | null;
  /** Names of the parts that a limit cut without a way to read the rest. */
  readonly incomplete?: readonly IncompletePart[];
}

/** An extracted value that is missing or does not match the caller's schema. */
export interface ExtractError {
  /** Dotted path in the value: `items.0.price`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** Returns the values without characters that people cannot see, with names and titles on one line. */
export function encodeScraped<
  Values extends Pick<
    PageValues,
    'mainContent' | 'markdown' | 'text' | 'links' | 'images' | 'structured' | 'metadata'
  >,
>(values: Values): Values {
  const { mainContent, markdown, text: plain, links, images, structured, metadata } = values;
  return {
    ...values,
    mainContent: mainContent && normalizeLines(mainContent),
    markdown: markdown && normalizeLines(markdown),
    text: plain && normalizeLines(plain),
    links: links?.map(link => ({ ...link, text: normalizeText(link.text) })) ?? null,
    images: images?.map(image => ({ ...image, alt: image.alt && normalizeText(image.alt) })) ?? null,
    structured: structured?.map(encodeJson) ?? null,
    metadata:
      metadata &&
      (Object.fromEntries(
        Object.entries(metadata).map(([name, text]) => [name, text && normalizeText(text)]),
      ) as unknown as typeof metadata),
  };
}

function encodeJson(value: Json): Json {
  if (typeof value === 'string') return normalizeLines(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(encodeJson);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [normalizeText(name), encodeJson(inner)]),
  );
}
