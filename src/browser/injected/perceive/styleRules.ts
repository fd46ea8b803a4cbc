/** Reads the style sheets: which elements show others on hover, and whether rules generate text. */
import { matches, queryAllDocument, styleSheets } from '../dom/domGetters.ts';

/** Effects of the style sheets of a document that an observation needs. */
export interface StyleRules {
  /** Returns true if a style rule shows another element while the pointer is over this one. */
  readonly opensOnHover: (element: Element) => boolean;
  /** True when any rule generates text (`::before`, `::after`). */
  readonly generatesText: boolean;
}

/** The result of reading one style sheet. */
interface SheetScan {
  /** Selectors of elements that show another element on hover. */
  readonly triggers: ReadonlySet<string>;
  readonly generatesText: boolean;
}

/** Maximum number of rules that are read from one style sheet. */
const MAX_RULES = 6_000;
/** Maximum number of hover selectors of all style sheets of a document. */
const MAX_TRIGGERS = 200;

const scans = new WeakMap<CSSStyleSheet, { readonly rules: number; readonly scan: SheetScan }>();

/**
 * Reads the style sheets of the document; a sheet with an unchanged number of rules comes from the
 * cache. A sheet of another origin cannot be read and counts as one that generates text.
 */
export function readStyleRules(document: Document): StyleRules {
  const triggers = new Set<string>();
  let generatesText = false;
  for (const sheet of Array.from(styleSheets(document))) {
    const scan = scanSheet(sheet);
    for (const trigger of scan.triggers) if (triggers.size < MAX_TRIGGERS) triggers.add(trigger);
    generatesText ||= scan.generatesText;
  }
  const openers = new Set<Element>();
  if (triggers.size > 0)
    for (const element of Array.from(queryAllDocument(document, [...triggers].join(','))))
      openers.add(element);
  return { opensOnHover: element => openers.has(element), generatesText };
}

function scanSheet(sheet: CSSStyleSheet): SheetScan {
  let rules: CSSRuleList;
  try {
    if (sheet.disabled) return { triggers: new Set(), generatesText: false };
    rules = sheet.cssRules;
  } catch {
    // The sheet belongs to another origin.
    return { triggers: new Set(), generatesText: true };
  }
  const known = scans.get(sheet);
  if (known !== undefined && known.rules === rules.length) return known.scan;
  const result = { triggers: new Set<string>(), generatesText: false, left: MAX_RULES };
  scanRules(rules, result);
  const scan = { triggers: result.triggers, generatesText: result.generatesText };
  scans.set(sheet, { rules: rules.length, scan });
  return scan;
}

function scanRules(
  rules: CSSRuleList,
  result: { triggers: Set<string>; generatesText: boolean; left: number },
): void {
  for (const rule of Array.from(rules)) {
    if (result.left-- <= 0) return;
    if (rule instanceof CSSStyleRule) {
      if (ruleGeneratesText(rule)) result.generatesText = true;
      if (rule.selectorText.includes(':hover') && revealsElement(rule.style))
        for (const trigger of hoverTriggers(rule.selectorText)) result.triggers.add(trigger);
    } else if (rule instanceof CSSGroupingRule) scanRules(rule.cssRules, result);
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
function isSelector(text: string): boolean {
  if (text.split('(').length !== text.split(')').length) return false;
  try {
    matches(document.createElement('i'), text);
    return true;
  } catch {
    return false;
  }
}
