/** Reads the style sheets: which elements show others on hover, and whether rules generate text. */

import { matches, queryAllDocument, styleSheets } from '../../dom/domGetters.ts';
import { orNull } from '../../dom/skipped.ts';

/** Effects of the style sheets of a document that an observation needs. */
export interface StyleRules {
  /** Returns true if a style rule shows another element while the pointer is over this one. */
  readonly opensOnHover: (element: Element) => boolean;
  readonly hasHoverRules: boolean;
  /** Returns the cursor that a style rule gives the element while the pointer is over it; empty for none. */
  readonly cursorOnHover: (element: Element) => string;
  readonly generatesText: boolean;
  /** A selector of the elements for which rules generate text; null if it is not known. */
  readonly generators: string | null;
}

/** Effects of one style sheet, or of all of them. */
class SheetScan {
  /** Selectors of elements that show another element on hover. */
  readonly triggers = new Set<string>();
  /** The cursor that elements have while the pointer is over them, by their selector. */
  readonly cursors = new Map<string, string>();
  /** Selectors of the elements for which rules generate text. */
  readonly generators = new Set<string>();
  generatesText = false;
  /** False if `generators` lacks one. */
  areKnown = true;
  left = MAX_RULES;
}

/** Maximum number of rules that are read from one style sheet. */
const MAX_RULES = 6_000;
/** Maximum number of hover selectors of all style sheets of a document. */
const MAX_TRIGGERS = 200;
/** Maximum number of selectors of generated text: with more, asking for the text takes less time than comparing an element with them. */
const MAX_GENERATORS = 60;

const scans = new WeakMap<CSSStyleSheet, { readonly rules: number; readonly scan: SheetScan }>();

/** Reads the style sheets. One of another origin cannot be read, and counts as one that generates text. */
export function readStyleRules(document: Document): StyleRules {
  const all = new SheetScan();
  const { triggers, cursors, generators } = all;
  all.areKnown = document.adoptedStyleSheets.length === 0;
  for (const sheet of Array.from(styleSheets(document))) {
    const scan = scanSheet(sheet);
    for (const trigger of scan.triggers) if (triggers.size < MAX_TRIGGERS) triggers.add(trigger);
    for (const [selector, cursor] of scan.cursors)
      if (cursors.size < MAX_TRIGGERS) cursors.set(selector, cursor);
    all.generatesText ||= scan.generatesText;
    all.areKnown &&= scan.areKnown;
    for (const generator of scan.generators) generators.add(generator);
  }
  const openers = new Set<Element>();
  if (triggers.size > 0)
    for (const element of queryAllDocument(document, [...triggers].join(','))) openers.add(element);
  const pointed = new Map<Element, string>();
  for (const [cursor, selectors] of Map.groupBy(cursors.keys(), selector => cursors.get(selector) ?? ''))
    for (const element of queryAllDocument(document, selectors.join(','))) pointed.set(element, cursor);
  const isListed = all.areKnown && generators.size > 0 && generators.size <= MAX_GENERATORS;
  return {
    opensOnHover: element => openers.has(element),
    hasHoverRules: openers.size > 0,
    cursorOnHover: element => pointed.get(element) ?? '',
    generatesText: all.generatesText,
    generators: isListed ? [...generators].join(',') : null,
  };
}

function scanSheet(sheet: CSSStyleSheet): SheetScan {
  const scan = new SheetScan();
  if (sheet.disabled) return scan;
  const rules = orNull(() => sheet.cssRules);
  if (rules === null) return Object.assign(scan, { generatesText: true, areKnown: false });
  const known = scans.get(sheet);
  if (known !== undefined && known.rules === rules.length) return known.scan;
  scanRules(rules, scan);
  scans.set(sheet, { rules: rules.length, scan });
  return scan;
}

