/** Finds the busy indicators of a page (`aria-busy`, progress bars, spinners, skeletons, "Loading…"), and a new document that its scripts fill or leave. */

import { quote } from '../../../domain/space/pageText.ts';
import * as policy from '../../settle/policy.ts';
import { anyCase, ofClassName } from '../dom/classNames.ts';
import * as dom from '../dom/domGetters.ts';
import { innerText } from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { CONTROLS, EDITABLE } from '../dom/vocabulary.ts';
import { heldControl } from './stepInput.ts';

const BY_STATE = '[aria-busy="true"],progress,[role="progressbar"]';
const CLASS_PARTS = ['load', 'spin', 'skeleton', 'shimmer', 'busy', '-pulse', 'placeholder-', 'typing'];
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
/** In these elements such a text is a name or a title, and says nothing of the page. */
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
  const isNative = dom.localName(bar) === 'progress';
  const value = dom.getAttribute(bar, isNative ? 'value' : 'aria-valuenow');
  if (value === null || value.trim() === '') return null;
  const min = Number(isNative ? 0 : (dom.getAttribute(bar, 'aria-valuemin') ?? 0));
  const max = Number(dom.getAttribute(bar, isNative ? 'max' : 'aria-valuemax') ?? (isNative ? 1 : 100));
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

function indicatorsIn(changed: Iterable<Node>): Set<Element> {
  const signs = new Set<Element>();
  for (const node of changed) {
    if (signs.size >= policy.MAX_BUSY_SIGNS) break;
    const element = dom.isElement(node) ? node : node.parentElement;
    if (element === null) continue;
    addSigns(signs, [element, ...holdersOf(element, broughtPattern())], broughtPattern());
    addSigns(signs, dom.queryAllIn(element, `iframe,${CANDIDATES}`), null);
  }
  return signs;
}

/** Returns the signs of the whole document that a person sees now. The parameters are those of `busyNow`. */
function indicatorsOfDocument(
  classed: readonly Element[] | null = null,
  texts: ReadonlyMap<Element, string> | null = null,
): Set<Element> {
  const signs = new Set<Element>();
  const pattern = standingPattern();
  const found = dom.queryAllDocument(document, classed === null ? CANDIDATES : BY_STATE);
  addSigns(signs, new Set([...found, ...(classed ?? [])]), null);
  const body = dom.bodyOf(document);
  if (texts === null && body !== null) addSigns(signs, holdersOf(body, pattern), pattern);
  for (const [element, text] of texts ?? [])
    if (pattern.test(text.trim())) addSigns(signs, [element], pattern);
  return signs;
}

export const mayMarkBusy = ofClassName(className => CLASS_PATTERN.test(className));

function describeIndicator(sign: Element): string {
  const text = shortText(sign);
  if (broughtPattern().test(text)) return quote(text);
  const isBusy = dom.getAttribute(sign, 'aria-busy') === 'true';
  const share = isProgress(sign) ? statedShare(sign) : null;
  const kind = isProgress(sign) ? 'progressbar' : isBusy ? 'busy' : 'spinner';
  const label = dom.getAttribute(sign, 'aria-label') || text;
  return `${kind}${label === '' ? '' : ` ${quote(label)}`}${share === null ? '' : ` ${Math.floor(share * 100)} %`}`;
}

export const isIndicator = (element: Element, pattern: RegExp | null = broughtPattern()): boolean =>
  isSign(element, pattern) && isSeen(element);

function addSigns(signs: Set<Element>, candidates: Iterable<Element>, pattern: RegExp | null): void {
  let left = policy.MAX_BUSY_CANDIDATES;
  for (const element of candidates) if (left-- > 0 && isIndicator(element, pattern)) signs.add(element);
}

/**
 * Describes the busy indicators that a person sees in the document now. A document with listed actions offers something to do.
 * @param classed the elements with a class that `mayMarkBusy`; null to search for them
 * @param texts the own text of each element, also in shadow trees; null to search for them
 */
