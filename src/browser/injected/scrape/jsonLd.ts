/** JSON-LD (schema.org's usual carrier) from `script` elements. */
import type { Json } from '../../../domain/json.ts';
import { isWithinJsonDepth } from '../../scrape/jsonDepth.ts';
import { ownText, select } from './liveDom.ts';

/** Of all blocks together; more is not metadata. Characters. */
const MAX_TEXT_CHARACTERS = 1_000_000;

/** What was found, and whether there was more than is read. */
export interface StructuredItems {
  readonly items: Json[];
  readonly truncated: boolean;
}

/** The objects of the page's JSON-LD; lists are laid flat, what does not parse is left out. */
export const jsonLdItems = (page: Document): Json[] => readJsonLd(page).items;

/** As `jsonLd`; a block that is too large or too deep is left out, and that is said. */
export function readJsonLd(page: Document): StructuredItems {
  const found: Json[] = [];
  let cut = false;
  let left = MAX_TEXT_CHARACTERS;
  for (const script of select(page, 'script[type="application/ld+json" i]')) {
    const text = ownText(script) ?? '';
    if (text.length > left) {
      cut = true;
      continue;
    }
    left -= text.length;
    const value = parse(text);
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || typeof item !== 'object') continue;
      if (isWithinJsonDepth(item)) found.push(item);
      else cut = true;
    }
  }
  return { items: found, truncated: cut };
}

const OPENING = /^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)/;
const CLOSING = /(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)$/;

/** Some sites wrap the JSON in a comment or CDATA, or break strings over lines. */
function parse(text: string): Json {
  const inside = text.trim().replace(OPENING, '');
  const bare = (inside.endsWith(';') ? inside.slice(0, -1).trimEnd() : inside).replace(CLOSING, '');
  for (const attempt of [bare, bare.replace(/[\n\r\t]+/g, ' ')])
    try {
      return JSON.parse(attempt) as Json;
    } catch {
      // Not JSON as it stands; the page's fault, and not one that the caller can act on.
    }
  return null;
}
