/** Finds the busy indicators of a page: `aria-busy`, progress bars, spinners, skeletons, "Loading…". */

import { BAR_STILL_MS, GIVEN_UP_REPORTED_MS } from '../../settle/policy.ts';
import { anyCase, ofClassName } from '../dom/classNames.ts';
import {
  bodyOf,
  checkVisibility,
  clientRects,
  closest,
  getAttribute,
  inDocumentOrder,
  innerText,
  isElement,
  localName,
  queryAllDocument,
  queryAllIn,
  queryIn,
  textContent,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { whileTreeStands } from '../dom/whileTreeStands.ts';
import { heldControl } from './stepInput.ts';
import { isEmptyFrame, isUnrevealed, showsLittleElse, UNREVEALED, unfilledPart } from './unfilled.ts';

/** Elements that may be a sign by their state or their role. */
const BY_STATE = '[aria-busy="true"],progress,[role="progressbar"]';
const CLASS_PARTS = ['load', 'spin', 'skeleton', 'shimmer', 'busy', '-pulse', 'placeholder-', 'typing'];
/** Elements that may be a sign. */
const CANDIDATES = [BY_STATE, ...CLASS_PARTS.map(word => anyCase('class', word))].join(',');
const CLASS_PATTERN = new RegExp(CLASS_PARTS.join('|'), 'i');
/** Words of a class that name a sign. */
const SIGN_WORDS = new Set('loading loader preloader spinner spin spinning skeleton shimmer busy'.split(' '));
/** Classes of frameworks for boxes that stand for text to come, and for a reply that is being written; they are signs while they move. */
const MOVING_SIGNS =
  /(?:^| )(?:animate-pulse|placeholder-(?:glow|wave|shimmer)|typing-(?:indicator|dots?))(?: |$)/;
/** Words with which a page says that something is under way, in the languages of most pages. */
const BUSY_WORDS =
  'loading|saving|searching|processing|sending|submitting|uploading|updating|fetching|working|generating|connecting|signing in|logging in|calculating|deleting|importing|refreshing|please wait|one moment|lädt|laden|speichern|wird geladen|bitte warten|suche läuft|chargement|enregistrement|envoi|veuillez patienter|recherche en cours|cargando|guardando|enviando|buscando|espere|carregando|salvando|aguarde|caricamento|salvataggio|attendere|bezig|even geduld|wczytywanie|ładowanie|загрузка|сохранение|подождите|読み込み中|保存中|加载中|正在加载|请稍候|로딩|불러오는';
/** Tells whether a text says that the page is busy. */
type BusyPattern = Pick<RegExp, 'test'>;

/** Returns the pattern of an expression, which is made when a text is first compared: these take a millisecond in each new process. */
function patternOf(source: string): BusyPattern {
  let expression: RegExp | null = null;
  return {
    test(text) {
      expression ??= new RegExp(source, 'iu');
      return expression.test(text);
    },
  };
}

const ELLIPSIS = '(?:…|\\.\\.\\.)';
/** A text that a step has brought, and that says that something is under way: "Saving", "Comparing offers…". */
const BUSY_TEXT = patternOf(
  `^(?:(?:${BUSY_WORDS})(?![\\p{L}\\p{N}])|\\p{L}+ing(?![\\p{L}\\p{N}])[^.!?]{0,60}${ELLIPSIS}$)`,
);
/** The same, where nothing else says that the text is new: the text must end as such texts do. */
const STANDING_BUSY_TEXT = patternOf(`^(?:${BUSY_WORDS})(?:[^.!?]{0,30}${ELLIPSIS}|\\s*)$`);
/** The same on a page that shows little else. */
const LONE_BUSY_TEXT = patternOf(`^(?:${BUSY_WORDS}|\\p{L}+ing)(?![\\p{L}\\p{N}])[^.!?]{0,60}${ELLIPSIS}$`);
const ENDS_OPEN = new RegExp(`${ELLIPSIS}$`);
/** Maximum length of a text that says that the page is busy. Characters. */
const MAX_TEXT_LENGTH = 80;
const STANDING: BusyPattern = {
  test: text =>
    STANDING_BUSY_TEXT.test(text) || (ENDS_OPEN.test(text) && LONE_BUSY_TEXT.test(text) && showsLittleElse()),
};
const EITHER: BusyPattern = { test: text => BUSY_TEXT.test(text) || STANDING.test(text) };
/** The elements of a page that shows nothing yet. */
const SHOWS_NOTHING = 'script,style,link,template,noscript,div,main,span,section,p,br';
/** No entry of `BUSY_WORDS` is longer. Characters. */
const MAX_WORDS_LENGTH = 24;
/** Elements that may hold such a text as a name or a title. */
const NAMES = 'a,h1,h2,h3,nav,code,pre,option,label,script,style,noscript';
const MAX_CANDIDATES = 400;
const MAX_TEXTS = 2_000;
/** Maximum number of signs that are reported. */
const MAX_SIGNS = 5;

/** The busy indicators that did not end in a wait: since when, and the share that a bar stated last. */
const givenUp = new WeakMap<Element, { since: number; share: number | null }>();

/** Remembers that these did not end: no later step waits for them. They are reported for a while. */
export function giveUpIndicators(signs: Iterable<Element>): void {
  for (const sign of signs) givenUp.set(sign, { since: performance.now(), share: statedShare(sign) });
}

/** Returns true for one that did not end. A bar that begins again is waited for again. */
function isGivenUp(sign: Element): boolean {
  const before = givenUp.get(sign);
  if (before === undefined) return false;
  const share = statedShare(sign);
  if (share !== before.share) {
    if (share !== null && share < (before.share ?? 0)) givenUp.delete(sign);
    else Object.assign(before, { since: performance.now(), share });
  }
  return givenUp.has(sign);
}

/** Returns true for one that did not end, and that is no longer reported. */
const isDecoration = (sign: Element): boolean =>
  isGivenUp(sign) && performance.now() - (givenUp.get(sign)?.since ?? 0) > GIVEN_UP_REPORTED_MS;

/** The share that a bar stated last, and when it was seen first. */
const lastShares = new WeakMap<Element, { readonly share: number; readonly at: number }>();

/** Returns true for a bar that states its share and has not moved for a while: it tells a state. Call it again and again. */
function standsStill(bar: Element): boolean {
  const share = statedShare(bar);
  if (share === null) return false;
  const last = lastShares.get(bar);
  if (last?.share !== share) lastShares.set(bar, { share, at: performance.now() });
  return last?.share === share && performance.now() - last.at > BAR_STILL_MS;
}

/** Returns true while one is to be waited for. @param isPromised true to wait also for bars that stand still */
export function isAwaited(sign: Element, isPromised: boolean): boolean {
  if (!isPromised && standsStill(sign)) giveUpIndicators([sign]);
  return isIndicator(sign) && !isGivenUp(sign);
}

/** Returns which part of the work a progress bar states as done, from 0 to 1; null if it states none. */
function statedShare(bar: Element): number | null {
  const isNative = localName(bar) === 'progress';
  const value = getAttribute(bar, isNative ? 'value' : 'aria-valuenow');
  if (value === null || value.trim() === '') return null;
  const min = Number(isNative ? 0 : (getAttribute(bar, 'aria-valuemin') ?? 0));
  const max = Number(getAttribute(bar, isNative ? 'max' : 'aria-valuemax') ?? (isNative ? 1 : 100));
  const share = (Number(value) - min) / (max - min);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : null;
}

/** Returns the signs that a step waits for: no earlier wait for them was in vain. @param changed what the step changed; null for the document */
export const awaitedIndicators = (changed: Iterable<Node> | null): readonly Element[] =>
  [...(changed === null ? indicatorsOfDocument() : indicatorsIn(changed))].filter(sign => !isGivenUp(sign));

/** Returns the signs among the elements that a step changed, and in them. */
function indicatorsIn(changed: Iterable<Node>): Set<Element> {
  const signs = new Set<Element>();
  for (const node of changed) {
    if (signs.size >= MAX_SIGNS) break;
    const element = isElement(node) ? node : node.parentElement;
    if (element === null) continue;
    addIfSign(signs, element, BUSY_TEXT);
    let left = MAX_CANDIDATES;
    for (const inner of queryAllIn(element, `iframe,${CANDIDATES}`))
      if (left-- > 0) addIfSign(signs, inner, null);
    addTexts(signs, element, BUSY_TEXT);
  }
  return signs;
}

/** Returns the signs of the whole document that a person sees now. */
function indicatorsOfDocument(): Set<Element> {
  const signs = new Set<Element>();
  let left = MAX_CANDIDATES;
  for (const element of queryAllDocument(document, CANDIDATES))
    if (left-- > 0) addIfSign(signs, element, null);
  for (const element of queryAllDocument(document, UNREVEALED))
    if (left-- > 0) addIfSign(signs, element, null);
  const body = bodyOf(document);
  if (body === null) return signs;
  addIfSign(signs, body, null);
  addTexts(signs, body, STANDING);
  return signs;
}

/** Returns true for the class attribute of an element that may be a sign. */
export const mayMarkBusy = ofClassName(className => CLASS_PATTERN.test(className));

/** Elements whose own text said that the page is busy when it was noted. */
const noted = documentState.value(() => ({ elements: [] as readonly WeakRef<Element>[] }));

/** Notes which of the elements with new text say that the page is busy. @param texts the own text of each element */
export function noteBusyTexts(changed: Iterable<Element>, texts: ReadonlyMap<Element, string>): void {
  const found = new Set(
    noted()
      .elements.map(one => one.deref())
      .filter(element => element?.isConnected === true),
  );
  for (const element of changed) {
    const text = (texts.get(element) ?? '').trim();
    if (text.length > MAX_TEXT_LENGTH || (text.length > MAX_WORDS_LENGTH && !ENDS_OPEN.test(text))) continue;
    if (STANDING.test(text)) found.add(element);
  }
  noted().elements = [...found].slice(-MAX_CANDIDATES).map(element => new WeakRef(element as Element));
}

/**
 * Returns the signs that a person sees now, as `indicatorsOfDocument` does, without a search of its own; those in shadow trees too.
 * @param classed the elements with a class that `mayMarkBusy`, in document order
 */
function indicatorsAmong(classed: readonly Element[]): Set<Element> {
  const byState = whileTreeStands('busy', () => Array.from(queryAllDocument(document, BY_STATE)));
  const candidates = classed.length === 0 ? byState : [...new Set([...byState, ...classed])];
  if (byState.length > 0 && classed.length > 0) candidates.sort(inDocumentOrder);
  const signs = new Set<Element>();
  for (const element of candidates.slice(0, MAX_CANDIDATES)) addIfSign(signs, element, null);
  for (const one of noted().elements) {
    const element = one.deref();
    if (element !== undefined && closest(element, NAMES) === null) addIfSign(signs, element, STANDING);
  }
  return signs;
}

/** Puts words of the page in quotes that they cannot end. */
const quote = (words: string): string => `"${words.replace(/["\u02BA\uFF02]/g, "'")}"`;

/** Describes a sign in a few words: its text, or its kind and name. */
export function describeIndicator(sign: Element): string {
  if (sign === bodyOf(document) && isBlank(sign)) return 'blank page';
  if (isUnrevealed(sign) || sign === unfilledPart()) return 'content that is not shown yet';
  const text = shortText(sign);
  if (BUSY_TEXT.test(text) || LONE_BUSY_TEXT.test(text)) return quote(text);
  const name = getAttribute(sign, 'aria-label') ?? '';
  const kind = isProgress(sign)
    ? 'progressbar'
    : getAttribute(sign, 'aria-busy') === 'true'
      ? 'busy'
      : 'spinner';
  const share = isProgress(sign) ? statedShare(sign) : null;
  const label = name !== '' ? name : text;
  const value = share === null ? '' : `${Math.floor(share * 100)} %`;
  return [kind, label === '' ? '' : quote(label), value].filter(part => part !== '').join(' ');
}

/** Returns true if the element is still a sign that a person sees. */
export const isIndicator = (element: Element): boolean => {
  const found = new Set<Element>();
  addIfSign(found, element, EITHER);
  return found.size > 0;
};

function addIfSign(signs: Set<Element>, element: Element, pattern: BusyPattern | null): void {
  if (isDecoration(element)) return;
  if (isUnrevealed(element)) signs.add(element);
  else if (element === bodyOf(document) ? isBlank(element) : isSign(element, pattern) && isSeen(element))
    signs.add(element);
}

/**
 * Returns true for the body of an application that shows nothing yet: the document has the file of a script, and the body only empty boxes,
 * or nothing if the script is a module.
 */
const isBlank = (body: Element): boolean =>
  (queryIn(body, 'div,main,section') !== null ||
    Array.from(document.scripts).some(script => script.type === 'module')) &&
  Array.from(document.scripts).some(script => script.src !== '') &&
  // The root element of an application, such as `app-root`, is no element that the browser knows until it shows something.
  queryIn(body, `:not(${SHOWS_NOTHING}):defined`) === null &&
  body instanceof HTMLElement &&
  innerText(body).trim() === '';

/**
 * Describes the busy indicators that a person sees in the document now.
 * @param classed the elements with a class that `mayMarkBusy`; null to search for them
 * @param labelOf returns the label of an element, such as `button "Save"`
 */
export function busyNow(
  classed: readonly Element[] | null,
  labelOf: (element: Element) => string,
): readonly string[] {
  const signs = classed === null ? indicatorsOfDocument() : indicatorsAmong(classed);
  const body = bodyOf(document);
  const unfilled = body !== null && isBlank(body) ? body : unfilledPart();
  if (unfilled !== null) signs.add(unfilled);
  const held = heldControl();
  const described = [...signs].map(describeIndicator);
  return held === null ? described : [...described, `${labelOf(held)}, disabled since it was pressed`];
}

function isSign(element: Element, pattern: BusyPattern | null): boolean {
  if (getAttribute(element, 'aria-busy') === 'true') return true;
  if (isProgress(element)) return isUnfinished(element) && drawsProgress(element) && !isCountdown(element);
  if (isEmptyFrame(element)) return true;
  if (pattern?.test(shortText(element)) === true && closest(element, NAMES) === null) return true;
  if (closest(element, 'input,textarea,select,[role=spinbutton]') !== null) return false;
  const className = getAttribute(element, 'class') ?? '';
  if (MOVING_SIGNS.test(className) && shortText(element) === '' && moves(element)) return true;
  const words = className
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/spin(ner)?[^a-z]?(button|box|edit)/g, '');
  if (!words.split(/[^a-z]+/).some(word => SIGN_WORDS.has(word)) || words.includes('lazy')) return false;
  return moves(element) || (element.firstElementChild === null && shortText(element) === '');
}