export function busyNow(
  classed: readonly Element[] | null,
  texts: ReadonlyMap<Element, string> | null,
  hasActions: boolean,
  labelOf: (element: Element) => string,
): readonly string[] {
  const described = [...indicatorsOfDocument(classed, texts)].map(describeIndicator);
  const unfilled = unfilledPart();
  if (unfilled !== null && !(hasActions && unfilled === dom.bodyOf(document)))
    described.push(isBlank() ? 'blank page' : 'content that is not shown yet');
  const held = heldControl();
  return held === null ? described : [...described, `${labelOf(held)}, disabled since it was pressed`];
}

function isSign(element: Element, pattern: RegExp | null): boolean {
  if (dom.getAttribute(element, 'aria-busy') === 'true') return true;
  if (isProgress(element))
    return (statedShare(element) ?? 0) < 1 && drawsProgress(element) && !isCountdown(element);
  if (isEmptyFrame(element)) return true;
  if (pattern?.test(shortText(element)) === true && dom.closest(element, NAMES) === null) return true;
  if (dom.closest(element, 'input,textarea,select,[role=spinbutton]') !== null) return false;
  const className = dom.getAttribute(element, 'class') ?? '';
  if (MOVING_SIGNS.test(className) && shortText(element) === '' && moves(element)) return true;
  const words = className
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/spin(ner)?[^a-z]?(button|box|edit)/g, '');
  if (!words.split(/[^a-z]+/).some(word => SIGN_WORDS.has(word)) || words.includes('lazy')) return false;
  return moves(element) || (element.firstElementChild === null && shortText(element) === '');
}

const emptySince = new WeakMap<Element, number>();

/** Returns true for a frame of the page's own origin that shows nothing and was found empty a moment ago. */
function isEmptyFrame(element: Element): boolean {
  const inner = dom.localName(element) === 'iframe' ? dom.frameDocument(element) : null;
  const body = inner === null ? null : dom.bodyOf(inner);
  const isFilled = body !== null && (innerText(body).trim() !== '' || dom.queryAllIn(body, SEEN).length > 0);
  if (inner === null || isFilled) return false;
  const since = emptySince.get(element) ?? performance.now();
  emptySince.set(element, since);
  return performance.now() - since <= policy.EFFECT_MS;
}

/** Spinners and skeletons are drawn by an animation without end, a picture or an animated drawing. */
function moves(element: Element): boolean {
  if (dom.localName(element) === 'img' || dom.queryAllIn(element, 'animate,animateTransform').length > 0)
    return true;
  return element
    .getAnimations({ subtree: true })
    .some(({ effect }) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY);
}

/** Returns true for the bar of a toast that shows when the toast closes: it states no value, and an animation moves it once. */
function isCountdown(element: Element): boolean {
  if (dom.localName(element) === 'progress' || dom.getAttribute(element, 'aria-valuenow') !== null)
    return false;
  const moving = element.getAnimations({ subtree: true });
  return (
    moving.length > 0 &&
    moving.every(one => one instanceof CSSAnimation && one.effect?.getComputedTiming().iterations === 1)
  );
}

const isProgress = (element: Element): boolean =>
  dom.localName(element) === 'progress' || dom.getAttribute(element, 'role') === 'progressbar';

/** Returns false for a bar that shows nothing while nothing is under way: its parts are hidden. */
function drawsProgress(element: Element): boolean {
  const parts = Array.from(dom.queryAllIn(element, '*')).slice(0, policy.MAX_BUSY_SIGNS);
  return parts.length === 0 || parts.some(part => dom.checkVisibility(part));
}

function isSeen(element: Element): boolean {
  if (!dom.checkVisibility(element, { opacityProperty: true, visibilityProperty: true })) return false;
  for (const { width, height, top, bottom, left, right } of dom.clientRects(element))
    if (width > 1 && height > 1 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth)
      return true;
  return false;
}

