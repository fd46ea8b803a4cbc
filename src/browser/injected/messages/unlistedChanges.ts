/** Tells what a step has changed that no text and no line of the list tells: attributes, such as the class of a seat of a plan, pictures on canvases, and style sheets. */

import {
  boxOf,
  checkVisibility,
  composedParent,
  getAttribute,
  isConnected,
  isElement,
  localName,
  matches,
  queryDocument,
  queryFragment,
  styleSheets,
} from '../dom/domGetters.ts';
import { Compared, documentState } from '../dom/lifetimes.ts';
import { orNull } from '../dom/skipped.ts';
import { isPassingClass } from '../perceive/controlLooks.ts';
import { normalizeText, quote, truncate } from '../perceive/element/plainText.ts';
import { visibleText } from '../perceive/element/renderedText.ts';
import { foundShadowRoots } from '../perceive/element/shadowRootOf.ts';
import { unlistedPictures } from '../perceive/focusAndPictures.ts';
import { accessibleName } from '../perceive/name/accessibleName.ts';
import { isBackgroundNode } from '../settle/quiet.ts';
import { VISIBLE } from './textOwners.ts';

/** Attributes that say where the focus or the pointer is, what belongs together, or what a field holds, and not how an element looks. */
const UNSEEN =
  /^(?:id|name|for|tabindex|value|autocomplete|nonce|srcset|sizes|aria-(?:hidden|activedescendant|controls|described.*|label.*|owns|live|atomic|relevant|setsize|posinset|modal|haspopup|autocomplete)|.*(?:focus|hover|press|ripple).*)$/;
/** Styles that pass, or that nobody sees. */
const PASSING_STYLE = /^(?:transition|animation|will-change|cursor|pointer-events|user-select)/;
/** Maximum number of elements whose attributes are compared, and of those that are named. */
const MAX_COMPARED = 400;
const MAX_NAMED = 3;
/** Maximum number of attributes of one element that are compared, and of its changes that are told. */
const MAX_ATTRIBUTES = 8;
const MAX_CHANGES = 3;
/** Maximum length of the words that name an element, and of those of one attribute. Characters. */
const MAX_LABEL = 24;
const MAX_WORDS = 40;

/** The attributes that steps have changed since the last observation, as they were before; and what the last observation has told. */
const changes = documentState.value(() => ({
  before: new Map<Element, Map<string, string | null>>(),
  told: '',
}));
const looks = documentState.value(() => new Compared<Looks>({ pictures: new Map(), rules: null }));

/** Looks of a document beside its elements. */
interface Looks {
  readonly pictures: ReadonlyMap<Element, number>;
  /** The rules in force, each with its text; null before the first list. A sheet that cannot be read stands for its rules. */
  readonly rules: ReadonlyMap<CSSStyleRule | CSSStyleSheet, string> | null;
}

/** Maximum number of rules that are read of the sheets of scripts, and of those of files: a change in what follows is not told. */
const MAX_RULES = 2_000;
/** Maximum number of rules whose text is compared: the others are replaced, not changed in place. */
const MAX_RULE_TEXTS = 200;
/** Maximum number of searches for an element that has a changed rule, and their time in milliseconds: a use that is not found until then is not told. */
const MAX_SEARCHES = 1_000;
const MAX_SEARCH_MS = 30;

export function noteAttributeChange({ target, attributeName, oldValue }: MutationRecord): void {
  if (!isElement(target) || attributeName === null || UNSEEN.test(attributeName)) return;
  const { before } = changes();
  const known = before.get(target);
  if (known === undefined) {
    if (before.size < MAX_COMPARED) before.set(target, new Map([[attributeName, oldValue]]));
  } else if (!known.has(attributeName) && known.size < MAX_ATTRIBUTES) known.set(attributeName, oldValue);
}

/** Returns what the step changed, such as `attributes of 2 elements: "A5" (class "taken"), …`; with `repeats` also the same as the last time. */
export function unlistedChanges(repeats: boolean): string {
  looks().begin(repeats);
  looks().now = { pictures: new Map(unlistedPictures()), rules: rulesInForce() };
  return [changedAttributes(repeats), ...changedLooks(looks())].filter(text => text !== '').join(', and ');
}

