/** JSON-LD (schema.org's usual carrier) from `script` elements. */
import type { Json } from '../../../domain/page.ts';
import { isShallow } from '../shallow.ts';
import { ownText, select } from './live.ts';

/** Of all blocks together; more is not metadata. Characters. */
const MOST_TEXT = 1_000_000;

/** What was found, and whether there was more than is read. */
export interface Found {
  readonly items: Json[];
  readonly cut: boolean;
}

/** The objects of the page's JSON-LD; lists are laid flat, what does not parse is left out. */
export const jsonLd = (page: Document): Json[] => readJsonLd(page).items;

/** As `jsonLd`; a block that is too large or too deep is left out, and that is said. */
export function readJsonLd(page: Document): Found {
  const found: Json[] = [];
  let cut = false;
  let left = MOST_TEXT;
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
      if (isShallow(item)) found.push(item);
      else cut = true;
    }
  }
  return { items: found, cut };
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