/** Returns the elements within one that hold a text that the pattern fits. */
function holdersOf(within: Element, pattern: RegExp): Set<Element> {
  const holders = new Set<Element>();
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  let left = policy.MAX_BUSY_TEXTS;
  for (let node = walker.nextNode(); node !== null && left-- > 0; node = walker.nextNode()) {
    const { nodeValue: text, parentElement } = node;
    if (text === null || parentElement === null || text.length > policy.MAX_BUSY_TEXT * 2) continue;
    if (pattern.test(text.trim().slice(0, policy.MAX_BUSY_TEXT))) holders.add(parentElement);
  }
  return holders;
}

function shortText(element: Element): string {
  const text = dom.textContent(element) ?? '';
  if (text.length > policy.MAX_BUSY_TEXT * 4) return '';
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length <= policy.MAX_BUSY_TEXT ? words : '';
}

const SEEN = ':not(script,style,noscript,template,link,meta)';
/** Elements that show something without text, or that can be used. */
const OFFERS = `${CONTROLS}, ${EDITABLE}, [tabindex], [onclick], [draggable], img, svg, canvas, video, audio, iframe, object, embed`;
/** Selectors of the part of a document that shows what it is about. None compares the attributes of all elements. */
const MAIN_PARTS = ['main', '#main', '#content', '#app', '#root'];
/** Elements that a main part may show before it is filled. */
const HEADINGS = 'h1,h2,h3,[role="heading"]';

const filling = documentState.value(() => ({ isFinished: false }));

/** Says that nothing goes on in the document: it shows all that it has. */
export function documentFinished(): void {
  filling().isFinished = true;
}

/** Returns the number of characters, without spaces, that people see. */
const shownLength = (element: Element): number =>
  element instanceof HTMLElement ? innerText(element).replace(/\s+/g, '').length : 0;

/**
 * Returns the part of the document that its scripts are expected to fill, or to leave; null if there is none: the body, while it offers
 * nothing to do and shows little text, or the main part, while it shows nothing but headings.
 */
export function unfilledPart(): Element | null {
  const body = dom.bodyOf(document);
  if (body === null || filling().isFinished || performance.now() > policy.UNFILLED_MS) return null;
  if (neverHadScript() || (document.scripts.length === 0 && !dom.hasAttribute(body, 'onload'))) return null;
  if (offersNothing(body) && shownLength(body) <= policy.MAX_UNFILLED_TEXT) return body;
  const main = MAIN_PARTS.map(selector => dom.queryDocument(document, selector)).find(part => part !== null);
  if (main == null || !offersNothing(main)) return null;
  const headings = Array.from(dom.queryAllIn(main, HEADINGS), shownLength);
  return headings.reduce((left, length) => left - length, shownLength(main)) <= 0 ? main : null;
}

export const isBlank = (): boolean => {
  const body = dom.bodyOf(document);
  return body !== null && unfilledPart() === body && shownLength(body) === 0;
};

/** Made at the start of a document: see `readyScripts`. Missing in a document that the service has found as it was. */
declare const __pagespaceScripts: { readonly note: { readonly hadScript: boolean } } | undefined;

export const neverHadScript = (): boolean =>
  Object.hasOwn(globalThis, '__pagespaceScripts') && __pagespaceScripts?.note.hadScript === false;

/** Returns true if the part has nothing that people see without text, or that they can use, in its shadow trees too. */
const offersNothing = (part: Element | ShadowRoot): boolean =>
  !Array.from(queryAllOf(part, OFFERS)).some(isShown) && Array.from(queryAllOf(part, '*')).every(isHollow);

const isShown = (element: Element): boolean =>
  dom.checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true });

const queryAllOf = (part: Element | ShadowRoot, selector: string): NodeListOf<Element> =>
  dom.isShadowRoot(part) ? dom.queryAllInFragment(part, selector) : dom.queryAllIn(part, selector);

/** Returns true for an element without a shadow tree that offers something. The box of a custom element without content tells of a closed one. */
function isHollow(element: Element): boolean {
  const root = dom.openShadowRoot(element);
  if (root !== null) return offersNothing(root);
  if (
    !dom.localName(element).includes('-') ||
    dom.hasChildNodes(element) ||
    !dom.matches(element, ':defined')
  )
    return true;
  const { width, height } = dom.boxOf(element);
  return width * height === 0 || !isShown(element);
}
