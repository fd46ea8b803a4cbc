/** Reads the text of an element in one line, so that no two values of the page become one: blocks and cells are words of their own. */

const INLINE_ELEMENTS = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr mi mn mo mrow mtext semantics mstyle'.split(
    ' ',
  ),
);

/** Returns the text of an element in one line. */
export function readableText(element: Element): string {
  const parts: string[] = [];
  addText(element, parts);
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function addText(parent: Element, parts: string[]): void {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === 3) parts.push((node as Text).data);
    if (node.nodeType !== 1) continue;
    const element = node as Element;
    const name = element.localName;
    if (name === 'sup' || name === 'sub') parts.push(raisedText(element));
    else if (INLINE_ELEMENTS.has(name)) {
      const isNote = name === 'rt' && needsParentheses(element);
      if (isNote) parts.push('(');
      addText(element, parts);
      if (isNote) parts.push(')');
    } else {
      parts.push(' ');
      addText(element, parts);
      parts.push(' ');
    }
  }
}

/** Returns true for the reading of a character in `ruby` that has no parentheses for browsers without `ruby`. */
export const needsParentheses = (note: Element): boolean =>
  !/^\s*[(（]/.test(note.textContent ?? '') && note.parentElement?.querySelector('rp') == null;

const DIGIT = /\d$/;
const NUMBER = /^[-−+]?\d[\d.,]*$/;
const CURRENCY = /[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|kr|zł|Kč)(?![a-z])/;
/** A longer text around raised digits is not one price. Characters. */
const MAX_PRICE_CHARACTERS = 40;
/** An expression, which would be another number without its parentheses: `n+1`, `2^3`. */
const EXPRESSION = /^[\p{L}\d.,]+(\s?[-−+·*/^]\s?[\p{L}\d.,]+)+$/u;

/** Returns the raised cents of a price with the sign that separates them; null for anything else. */
export function raisedCents(element: Element): string | null {
  const text = (element.textContent ?? '').trim();
  const before = textBefore(element);
  if (!/^[.,]?\d\d$/.test(text) || !/\d[.,]?\s*$/.test(before)) return null;
  const around = element.parentElement?.parentElement?.textContent ?? '';
  const price = (element.parentElement?.textContent ?? '').length < MAX_PRICE_CHARACTERS ? around : '';
  if (price.trim().length >= MAX_PRICE_CHARACTERS || !CURRENCY.test(price)) return null;
  if (/^[.,]/.test(text) || /[.,]\s*$/.test(before)) return text;
  return /\d\.\d{3}$/.test(before) ? `,${text}` : `.${text}`;
}

/**
 * Returns the text of a `sup` or `sub` such that it does not continue a number: `10^3`, `1 1/2`, `1931[1]` for a note. The raised cents of a
 * price follow a point. Elsewhere (`CO2`, `km2`, `12th`) its text is joined.
 */
export function raisedText(element: Element): string {
  const text = readableText(element);
  const before = textBefore(element);
  const after = element.nextSibling?.textContent ?? '';
  if (element.localName === 'sup' && NUMBER.test(text) && /^\s*[/⁄]/.test(after))
    return DIGIT.test(before) ? ` ${text}` : text;
  const isLink = element.querySelector('a') !== null || element.closest('a') !== null;
  if (isLink && element.localName === 'sup' && /^\d{1,3}$/.test(text)) return `[${text}]`;
  if (element.localName === 'sup' && /[\p{L}\d)]$/u.test(before) && EXPRESSION.test(text))
    return `^(${text})`;
  if (!/^[-−+]?[.,]?[\d(]/.test(text)) return text;
  const isVariable =
    VARIABLE.test(before) || OPERAND.test(before) || (LETTER.test(before) && OPERATOR.test(after));
  if (element.localName === 'sup' && !isLink && isVariable) return `^${text}`;
  if (!DIGIT.test(before)) return text;
  if (element.localName === 'sub') return `_${text}`;
  if (isLink) return `[${text}]`;
  return raisedCents(element) ?? `^${text}`;
}

/** A letter of its own. */
const LETTER = /(?<![\p{L}\d])\p{L}$/u;
/** A small one that is no unit, such as `12 s` and `m`; a raised number after a capital letter can be that of a note. */
const VARIABLE = /(?<![\p{L}\d]|\d\s(?=[sgh]))(?!m)\p{Ll}$/u;
const OPERAND = /[=+−*·/<>≤≥]\s?\p{L}$/u;
const OPERATOR = /^\s?[=+−*·/<>≤≥]/;
/** Number of characters before an element that are read. */
const LOOK_BEHIND = 20;

function textBefore(element: Element): string {
  let before = '';
  for (
    let at: Element | null = element, level = 0;
    at !== null && level < 3;
    at = at.parentElement, level++
  ) {
    for (let node = at.previousSibling; node !== null && before.length < LOOK_BEHIND; )
      [before, node] = [(node.textContent ?? '') + before, node.previousSibling];
    if (before.length >= LOOK_BEHIND) break;
    if (at.parentElement === null || !INLINE_ELEMENTS.has(at.parentElement.localName)) break;
  }
  return before.slice(-LOOK_BEHIND);
}
