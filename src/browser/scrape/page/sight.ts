/** What of the page an eye can see. Judged on the live tree, where styles are computed. */
import {
  attribute,
  boxOf,
  firstChild,
  isVisible,
  localName,
  namespaceOf,
  offsetHeight,
  offsetWidth,
  ownerDocument,
  renderedParent,
  scrollLeft,
  scrollTop,
  styleOf,
  viewOf,
} from './live.ts';

/**
 * - `gone`: nothing below it is seen (display none, a collapsed box, a closed details)
 * - `unseen`: its own text is not seen, what is below it may be (visibility hidden)
 * - `seen`
 */
export type Sight = 'gone' | 'unseen' | 'seen';

/** A box of this many pixels or fewer shows no text: the trick of `.sr-only` and of collapsed panels. */
const SLIVER_PX = 1;
/** Not `instanceof`: an element of a child frame belongs to another realm. */
const HTML = 'http://www.w3.org/1999/xhtml';

const VISIBLE = { visibilityProperty: true } as const;

/** How an element stands, given that its parent is not gone. */
export function sightOf(element: Element): Sight {
  if (isVisible(element, VISIBLE))
    return namespaceOf(element) === HTML && isSliver(element) ? sightOfSliver(element) : 'seen';
  if (isVisible(element)) return 'unseen';
  const style = styleOf(element);
  if (style.display !== 'contents') return 'gone';
  return style.visibility === 'visible' ? 'seen' : 'unseen';
}

function isSliver(element: Element): boolean {
  if (firstChild(element) === null) return false;
  return offsetHeight(element) <= SLIVER_PX || offsetWidth(element) <= SLIVER_PX;
}

function sightOfSliver(element: Element): Sight {
  const name = localName(element);
  if (name === 'html' || name === 'body') return 'seen';
  const style = styleOf(element);
  const low = offsetHeight(element) <= SLIVER_PX && style.overflowY !== 'visible';
  const narrow = offsetWidth(element) <= SLIVER_PX && style.overflowX !== 'visible';
  if (style.display !== 'inline' && (low || narrow)) return 'gone';
  return style.clip !== 'auto' && /absolute|fixed/.test(style.position) ? 'gone' : 'seen';
}

/** Whether text directly inside a seen element is seen: of a size, not skipped by the renderer, where one can scroll to. */
export function showsOwnText(holder: Element): boolean {
  if (localName(holder) === 'details' && attribute(holder, 'open') === null) return false;
  const style = styleOf(holder);
  return style.fontSize !== '0px' && style.contentVisibility !== 'hidden' && isInReach(holder);
}

function isInReach(holder: Element): boolean {
  const box = boxOf(holder);
  if (box.right > 0 && box.bottom > 0) return true;
  const document = ownerDocument(holder);
  const view = document === null ? null : viewOf(document);
  if (document === null || view === null) return true;
  // An empty box at the origin says nothing: display: contents has none.
  if (box.width === 0 && box.height === 0) return true;
  // A right-to-left page scrolls to the left of its origin.
  const reachable =
    box.bottom + view.scrollY > 0 &&
    (box.right + view.scrollX > 0 || view.scrollX < 0 || styleOf(holder).direction === 'rtl');
  return reachable || isInsideScrolled(holder);
}

/** Whether a scroller around it has moved it out, so that scrolling back shows it. */
function isInsideScrolled(element: Element): boolean {
  for (let at = renderedParent(element); at !== null; at = renderedParent(at))
    if (localName(at) !== 'html' && (scrollTop(at) > 0 || scrollLeft(at) !== 0)) return true;
  return false;
}
