/** Recognizes what a page does not show yet: a new document that its scripts fill or leave, and empty frames. */

import { EMPTY_FRAME_MS, MAX_UNFILLED_TEXT, UNFILLED_MS } from '../../settle/policy.ts';
import {
  bodyOf,
  boxOf,
  checkVisibility,
  frameDocument,
  getAttribute,
  hasAttribute,
  hasChildNodes,
  innerText,
  isShadowRoot,
  localName,
  matches,
  openShadowRoot,
  queryAllIn,
  queryAllInFragment,
  queryDocument,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { CONTROLS, EDITABLE } from '../dom/vocabulary.ts';

/** Elements that show something without text, or that can be used. */
const OFFERS = `${CONTROLS}, ${EDITABLE}, [tabindex], [onclick], [draggable], img, svg, canvas, video, audio, iframe, object, embed`;
/** Selectors of the part of a document that shows what it is about. None compares the attributes of all elements. */
const MAIN_PARTS = ['main', '#main', '#content', '#app', '#root'];
/** Elements that a main part may show before it is filled. */
const HEADINGS = 'h1,h2,h3,[role="heading"]';
/** The types of script elements that are run. Data, such as JSON-LD, can have the same words as programs. */
const PROGRAM_TYPES = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script[\d.]*)$/i;
const UNSEEN = /^(?:script|style|noscript|template|link|meta|#comment)$/i;

const state = documentState.value(() => ({ isFinished: false }));

/** Says that nothing goes on in the document: it shows all that it has. */
export function documentFinished(): void {
  state().isFinished = true;
}

/** Returns the number of characters, without spaces, that people see. */
const shownLength = (element: Element): number =>
  element instanceof HTMLElement ? innerText(element).replace(/\s+/g, '').length : 0;

/**
 * Returns the part of the document that its scripts are expected to fill, or to leave; null if there is none: the body, while it offers
 * nothing to do and shows little text, or the main part, while it shows nothing but headings.
 */
export function unfilledPart(): Element | null {
  const body = bodyOf(document);
  if (body === null || state().isFinished || performance.now() > UNFILLED_MS || !hasScripts(body))
    return null;
  if (offersNothing(body) && shownLength(body) <= MAX_UNFILLED_TEXT) return body;
  const main = MAIN_PARTS.map(selector => queryDocument(document, selector)).find(part => part !== null);
  if (main == null || !offersNothing(main)) return null;
  const headings = Array.from(queryAllIn(main, HEADINGS), shownLength);
  return headings.reduce((left, length) => left - length, shownLength(main)) <= 0 ? main : null;
}

export const isBlank = (): boolean => {
  const body = bodyOf(document);
  return body !== null && unfilledPart() === body && shownLength(body) === 0;
};

/** Returns true if the document has scripts that run: elements, or a handler of its load. */
export const hasScripts = (body: Element | null): boolean =>
  Array.from(document.scripts).some(isProgram) || (body !== null && hasAttribute(body, 'onload'));

const isProgram = (script: Element): boolean =>
  PROGRAM_TYPES.test((getAttribute(script, 'type') ?? '').trim());

/** Returns true if the part has nothing that people see without text, or that they can use, in its shadow trees too. */
const offersNothing = (part: Element | ShadowRoot): boolean =>
  !Array.from(queryAllOf(part, OFFERS)).some(isSeen) && Array.from(queryAllOf(part, '*')).every(isHollow);

const isSeen = (element: Element): boolean =>
  checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true });

const queryAllOf = (part: Element | ShadowRoot, selector: string): NodeListOf<Element> =>
  isShadowRoot(part) ? queryAllInFragment(part, selector) : queryAllIn(part, selector);

/** Returns true for an element without a shadow tree that offers something. The box of a custom element without content tells of a closed one. */
function isHollow(element: Element): boolean {
  const root = openShadowRoot(element);
  if (root !== null) return offersNothing(root);
  if (!localName(element).includes('-') || hasChildNodes(element) || !matches(element, ':defined'))
    return true;
  const { width, height } = boxOf(element);
  return width * height === 0 || !isSeen(element);
}

const foundAt = new WeakMap<Element, number>();

/** Returns true for a frame of the page's own origin that shows nothing and was found empty a moment ago. */
export function isEmptyFrame(element: Element): boolean {
  if (localName(element) !== 'iframe') return false;
  const inner = frameDocument(element);
  const body = inner === null ? null : bodyOf(inner);
  if (inner === null || (body !== null && showsSomething(body))) return false;
  const since = foundAt.get(element) ?? performance.now();
  foundAt.set(element, since);
  return performance.now() - since <= EMPTY_FRAME_MS;
}

/** The nodes belong to another window: their names tell what they are. */
function showsSomething(body: Node): boolean {
  for (let node = body.firstChild; node !== null; node = node.nextSibling)
    if (!UNSEEN.test(node.nodeName) && (node.nodeName !== '#text' || node.nodeValue?.trim() !== ''))
      return true;
  return false;
}
