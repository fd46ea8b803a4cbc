/** Recognizes what an application does not show yet, although its page shows something: a heading, a bar. */
import {
  bodyOf,
  checkVisibility,
  clientRects,
  firstElementChild,
  getAttribute,
  innerText,
  queryAllDocument,
  textContent,
} from '../dom/domGetters.ts';

/** Elements that may be such content: those that a script keeps hidden until they are drawn, and empty elements that the browser does not know. */
export const UNREVEALED = '[style*="visibility: hidden"],[style*="opacity: 0;"],:not(:defined):empty';
/** Elements that a person can use. */
const CONTROLS = 'a[href],button,input,select,textarea,summary,[role=button],[tabindex="0"]';
/** Minimum part of the window that hidden content takes. */
const MIN_HIDDEN_PART = 0.1;
/** A page shows little else if it has at most so much text. Characters. */
const MAX_LITTLE_TEXT = 300;

/**
 * Returns true for the empty root of an application (`app-root`), and for a large part of the page that a script keeps hidden, while the
 * page shows little else and nothing that can be used.
 */
export function isUnrevealed(element: Element): boolean {
  return (isEmptyRoot(element) || isKeptHidden(element)) && showsLittleElse() && !showsControls();
}

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
  Array.from(queryAllDocument(document, CONTROLS)).some(control =>
    checkVisibility(control, { checkOpacity: true, checkVisibilityCSS: true }),
  );

/** Returns true if the page shows little text. */
export function showsLittleElse(): boolean {
  const body = bodyOf(document);
  return body !== null && innerText(body).length <= MAX_LITTLE_TEXT;
}
