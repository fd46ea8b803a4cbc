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
} from './liveDom.ts';

/**
 * - `gone`: nothing below it is seen (display none, a collapsed box, a closed details)
 * - `unseen`: its own text is not seen, what is below it may be (visibility hidden)
 * - `seen`
 */
export type ElementVisibility = 'gone' | 'unseen' | 'seen';

/** A box of this many pixels or fewer shows no text: the trick of `.sr-only` and of collapsed panels. */
const COLLAPSED_BOX_PX = 1;
/** Not `instanceof`: an element of a child frame belongs to another realm. */
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

const WITH_VISIBILITY_PROPERTY = { visibilityProperty: true } as const;

/** How an element stands, given that its parent is not gone. */
export function visibilityOf(element: Element): ElementVisibility {
  if (isVisible(element, WITH_VISIBILITY_PROPERTY))
    return namespaceOf(element) === HTML_NAMESPACE && isCollapsedBox(element)
      ? visibilityOfCollapsedBox(element)
      : 'seen';
  if (isVisible(element)) return 'unseen';
  const style = styleOf(element);
  if (style.display !== 'contents') return 'gone';
  return style.visibility === 'visible' ? 'seen' : 'unseen';
}

function isCollapsedBox(element: Element): boolean {
  if (firstChild(element) === null) return false;
  return offsetHeight(element) <= COLLAPSED_BOX_PX || offsetWidth(element) <= COLLAPSED_BOX_PX;
}

function visibilityOfCollapsedBox(element: Element): ElementVisibility {
  const name = localName(element);
  if (name === 'html' || name === 'body') return 'seen';
  const style = styleOf(element);
  const low = offsetHeight(element) <= COLLAPSED_BOX_PX && style.overflowY !== 'visible';
  const narrow = offsetWidth(element) <= COLLAPSED_BOX_PX && style.overflowX !== 'visible';
  if (style.display !== 'inline' && (low || narrow)) return 'gone';
  return style.clip !== 'auto' && /absolute|fixed/.test(style.position) ? 'gone' : 'seen';
}

/** Whether text directly inside a seen element is seen: of a size, not skipped by the renderer, where one can scroll to. */
export function isOwnTextVisible(element: Element): boolean {
  if (localName(element) === 'details' && attribute(element, 'open') === null) return false;
  const style = styleOf(element);
  return style.fontSize !== '0px' && style.contentVisibility !== 'hidden' && isReachableByScrolling(element);
}

function isReachableByScrolling(element: Element): boolean {
  const box = boxOf(element);
  if (box.right > 0 && box.bottom > 0) return true;
  const document = ownerDocument(element);
  const view = document === null ? null : viewOf(document);
  if (document === null || view === null) return true;
  // An empty box at the origin says nothing: display: contents has none.
  if (box.width === 0 && box.height === 0) return true;
  // A right-to-left page scrolls to the left of its origin.
  const reachable =
    box.bottom + view.scrollY > 0 &&
    (box.right + view.scrollX > 0 || view.scrollX < 0 || styleOf(element).direction === 'rtl');
  return reachable || isInScrolledContainer(element);
}

/** Whether a scroller around it has moved it out, so that scrolling back shows it. */
function isInScrolledContainer(element: Element): boolean {
  for (let at = renderedParent(element); at !== null; at = renderedParent(at))
    if (localName(at) !== 'html' && (scrollTop(at) > 0 || scrollLeft(at) !== 0)) return true;
  return false;
}