function changedLooks({ before, now }: Compared<Looks>): string[] {
  const canvases = [...now.pictures].filter(
    ([canvas, hash]) => before.pictures.has(canvas) && before.pictures.get(canvas) !== hash,
  );
  return [
    ...canvases.map(([canvas]) => `the picture of ${labelOf(canvas)}`),
    ...(before.rules !== null && now.rules !== null && haveChanged(before.rules, now.rules)
      ? ['the style sheets']
      : []),
  ];
}

/** Reads the style rules of the document and its shadow trees, each sheet once, those of scripts first: these change most. */
function rulesInForce(): NonNullable<Looks['rules']> {
  const found: NonNullable<Looks['rules']> & Map<CSSStyleRule | CSSStyleSheet, string> = new Map();
  const read = new Set<CSSStyleSheet>();
  let left = MAX_RULES;
  const add = (rules: CSSRuleList): void => {
    for (let nth = 0; nth < rules.length && left > 0; nth++) {
      left--;
      const rule = rules[nth];
      if (rule instanceof CSSStyleRule) found.set(rule, found.size < MAX_RULE_TEXTS ? rule.cssText : '');
      else if (rule instanceof CSSImportRule) addSheet(rule.styleSheet);
      else if (rule instanceof CSSMediaRule ? applies(rule.media) : rule instanceof CSSGroupingRule)
        add((rule as CSSGroupingRule).cssRules);
    }
  };
  const addSheet = (sheet: CSSStyleSheet | null): void => {
    if (sheet === null || read.has(sheet) || sheet.disabled || !applies(sheet.media)) return;
    read.add(sheet);
    // A sheet of another origin cannot be read.
    const rules = orNull(() => sheet.cssRules);
    if (rules === null) found.set(sheet, sheet.href ?? '');
    else add(rules);
  };
  const sheets = [document, ...foundShadowRoots()].flatMap(root => [
    ...root.adoptedStyleSheets,
    ...(root === document ? styleSheets(document) : []),
  ]);
  const { true: ofScripts = [], false: ofFiles = [] } = Object.groupBy(
    new Set(sheets),
    ({ href }) => `${href === null}` as const,
  );
  for (const group of [ofScripts, ofFiles]) {
    left = MAX_RULES;
    for (const sheet of group) addSheet(sheet);
  }
  return found;
}

const applies = ({ mediaText }: MediaList): boolean => mediaText === '' || matchMedia(mediaText).matches;

/** Returns true if rules came, went or changed that an element of now has; a sheet that was written anew with the same rules is no change. */
function haveChanged(before: NonNullable<Looks['rules']>, now: NonNullable<Looks['rules']>): boolean {
  const textsOf = (
    rules: typeof now,
    others: typeof now,
  ): ReadonlyMap<string, CSSStyleRule | CSSStyleSheet> =>
    new Map(
      [...rules]
        .filter(([rule, text]) => others.get(rule) !== text)
        .map(([rule, text]) => [text === '' && rule instanceof CSSStyleRule ? rule.cssText : text, rule]),
    );
  const [gone, come] = [textsOf(before, now), textsOf(now, before)];
  const end = performance.now() + MAX_SEARCH_MS;
  let left = MAX_SEARCHES;
  const maySearch = (): boolean => left-- > 0 && performance.now() < end;
  return [...gone, ...come].some(
    ([text, rule]) =>
      gone.has(text) !== come.has(text) && (rule instanceof CSSStyleSheet || isUsed(rule, maySearch)),
  );
}

const PSEUDO_ELEMENT = /::[\w-]+(?:\([^)]*\))?|:(?:before|after)\b/g;

/** Returns true if an element has the rule now, or if its selector cannot be asked. */
function isUsed({ selectorText }: CSSStyleRule, maySearch: () => boolean): boolean {
  const selector = selectorText.replaceAll(PSEUDO_ELEMENT, '').replaceAll(/(^|[\s>+~,(])(?=$|[,)])/g, '$1*');
  const roots = [document, ...foundShadowRoots()];
  return roots.some(
    root =>
      (root instanceof ShadowRoot && /:host|::slotted/.test(selectorText)) ||
      (maySearch() &&
        orNull(
          () =>
            (root === document
              ? queryDocument(document, selector)
              : queryFragment(root as ShadowRoot, selector)) !== null,
        ) !== false),
  );
}

