/** Splits long content into several responses: each returns a chunk of every text and list, and a cursor for the next chunk. */

import type { Json } from '../json.ts';
import { CHUNKED_PARTS, type ChunkedPart } from './contentParts.ts';
import type { ScrapedData } from './scrapedData.ts';

/** Default of `max_characters` in UTF-16 units: the maximum size of each text and each list (as JSON) in one response. */
export const DEFAULT_MAX_CHARACTERS = 1_000_000;
/** Lowest `max_characters` that a request can set, in UTF-16 units. */
export const LOWEST_MAX_CHARACTERS = 1_000;
/** Highest `max_characters` that a request can set, in UTF-16 units. */
export const HIGHEST_MAX_CHARACTERS = 10_000_000;

/** Selects the chunk of the scraped content that a response returns: where it starts and how long it is. */
export interface ChunkRequest {
  /** Maximum size of each text and each list (as JSON) in the response, in UTF-16 units. */
  readonly maxCharacters: number;
  /** Cursor of an earlier response: the chunk starts where that response ended. Null for the first chunk. */
  readonly cursor: string | null;
}

/** Number of offsets in the shortest cursor that is accepted: cursors of the first release had this many. */
const MIN_CURSOR_OFFSETS = 6;
/**
 * Matches a cursor: one offset for each text and list, in the order of `CHUNKED_PARTS`, separated by `-`. Offsets that are
 * missing at the end are 0, because newer parts were added there.
 */
export const CURSOR_PATTERN = new RegExp(
  `^\\d{1,9}(-\\d{1,9}){${MIN_CURSOR_OFFSETS - 1},${CHUNKED_PARTS.length - 1}}$`,
);

/**
 * Returns the data with only the requested chunk of each text and list, and with the cursor of the next chunk (null after
 * the last chunk). The chunks in order make up the whole content, if the page does not change meanwhile.
 */
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

/**
 * Returns the offset at which a chunk of a text ends, at most `max` after `start`. HTML ends after a tag and other text
 * after a line or a word, if there is one in the last half of the chunk.
 */
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
