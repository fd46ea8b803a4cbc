/** Texts that style sheets add before and after elements: `.required::after { content: " (required)" }`. */
import { queryAllDocument, styleSheets } from '../../dom/domGetters.ts';

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
/** Matches a value of `content` with words: a quotation with two letters, or a digit. */
const WORDS = /["'][^"']*(?:\p{L}{2}|[\p{N}\p{Sc}%°✓✔✗✘✕✖☑☒])/u;
const SYMBOL_FONT = /icon|symbol|awesome|glyph/i;

/** Returns the generated texts of a page's elements. Reads style sheets, because asking each element for its style takes too long. */
export function generatedTexts(page: Document): ReadonlyMap<Element, GeneratedText> {
  const found = new Map<Element, GeneratedText>();
  const selectors = new Set<string>();
  let left = MAX_RULES;
  const read = (rules: CSSRuleList): void => {
    for (const rule of rules) {
      if (left-- <= 0) return;
      if (rule instanceof CSSStyleRule) addSelectors(rule, selectors);
      else if ('cssRules' in rule) read(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of styleSheets(page)) {
    const rules = rulesOf(sheet);
    if (rules !== null) read(rules);
  }
  for (const selector of selectors)
    for (const element of elementsOf(page, selector)) {
      if (found.size >= MAX_ELEMENTS) return found;
      if (found.has(element)) continue;
      const text = { before: textOf(element, '::before'), after: textOf(element, '::after') };
      if (text.before !== '' || text.after !== '') found.set(element, text);
    }
  return found;
}

function addSelectors({ selectorText, style }: CSSStyleRule, selectors: Set<string>): void {
  if (!PSEUDO.test(selectorText) || !WORDS.test(style.content)) return;
  for (const part of selectorText.split(/,(?![^(]*\))/))
    if (PSEUDO.test(part)) selectors.add(part.replace(PSEUDO, '').trim() || '*');
}

/** Returns the rules of a style sheet; null for one of another origin, which scripts cannot read. */
function rulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch {
    return null;
  }
}

function elementsOf(page: Document, selector: string): Iterable<Element> {
  try {
    return queryAllDocument(page, selector);
  } catch {
    // What is left without its pseudo-element is no selector.
    return [];
  }
}

function textOf(element: Element, pseudo: '::before' | '::after'): string {
  const { content, display, visibility, fontSize, fontFamily, opacity } = getComputedStyle(element, pseudo);
  if (!WORDS.test(content) || display === 'none' || visibility !== 'visible' || fontSize === '0px') return '';
  if (opacity === '0' || SYMBOL_FONT.test(fontFamily)) return '';
  // Counters and pictures have no text here.
  if (!/^(?:\s*"(?:[^"\\]|\\.)*")+(?:\s*\/.*)?$/.test(content)) return '';
  const text = Array.from(
    content.split(/\s+\/\s+"/)[0]?.matchAll(/"((?:[^"\\]|\\.)*)"/g) ?? [],
    ([, one = '']) => one.replace(/\\(.)/g, '$1'),
  ).join('');
  return /[\ue000-\uf8ff]/.test(text) ? '' : text;
}