function changedAttributes(repeats: boolean): string {
  const { before, told } = changes();
  if (repeats && before.size === 0) return told;
  const changed = [...before].flatMap(([element, attributes]) => {
    const words = isConnected(element) && !isBackgroundNode(element) ? differences(element, attributes) : '';
    return words === '' || !isShownOrHidden(element) ? [] : [{ element, words }];
  });
  const named = changed.slice(0, MAX_NAMED).map(({ element, words }) => `${labelOf(element)} (${words})`);
  const count = `attributes of ${changed.length} element${changed.length === 1 ? '' : 's'}`;
  const more = changed.length > MAX_NAMED ? ', …' : '';
  const text = changed.length === 0 ? '' : `${count}: ${named.join(', ')}${more}`;
  Object.assign(changes(), { before: new Map(), told: text });
  return text;
}

/** Returns true for an element that people see, or that the step has hidden in a box that they see. */
function isShownOrHidden(element: Element): boolean {
  const parent = composedParent(element);
  return checkVisibility(element, VISIBLE) || (parent !== null && checkVisibility(parent, VISIBLE));
}

/** Returns the text of an element that is not the whole document, or its name; else its tag and its middle, in pixels of the window. */
function labelOf(element: Element): string {
  if (matches(element, 'html, body')) return localName(element);
  const text =
    visibleText(element, null, MAX_LABEL * 2) || accessibleName(element, localName(element), false);
  if (text !== '') return quote(truncate(text, MAX_LABEL));
  const { left, top, width, height } = boxOf(element);
  const tag = localName(element).includes('-') ? 'element' : localName(element);
  return window === window.top
    ? `${tag} at ${Math.round(left + width / 2)},${Math.round(top + height / 2)}`
    : tag;
}

function differences(element: Element, before: ReadonlyMap<string, string | null>): string {
  const words: string[] = [];
  for (const [name, old] of before) {
    const now = getAttribute(element, name);
    if (now === old) continue;
    if (name === 'class') words.push(...partWords('class', partsOf(old, /\s+/), partsOf(now, /\s+/)));
    else if (name === 'style') words.push(...partWords('style', partsOf(old, /;/), partsOf(now, /;/)));
    else {
      // A page can give an attribute any name, also one with quotation marks.
      const shown = truncate(name.replaceAll(/[^\w:.-]/g, ''), MAX_LABEL);
      if (now === null) words.push(`no ${shown}`);
      else words.push(now.length > MAX_WORDS ? shown : `${shown} ${quote(normalizeText(now))}`);
    }
  }
  return words.slice(0, MAX_CHANGES).join(', ') + (words.length > MAX_CHANGES ? ', …' : '');
}

const partsOf = (text: string | null, separator: RegExp): readonly string[] =>
  (text ?? '')
    .split(separator)
    .map(part => part.trim())
    .filter(part => part !== '');

function partWords(name: 'class' | 'style', before: readonly string[], now: readonly string[]): string[] {
  const isPassing = (part: string): boolean =>
    name === 'class' ? isPassingClass(part) : PASSING_STYLE.test(part);
  const wordsOf = (parts: readonly string[]): string =>
    quote(truncate(parts.join(name === 'class' ? ' ' : '; '), MAX_WORDS));
  const added = [...new Set(now).difference(new Set(before))].filter(part => !isPassing(part));
  const removed = [...new Set(before).difference(new Set(now))].filter(part => !isPassing(part));
  // A style that is gone is one of the same property, as a rule.
  const isGone = removed.length > 0 && (name === 'class' || added.length === 0);
  return [
    ...(added.length > 0 ? [`${name} ${wordsOf(added)}`] : []),
    ...(isGone ? [`no ${name} ${wordsOf(removed)}`] : []),
  ];
}
