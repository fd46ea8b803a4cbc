/** Long content in parts: each answer has one, and a cursor to the next. */
import type { ScrapedData } from './page.ts';

/** Bound of each text of an answer when nothing is said, in characters (UTF-16 units). */
export const DEFAULT_MAX_CHARACTERS = 1_000_000;
export const LOWEST_MAX_CHARACTERS = 1_000;
export const HIGHEST_MAX_CHARACTERS = 10_000_000;

/** Which part of the content is asked for. */
export interface ContentPart {
  readonly maxCharacters: number;
  /** As an earlier answer gave it; null from the beginning. */
  readonly cursor: string | null;
}

/** What a cursor looks like: how far main content, markdown and text were told. */
export const CURSOR_FORM = /^(\d{1,9})-(\d{1,9})-(\d{1,9})$/;

const TEXTS = ['mainContent', 'markdown', 'text'] as const;

/** The part of the content that is asked for. All parts put together are the whole, as long as the page stays as it is. */
export function contentPart(data: ScrapedData, { maxCharacters, cursor }: ContentPart): ScrapedData {
  const starts =
    CURSOR_FORM.exec(cursor ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const ends = TEXTS.map((name, nth) => endOf(data[name] ?? '', starts[nth] ?? 0, maxCharacters, name));
  const part = (name: (typeof TEXTS)[number], nth: number): string | null =>
    data[name]?.slice(starts[nth] ?? 0, ends[nth]) ?? null;
  const truncated = TEXTS.some((name, nth) => (ends[nth] ?? 0) < (data[name]?.length ?? 0));
  return {
    ...data,
    mainContent: part('mainContent', 0),
    markdown: part('markdown', 1),
    text: part('text', 2),
    truncated,
    cursor: truncated ? ends.join('-') : null,
  };
}

/** Markup is cut behind a tag and text behind a line or a word, where there is one in the last half. */
function endOf(text: string, start: number, max: number, name: (typeof TEXTS)[number]): number {
  const hard = start + max;
  if (hard >= text.length) return Math.max(start, text.length);
  const floor = start + Math.floor(max / 2);
  for (const mark of name === 'mainContent' ? ['>'] : ['\n', ' ']) {
    const found = text.lastIndexOf(mark, hard - 1);
    if (found > floor) return found + 1;
  }
  const splitsPair = /[\ud800-\udbff]/.test(text[hard - 1] ?? '');
  return splitsPair ? hard - 1 : hard;
}