/** Spinners and skeletons are drawn by an animation without end, a picture or an animated drawing. */
function moves(element: Element): boolean {
  if (localName(element) === 'img' || queryAllIn(element, 'animate,animateTransform').length > 0) return true;
  return element
    .getAnimations({ subtree: true })
    .some(({ effect }) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY);
}

/** Returns true for the bar of a toast that shows when the toast closes: it states no value, and an animation moves it once. */
function isCountdown(element: Element): boolean {
  if (localName(element) === 'progress' || getAttribute(element, 'aria-valuenow') !== null) return false;
  const moving = element.getAnimations({ subtree: true });
  return (
    moving.length > 0 &&
    moving.every(one => one instanceof CSSAnimation && one.effect?.getComputedTiming().iterations === 1)
  );
}

const isProgress = (element: Element): boolean =>
  localName(element) === 'progress' || getAttribute(element, 'role') === 'progressbar';

function isUnfinished(element: Element): boolean {
  const isNative = localName(element) === 'progress';
  const value = getAttribute(element, isNative ? 'value' : 'aria-valuenow');
  if (value === null) return true;
  const max = getAttribute(element, isNative ? 'max' : 'aria-valuemax') ?? (isNative ? '1' : '100');
  return Number(value) < Number(max);
}

/** Returns false for a bar that shows nothing while nothing is under way: its parts are hidden. */
function drawsProgress(element: Element): boolean {
  const parts = Array.from(queryAllIn(element, '*')).slice(0, MAX_SIGNS);
  return parts.length === 0 || parts.some(part => checkVisibility(part));
}

function isSeen(element: Element): boolean {
  if (!checkVisibility(element, { opacityProperty: true, visibilityProperty: true })) return false;
  for (const { width, height, top, bottom, left, right } of clientRects(element))
    if (width > 1 && height > 1 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth)
      return true;
  return false;
}

function addTexts(signs: Set<Element>, within: Element, pattern: BusyPattern): void {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  let left = MAX_TEXTS;
  for (let node = walker.nextNode(); node !== null && left-- > 0; node = walker.nextNode()) {
    const text = node.nodeValue ?? '';
    if (text.length > MAX_TEXT_LENGTH * 2 || !pattern.test(text.trim().slice(0, MAX_TEXT_LENGTH))) continue;
    const parent = node.parentElement;
    if (parent !== null && closest(parent, NAMES) === null) addIfSign(signs, parent, pattern);
  }
}

function shortText(element: Element): string {
  const text = textContent(element) ?? '';
  if (text.length > MAX_TEXT_LENGTH * 4) return '';
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length <= MAX_TEXT_LENGTH ? words : '';
}
