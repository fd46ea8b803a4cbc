/** Recognizes what a page does not show yet: a new document that its scripts fill or leave, the parts of an application that it hides, empty frames. */

import {
  EMPTY_FRAME_MS,
  MAX_LITTLE_TEXT,
  MAX_UNFILLED_TEXT,
  MIN_HIDDEN_PART,
  UNFILLED_MS,
} from '../../settle/policy.ts';
import {
  bodyOf,
  checkVisibility,
  clientRects,
  firstElementChild,
  frameDocument,
  getAttribute,
  hasAttribute,
  innerText,
  localName,
  queryAllDocument,
  queryAllIn,
  queryDocument,
  queryIn,
  textContent,
} from '../dom/domGetters.ts';
import { CONTROLS } from '../dom/vocabulary.ts';

/** Elements that only hold text or others. What a document shows beside them, it shows already. */
const PLAIN =
  'script,style,link,meta,title,base,template,noscript,div,main,section,article,header,footer,p,br,hr,h1,h2,h3,h4,h5,h6,span,b,i,em,strong,small,center,ul,ol,table,thead,tbody,tr,th,form,input[type="hidden" i]';
/** Boxes without content that a script fills. */
const EMPTY_BOXES =
  'main:empty,div:empty,section:empty,article:empty,ul:empty,ol:empty,tbody:empty,p[id]:empty,span[id]:empty';
/** Matches elements that show something, or that can be used, whatever their tags. */
const MARKED =
  '[style*="height" i],[style*="background" i],[style*="border" i],[onclick],[tabindex],[draggable],[contenteditable],[role]:not([role="main"],[role="heading"])';
/** Selectors of the part of a document that shows what it is about. None compares the attributes of all elements. */
const MAIN_PARTS = ['main', '#main', '#content', '#app', '#root'];
/** Elements that a main part may show before it is filled. */
const HEADINGS = 'h1,h2,h3,[role="heading"]';
/** Words of a document that its script leaves. */
const LEAVING_TEXT = /redirect|(?:sign|logg?)ing (?:you )?(?:in|out)|please wait|one moment/i;
/** The types of script elements that are run. Data, such as JSON-LD, can have the same words as programs. */
const PROGRAM_TYPES = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script[\d.]*)$/i;
/** Elements that may be content which is not shown: those that a script keeps hidden until they are drawn, and empty elements that the browser does not know. */
export const UNREVEALED = '[style*="visibility: hidden"],[style*="opacity: 0;"],:not(:defined):empty';
/** Elements that a person can use. */
const USABLE = `${CONTROLS}, [tabindex="0"]`;
/** Nodes that show nothing. */
const UNSEEN = /^(?:script|style|noscript|template|link|meta|#comment)$/i;

const textOf = (element: Element): string =>
  element instanceof HTMLElement ? innerText(element).trim() : '';

/** Returns the part of the document that its scripts are expected to fill, or to leave; null if there is none. */
export function unfilledPart(): Element | null {
  const body = bodyOf(document);
  if (body === null || performance.now() > UNFILLED_MS || !hasScripts(body)) return null;
  if (!showsMore(body) && expectsMore(body)) return body;
  for (const selector of MAIN_PARTS) {
    const main = queryDocument(document, selector);
    if (main !== null) return isUnfilled(main) ? main : null;
  }
  return null;
}

/** Returns true if the document has scripts that run: elements, or a handler of its load. */
export const hasScripts = (body: Element | null): boolean =>
  Array.from(document.scripts).some(isProgram) || (body !== null && hasAttribute(body, 'onload'));

const isProgram = (script: Element): boolean =>
  PROGRAM_TYPES.test((getAttribute(script, 'type') ?? '').trim());

const showsMore = (part: Element): boolean => queryIn(part, `:not(${PLAIN}),${MARKED}`) !== null;

function expectsMore(body: Element): boolean {
  const text = textOf(body);
  if (text.length > MAX_UNFILLED_TEXT) return false;
  return text === '' || queryIn(body, EMPTY_BOXES) !== null || LEAVING_TEXT.test(text);
}

/** Returns true if a part shows nothing but headings. */
function isUnfilled(part: Element): boolean {
  if (showsMore(part)) return false;
  const lengthOf = (element: Element): number => (textContent(element) ?? '').replace(/\s+/g, '').length;
  let left = lengthOf(part);
  if (left > MAX_UNFILLED_TEXT) return false;
  for (const inner of queryAllIn(part, `${HEADINGS},script,style,template,noscript`)) left -= lengthOf(inner);
  return left <= 0;
}

/**
 * Returns true for the empty root of an application (`app-root`), and for a large part of the page that a script keeps hidden, while the
 * page shows little else and nothing that can be used.
 */
export const isUnrevealed = (element: Element): boolean =>
  (isEmptyRoot(element) || isKeptHidden(element)) && showsLittleElse() && !showsControls();

const isEmptyRoot = (element: Element): boolean =>
  !element.matches(':defined') &&
  firstElementChild(element) === null &&
  (textContent(element) ?? '').trim() === '' &&
  Array.from(document.scripts).some(script => script.src !== '');

function isKeptHidden(element: Element): boolean {
  if (!/(?:visibility: hidden|opacity: 0)(?:;|$)/.test(getAttribute(element, 'style') ?? '')) return false;
  if ((textContent(element) ?? '').trim() === '') return false;
  const [box] = clientRects(element);
  if (box === undefined || box.top >= innerHeight || box.bottom <= 0 || box.left >= innerWidth) return false;
  return box.width * box.height >= innerWidth * innerHeight * MIN_HIDDEN_PART;
}

const showsControls = (): boolean =>
  Array.from(queryAllDocument(document, USABLE)).some(control =>
    checkVisibility(control, { checkOpacity: true, checkVisibilityCSS: true }),
  );

/** Returns true if the page shows little text. */
export function showsLittleElse(): boolean {
  const body = bodyOf(document);
  return body !== null && textOf(body).length <= MAX_LITTLE_TEXT;
}

/** Times at which empty frames were found. */
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
