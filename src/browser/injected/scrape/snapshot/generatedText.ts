/** Texts that style sheets add before and after elements: `.required::after { content: " (required)" }`. */
import * as dom from '../../dom/domGetters.ts';
import { CounterScopes } from './counterScopes.ts';

/** The texts before and after an element's content; empty if there is none. */
export interface GeneratedText {
  readonly before: string;
  readonly after: string;
}

/** Maximum number of rules that are read. */
const MAX_RULES = 5_000;
/** Maximum number of elements whose generated text is read. */
const MAX_ELEMENTS = 2_000;
const PSEUDO = /::?(before|after)\b/;
/** Matches a text with words: two letters, or a digit. */
const WORDS = /\p{L}{2}|[\p{N}\p{Sc}%°✓✔✗✘✕✖☑☒]/u;
/** Matches a value of `content` that has such a text in quotation marks. */
const QUOTED_WORDS = new RegExp(`["'][^"']*(?:${WORDS.source})`, 'u');
/** Matches a value of `content` that comes from elsewhere: a counter, an attribute. */
const REFERENCE = /\b(?:counters?|attr)\(/;
const SYMBOL_FONT = /icon|symbol|awesome|glyph/i;
type Pseudo = '::before' | '::after';

/** The selectors of a page's style sheets, without their pseudo-elements. */
interface Selectors {
  /** Of elements with text before or after them. */
  readonly texts: Set<string>;
  /** Of elements that change a counter. */
  readonly counters: Set<string>;
  usesCounters: boolean;
}

/** Returns the generated texts of a page's elements. Reads style sheets, because asking each element for its style takes too long. */
export function generatedTexts(page: Document): ReadonlyMap<Element, GeneratedText> {
  const selectors = readSelectors(page);
  const withText = elementsOf(page, selectors.texts);
  const counting = selectors.usesCounters ? elementsOf(page, selectors.counters) : new Set<Element>();
  const scopes = new CounterScopes();
  const found = new Map<Element, GeneratedText>();
  // What stands after an element counts after its descendants.
  const open: { readonly element: Element; readonly before: string }[] = [];
  const closeUntil = (next: Element | null): void => {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { element, before } = last;
      if (next !== null && dom.contains(element, next)) return;
      open.pop();
      if (counting.has(element)) scopes.count(element, getComputedStyle(element, '::after'));
      const after = withText.has(element) ? textOf(element, '::after', scopes) : '';
      if (before !== '' || after !== '') found.set(element, { before, after });
    }
  };
  // Counters count in the order of the document.
  for (const element of selectors.usesCounters ? dom.elementsByTag(page, '*') : withText) {
    if (!withText.has(element) && !counting.has(element)) continue;
    if (found.size + open.length >= MAX_ELEMENTS) break;
    if (counting.has(element) && !isRendered(element)) counting.delete(element);
    closeUntil(element);
    if (counting.has(element)) {
      scopes.count(dom.parentElement(element), getComputedStyle(element));
      scopes.count(element, getComputedStyle(element, '::before'));
    }
    open.push({ element, before: withText.has(element) ? textOf(element, '::before', scopes) : '' });
  }
  closeUntil(null);
  return found;
}

const isRendered = (element: Element): boolean =>
  dom.clientRects(element).length > 0 || getComputedStyle(element).display === 'contents';

