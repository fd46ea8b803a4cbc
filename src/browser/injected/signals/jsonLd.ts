/** Reads JSON-LD from `script` elements. */
import type { Json } from '../../../domain/json.ts';
import { queryAllDocument, textContent } from '../dom/domGetters.ts';
import { isWithinJsonDepth } from './jsonDepth.ts';

/** Maximum length of all JSON-LD blocks of a page together; a block that would exceed it is skipped. */
const MAX_TEXT_CHARACTERS = 1_000_000;

export interface StructuredItems {
  readonly items: Json[];
  /** True if a limit cut the list. */
  readonly isTruncated: boolean;
}

/** Returns the objects of the page's JSON-LD. Lists are flattened; invalid blocks are skipped. */
export const jsonLdItems = (page: Document): Json[] => readJsonLd(page).items;

/** Skips blocks that are too large or nested too deeply, and then sets `isTruncated`. */
export function readJsonLd(page: Document): StructuredItems {
  const found: Json[] = [];
  let isTruncated = false;
  let left = MAX_TEXT_CHARACTERS;
  for (const script of queryAllDocument(page, 'script[type="application/ld+json" i]')) {
    const text = textContent(script) ?? '';
    if (text.length > left) {
      isTruncated = true;
      continue;
    }
    left -= text.length;
    const value = parse(text);
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || typeof item !== 'object') continue;
      if (isWithinJsonDepth(item)) found.push(item);
      else isTruncated = true;
    }
  }
  return { items: found, isTruncated };
}

const OPENING = /^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)/;
const CLOSING = /(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)$/;

/** Parses JSON; accepts it in a comment or CDATA section, and with strings that contain line breaks, as some sites write it. */
function parse(text: string): Json {
  const inside = text.trim().replace(OPENING, '');
  const bare = (inside.endsWith(';') ? inside.slice(0, -1).trimEnd() : inside).replace(CLOSING, '');
  for (const attempt of [bare, bare.replace(/[\n\r\t]+/g, ' ')])
    try {
      return JSON.parse(attempt) as Json;
    } catch {
      // Invalid JSON is an error of the page: the caller cannot correct it.
    }
  return null;
}
