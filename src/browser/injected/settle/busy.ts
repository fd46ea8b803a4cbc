/** Finds the busy indicators of a page: `aria-busy`, progress bars, spinners, skeletons, "Loading…". */

import * as policy from '../../settle/policy.ts';
import { anyCase, ofClassName } from '../dom/classNames.ts';
import {
  bodyOf,
  checkVisibility,
  clientRects,
  closest,
  getAttribute,
  isElement,
  localName,
  queryAllDocument,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { heldControl } from './stepInput.ts';
import { isBlank, isEmptyFrame, unfilledPart } from './unfilled.ts';

/** Elements that may be a sign by their state or their role. */
const BY_STATE = '[aria-busy="true"],progress,[role="progressbar"]';
const CLASS_PARTS = ['load', 'spin', 'skeleton', 'shimmer', 'busy', '-pulse', 'placeholder-', 'typing'];
/** Elements that may be a sign. */
const CANDIDATES = [BY_STATE, ...CLASS_PARTS.map(word => anyCase('class', word))].join(',');
const CLASS_PATTERN = new RegExp(CLASS_PARTS.join('|'), 'i');
const SIGN_WORDS = new Set('loading loader preloader spinner spin spinning skeleton shimmer busy'.split(' '));
/** Classes of frameworks for boxes that stand for text to come, and for a reply that is being written; they are signs while they move. */
const MOVING_SIGNS =
  /(?:^| )(?:animate-pulse|placeholder-(?:glow|wave|shimmer)|typing-(?:indicator|dots?))(?: |$)/;
/** Words with which a page says that something is under way, in the languages of most pages. */
const BUSY_WORDS =
  'loading|saving|searching|processing|sending|submitting|uploading|updating|fetching|working|generating|connecting|signing in|logging in|calculating|deleting|importing|refreshing|please wait|one moment|lädt|laden|speichern|wird geladen|bitte warten|suche läuft|chargement|enregistrement|envoi|veuillez patienter|recherche en cours|cargando|guardando|enviando|buscando|espere|carregando|salvando|aguarde|caricamento|salvataggio|attendere|bezig|even geduld|wczytywanie|ładowanie|загрузка|сохранение|подождите|読み込み中|保存中|加载中|正在加载|请稍候|로딩|불러오는';
const ELLIPSIS = '(?:…|\\.\\.\\.)';
// Each is made when a text is first compared with it: it takes a millisecond in each new process.
/** A text that a step has brought, and that says that something is under way: "Saving", "Comparing offers…". */
const broughtPattern = documentState.value(
  () =>
    new RegExp(
      `^(?:(?:${BUSY_WORDS})(?![\\p{L}\\p{N}])|\\p{L}+ing(?![\\p{L}\\p{N}])[^.!?]{0,60}${ELLIPSIS}$)`,
      'iu',
    ),
);
/** The same, where nothing else says that the text is new: the text must end as such texts do. */
const standingPattern = documentState.value(
  () => new RegExp(`^(?:${BUSY_WORDS})(?:[^.!?]{0,30}${ELLIPSIS}|\\s*)$`, 'iu'),
);
/** Elements that may hold such a text as a name or a title. */
const NAMES = 'a,h1,h2,h3,nav,code,pre,option,label,script,style,noscript';

/** The indicators that were found last: what part of its work each states, and since when. */
const found = documentState.value(() => ({
  signs: new Map<Element, { readonly share: number | null; readonly at: number }>(),
}));

/** Returns true while one is to be waited for. @param isPromised true to wait for as long as it is seen */
export function isAwaited(sign: Element, isPromised: boolean): boolean {
  const { signs } = found();
  const before = signs.get(sign);
  const share = statedShare(sign);
  const at = before?.share === share ? before.at : performance.now();
  signs.set(sign, { share, at });
  const maxMs = share === null ? policy.BUSY_MS : policy.BAR_STILL_MS;
  return isIndicator(sign) && (isPromised || performance.now() - at <= maxMs);
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

/** Returns the signs that a step waits for: they have not been there, or stood still, for too long. @param changed what the step changed; null for the document */
export function awaitedIndicators(changed: Iterable<Node> | null): readonly Element[] {
  const now = changed === null ? indicatorsOfDocument() : indicatorsIn(changed);
  const { signs } = found();
  for (const gone of signs.keys()) if (!now.has(gone)) signs.delete(gone);
  return [...now].filter(sign => isAwaited(sign, false));
}

/** Returns the signs among the elements that a step changed, and in them. */
function indicatorsIn(changed: Iterable<Node>): Set<Element> {
  const signs = new Set<Element>();
  for (const node of changed) {
    if (signs.size >= policy.MAX_BUSY_SIGNS) break;
    const element = isElement(node) ? node : node.parentElement;
    if (element === null) continue;
    addIfSign(signs, element, broughtPattern());
    let left = policy.MAX_BUSY_CANDIDATES;
    for (const inner of queryAllIn(element, `iframe,${CANDIDATES}`))
      if (left-- > 0) addIfSign(signs, inner, null);
    addTexts(signs, element, broughtPattern());
  }
  return signs;
}

/** Returns the signs of the whole document that a person sees now. The parameters are those of `busyNow`; null to search for them. */
function indicatorsOfDocument(
  classed: readonly Element[] | null = null,
  texts: ReadonlyMap<Element, string> | null = null,
): Set<Element> {
  const signs = new Set<Element>();
  const found = queryAllDocument(document, classed === null ? CANDIDATES : BY_STATE);
  const candidates = new Set([...found, ...(classed ?? [])]);
  for (const element of [...candidates].slice(0, policy.MAX_BUSY_CANDIDATES)) addIfSign(signs, element, null);
  const body = bodyOf(document);
  if (texts === null && body !== null) addTexts(signs, body, standingPattern());
  for (const [element, text] of texts ?? [])
    if (standingPattern().test(text.trim()) && closest(element, NAMES) === null)
      addIfSign(signs, element, standingPattern());
  return signs;
}

/** Returns true for the class attribute of an element that may be a sign. */
export const mayMarkBusy = ofClassName(className => CLASS_PATTERN.test(className));

/** Puts words of the page in quotes that they cannot end. */
const quote = (words: string): string => `"${words.replace(/["\u02BA\uFF02]/g, "'")}"`;

/** Describes a sign in a few words: its text, or its kind and name. */
function describeIndicator(sign: Element): string {
  const text = shortText(sign);
  if (broughtPattern().test(text)) return quote(text);
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

export const isIndicator = (element: Element): boolean =>
  isSign(element, broughtPattern()) && isSeen(element);

function addIfSign(signs: Set<Element>, element: Element, pattern: RegExp | null): void {
  if (isSign(element, pattern) && isSeen(element)) signs.add(element);
}

/**
 * Describes the busy indicators that a person sees in the document now.
 * @param classed the elements with a class that `mayMarkBusy`; null to search for them
 * @param texts the own text of each element, also in shadow trees
 * @param hasActions true if the document has listed actions: then it offers something to do
 * @param labelOf returns the label of an element, such as `button "Save"`
 */
export function busyNow(
  classed: readonly Element[] | null,
  texts: ReadonlyMap<Element, string> | null,
  hasActions: boolean,
  labelOf: (element: Element) => string,
): readonly string[] {
  const described = [...indicatorsOfDocument(classed, texts)].map(describeIndicator);
  const unfilled = unfilledPart();
  if (unfilled !== null && !(hasActions && unfilled === bodyOf(document)))
    described.push(isBlank() ? 'blank page' : 'content that is not shown yet');
  const held = heldControl();
  return held === null ? described : [...described, `${labelOf(held)}, disabled since it was pressed`];
}

function isSign(element: Element, pattern: RegExp | null): boolean {
  if (getAttribute(element, 'aria-busy') === 'true') return true;
  if (isProgress(element))
    return (statedShare(element) ?? 0) < 1 && drawsProgress(element) && !isCountdown(element);
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

/** Returns false for a bar that shows nothing while nothing is under way: its parts are hidden. */
function drawsProgress(element: Element): boolean {
  const parts = Array.from(queryAllIn(element, '*')).slice(0, policy.MAX_BUSY_SIGNS);
  return parts.length === 0 || parts.some(part => checkVisibility(part));
}

function isSeen(element: Element): boolean {
  if (!checkVisibility(element, { opacityProperty: true, visibilityProperty: true })) return false;
  for (const { width, height, top, bottom, left, right } of clientRects(element))
    if (width > 1 && height > 1 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth)
      return true;
  return false;
}

function addTexts(signs: Set<Element>, within: Element, pattern: RegExp): void {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  let left = policy.MAX_BUSY_TEXTS;
  for (let node = walker.nextNode(); node !== null && left-- > 0; node = walker.nextNode()) {
    const text = node.nodeValue ?? '';
    if (text.length > policy.MAX_BUSY_TEXT * 2 || !pattern.test(text.trim().slice(0, policy.MAX_BUSY_TEXT)))
      continue;
    const parent = node.parentElement;
    if (parent !== null && closest(parent, NAMES) === null) addIfSign(signs, parent, pattern);
  }
}

function shortText(element: Element): string {
  const text = textContent(element) ?? '';
  if (text.length > policy.MAX_BUSY_TEXT * 4) return '';
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length <= policy.MAX_BUSY_TEXT ? words : '';
}