function readSelectors(page: Document): Selectors {
  const selectors: Selectors = {
    texts: new Set(),
    counters: new Set(['[style*="counter-"]']),
    usesCounters: false,
  };
  let left = MAX_RULES;
  const read = (rules: CSSRuleList): void => {
    for (const rule of rules) {
      if (left-- <= 0) return;
      if (rule instanceof CSSStyleRule) addSelectors(rule, selectors);
      else if (rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches) continue;
      else if ('cssRules' in rule) read(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of dom.styleSheets(page)) {
    const rules = rulesOf(sheet);
    if (rules !== null) read(rules);
  }
  return selectors;
}

function addSelectors({ selectorText, style }: CSSStyleRule, selectors: Selectors): void {
  const { content, counterReset, counterIncrement, counterSet } = style;
  const hasText = PSEUDO.test(selectorText) && (REFERENCE.test(content) || QUOTED_WORDS.test(content));
  const counts = counterReset !== '' || counterIncrement !== '' || counterSet !== '';
  if (!hasText && !counts) return;
  selectors.usesCounters ||= hasText && /\bcounters?\(/.test(content);
  for (const part of selectorText.split(/,(?![^(]*\))/)) {
    const isPseudo = PSEUDO.test(part);
    const selector = part.replace(PSEUDO, '').trim() || '*';
    if (isPseudo && hasText) selectors.texts.add(selector);
    if (counts) selectors.counters.add(selector);
  }
}

/** Returns the rules of a style sheet; null for one of another origin, which scripts cannot read. */
function rulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch {
    return null;
  }
}

function elementsOf(page: Document, selectors: Iterable<string>): Set<Element> {
  const elements = new Set<Element>();
  for (const selector of selectors)
    try {
      for (const element of dom.queryAllDocument(page, selector)) elements.add(element);
    } catch {
      // What is left without its pseudo-element is no selector.
    }
  return elements;
}

/** A part of `content`: a quoted text, a counter, an attribute. */
const PART =
  /"((?:[^"\\]|\\.)*)"|counters?\(\s*([\w-]+)\s*(?:,\s*"((?:[^"\\]|\\.)*)"\s*)?(?:,\s*([\w-]+)\s*)?\)|attr\(\s*([\w-]+)\s*\)/y;

function textOf(element: Element, pseudo: Pseudo, scopes: CounterScopes): string {
  const style = getComputedStyle(element, pseudo);
  const { content, display, visibility, fontSize, fontFamily, opacity } = style;
  if (content === 'none' || display === 'none' || visibility !== 'visible' || fontSize === '0px') return '';
  if (opacity === '0' || isFlat(style) || SYMBOL_FONT.test(fontFamily)) return '';
  const text = readContent(content, element, scopes);
  if (text === null || /[\ue000-\uf8ff]/.test(text)) return '';
  const isReference = REFERENCE.test(content);
  if (!WORDS.test(text) && !(isReference && /[\p{L}\p{N}]/u.test(text))) return '';
  // Numbers of lines of code; a copy of the element's own text, laid over or under it.
  if (isReference && style.getPropertyValue('white-space-collapse') === 'preserve') return '';
  if (text.trim() === (dom.textContent(element) ?? '').trim()) return '';
  return display === 'inline' && !hasGap(style, pseudo, text)
    ? text
    : pseudo === '::before'
      ? `${text} `
      : ` ${text}`;
}

/** Returns true for a box that style makes so flat that it shows nothing: a text that appears when the pointer is over its element. */
function isFlat({ transform, width, height, overflowX }: CSSStyleDeclaration): boolean {
  const [a = 1, b = 0, c = 0, d = 1] = transform.startsWith('matrix(')
    ? transform.slice(7).split(',').map(Number.parseFloat)
    : [];
  return a * d === b * c || (overflowX !== 'visible' && (width === '0px' || height === '0px'));
}

/** Returns true if style leaves a gap between a text of letters and digits and the element's content. */
function hasGap(style: CSSStyleDeclaration, pseudo: Pseudo, text: string): boolean {
  const { marginLeft, marginRight, paddingLeft, paddingRight } = style;
  const isBefore = pseudo === '::before';
  const gap = isBefore ? [marginRight, paddingRight] : [marginLeft, paddingLeft];
  const border = isBefore ? text.at(-1) : text[0];
  return /[\p{L}\p{N}.:)]/u.test(border ?? '') && gap.some(width => Number.parseFloat(width) > 0);
}

/** Returns the text of a value of `content`; null if a part of it is no text: a picture, a counter without digits. */
function readContent(content: string, element: Element, scopes: CounterScopes): string | null {
  let text = '';
  let at = 0;
  while (at < content.length && content[at] !== '/') {
    PART.lastIndex = at;
    const part = PART.exec(content);
    if (part === null) return null;
    const [whole, quoted, counter, separator, format, attribute] = part;
    const piece =
      quoted !== undefined
        ? unescaped(quoted)
        : attribute !== undefined
          ? (dom.getAttribute(element, attribute) ?? '')
          : scopes.text(
              element,
              counter ?? '',
              separator === undefined ? null : unescaped(separator),
              format,
            );
    if (piece === null) return null;
    text += piece;
    at += whole.length;
    while (content[at] === ' ') at++;
  }
  return text;
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

/** Returns the number that a style sheet writes before an item of an ordered list in place of the list's own; undefined for other texts. */
export const itemNumber = (text: string, item: Element, list: Element): string | undefined =>
  item.localName === 'li' && list.localName === 'ol'
    ? /^[\s([]*(\d{1,9})[\s.):\]]*$/.exec(text)?.[1]
    : undefined;
