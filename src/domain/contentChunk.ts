/** Long content in parts: each answer has one, and a cursor to the next. */
import type { Json, ScrapedData } from './page.ts';

/** Bound of each text and of each list of an answer when nothing is said, in characters (UTF-16 units; a list's as JSON). */
export const DEFAULT_MAX_CHARACTERS = 1_000_000;
export const LOWEST_MAX_CHARACTERS = 1_000;
export const HIGHEST_MAX_CHARACTERS = 10_000_000;

/** Which part of the content is asked for. */
export interface ChunkRequest {
  readonly maxCharacters: number;
  /** As an earlier answer gave it; null from the beginning. */
  readonly cursor: string | null;
}

const TEXT_PARTS = ['mainContent', 'markdown', 'text'] as const;
const LIST_PARTS = ['links', 'images', 'structured'] as const;

/** What a cursor looks like: how far each text and each list was told. */
export const CURSOR_PATTERN = /^\d{1,9}(-\d{1,9}){5}$/;

/** The part of the content that is asked for. All parts put together are the whole, as long as the page stays as it is. */
export function contentChunk(data: ScrapedData, { maxCharacters, cursor }: ChunkRequest): ScrapedData {
  const starts = (cursor ?? '').split('-').map(Number);
  const ranges = [...TEXT_PARTS, ...LIST_PARTS].map((name, nth) => {
    const start = starts[nth] ?? 0;
    const all = data[name] ?? '';
    const end =
      typeof all === 'string' ? textEnd(all, start, maxCharacters, name) : listEnd(all, start, maxCharacters);
    return { name, start, end, more: end < all.length };
  });
  const slices = ranges.map(({ name, start, end }) => [name, data[name]?.slice(start, end) ?? null]);
  const hasMore = ranges.some(place => place.more);
  return {
    ...data,
    ...(Object.fromEntries(slices) as Pick<ScrapedData, (typeof TEXT_PARTS | typeof LIST_PARTS)[number]>),
    truncated: hasMore || (data.incomplete ?? []).length > 0,
    cursor: hasMore ? ranges.map(({ end }) => end).join('-') : null,
  };
}

/** Markup is cut behind a tag and text behind a line or a word, where there is one in the last half. */
function textEnd(text: string, start: number, max: number, name: string): number {
  const limit = start + max;
  if (limit >= text.length) return Math.max(start, text.length);
  const earliest = start + Math.floor(max / 2);
  for (const separator of name === 'mainContent' ? ['>'] : ['\n', ' ']) {
    const found = text.lastIndexOf(separator, limit - 1);
    if (found > earliest) return found + 1;
  }
  const splitsSurrogatePair = /[\ud800-\udbff]/.test(text[limit - 1] ?? '');
  return splitsSurrogatePair ? limit - 1 : limit;
}

/** Items are told whole; one that is larger than the bound comes alone. */
function listEnd(list: readonly (Json | object)[], start: number, max: number): number {
  let end = start;
  for (let remaining = max; end < list.length; end++) {
    remaining -= JSON.stringify(list[end]).length + 1;
    if (remaining < 0 && end > start) break;
  }
  return Math.max(start, end);
}