function scanRules(rules: CSSRuleList, result: SheetScan): void {
  for (const rule of Array.from(rules)) {
    if (result.left-- <= 0) return;
    if (rule instanceof CSSStyleRule) {
      // A nested rule may generate text for elements that it alone names.
      if (rule.cssRules.length > 0) result.areKnown = false;
      if (ruleGeneratesText(rule)) addGenerators(rule.selectorText, result);
      if (rule.selectorText.includes(':hover') && revealsElement(rule.style))
        for (const trigger of hoverTriggers(rule.selectorText)) result.triggers.add(trigger);
      const { cursor } = rule.style;
      if (CURSOR.test(cursor) && rule.selectorText.includes(':hover'))
        for (const selector of hovered(rule.selectorText)) result.cursors.set(selector, cursor);
    } else if (rule instanceof CSSGroupingRule) scanRules(rule.cssRules, result);
  }
}

function addGenerators(selectorText: string, result: SheetScan): void {
  result.generatesText = true;
  for (const selector of splitSelectors(selectorText)) {
    if (!/:(?:before|after)/.test(selector)) continue;
    const own = selector.replace(/::?(?:before|after)\s*$/, '').trim();
    const generator = own === '' || /[>+~]$/.test(own) ? `${own} *` : own;
    if (own.includes(':before') || own.includes(':after') || !isSelector(generator)) result.areKnown = false;
    else result.generators.add(generator);
  }
}

/** Matches values of the CSS property `content` without readable text: empty, or letters of an icon font (Unicode's private use areas). */
const ICON_CONTENT = /^(["'])[\s\u200B\uE000-\uF8FF]*\1$/;

const ruleGeneratesText = (rule: CSSStyleRule): boolean => {
  const { content } = rule.style;
  return (
    content !== '' &&
    !/^(none|normal)$/.test(content) &&
    !ICON_CONTENT.test(content) &&
    /:(before|after)/.test(rule.selectorText)
  );
};

const revealsElement = (style: CSSStyleDeclaration): boolean =>
  (style.display !== '' && style.display !== 'none') ||
  style.visibility === 'visible' ||
  Number(style.opacity) > 0 ||
  (style.maxHeight !== '' && style.maxHeight !== '0px') ||
  style.pointerEvents === 'auto';

const CURSOR = /^(pointer|move|grab)$/;

/** Returns the selectors of the elements whose own hover has the rule, without native controls: `td.day:hover` → `td.day`. */
const hovered = (selectorText: string): string[] =>
  splitSelectors(selectorText)
    .map(selector => selector.trim())
    .filter(selector => /[^\s>+~]:hover$/.test(selector))
    .map(selector => selector.slice(0, -':hover'.length))
    .filter(
      selector =>
        !/:hover|::|(^|[\s>+~])(a|button|input|select|label|\*)[^\s>+~]*$/.test(selector) &&
        isSelector(selector),
    );

/** Returns the selectors of the elements whose hover shows others: `nav li:hover > ul` → `nav li`. */
function hoverTriggers(selectorText: string): string[] {
  const triggers: string[] = [];
  for (const selector of splitSelectors(selectorText)) {
    const at = selector.indexOf(':hover');
    if (at < 0) continue;
    const rest = selector.slice(at + ':hover'.length);
    if (!/[\s>+~]/.test(rest.trimEnd()) || /::/.test(rest)) continue;
    const trigger = selector.slice(0, at).trim();
    if (trigger !== '' && !/[>+~]$/.test(trigger) && isSelector(trigger)) triggers.push(trigger);
  }
  return triggers;
}

/** Splits a selector list at the commas outside of parentheses and brackets. */
const splitSelectors = (selectorText: string): string[] =>
  selectorText.match(/(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|[^,([])+/g) ?? [];

/** Returns true for a valid selector whose parentheses are closed: Chromium accepts an open one, but not inside a list. */
const isSelector = (text: string): boolean =>
  text.split('(').length === text.split(')').length &&
  orNull(() => matches(document.createElement('i'), text)) !== null;
