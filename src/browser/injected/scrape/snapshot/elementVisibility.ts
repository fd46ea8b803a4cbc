/** Determines the visibility of elements and texts of the live page. */
import * as dom from '../../dom/domGetters.ts';

/**
 * The visibility of an element of the live page:
 * - `removed`: neither the element nor anything in it is visible (display none, a collapsed box, a closed details)
 * - `hidden`: its own text is not visible, its descendants may be (visibility hidden)
 * - `visible`: the element is visible; `isOwnTextVisible` tells whether its own text is
 */
type ElementVisibility = 'removed' | 'hidden' | 'visible';

/** A box at most this wide or high, in CSS pixels, shows no text if it clips its content: `.sr-only`, collapsed panels. */
const COLLAPSED_BOX_PX = 1;
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

const WITH_VISIBILITY_PROPERTY = { visibilityProperty: true } as const;

/**
 * Returns the visibility of an element. Call it only if the parent is not `removed`.
 * @param box the element's box; null if the element is empty
 */
export function visibilityOf(element: Element, box: DOMRect | null): ElementVisibility {
  if (dom.checkVisibility(element, WITH_VISIBILITY_PROPERTY))
    return box !== null && isThin(box) && isHtmlElement(element)
      ? visibilityOfCollapsedBox(element)
      : 'visible';
  if (dom.checkVisibility(element)) return 'hidden';
  const style = getComputedStyle(element);
  if (style.display !== 'contents') return 'removed';
  return style.visibility === 'visible' ? 'visible' : 'hidden';
}

/** Returns the visibility that an element in a part that is not rendered will have when that part is opened. */
export const visibilityWhenOpened = (element: Element): ElementVisibility =>
  getComputedStyle(element).display === 'none' ? 'removed' : 'visible';

/** Returns true for an HTML element, false for SVG and MathML. Does not use `instanceof`: elements of a child frame belong to another realm. */
const isHtmlElement = (element: Element): element is HTMLElement =>
  dom.namespaceURI(element) === HTML_NAMESPACE;

/** Returns true if the element of a box may be collapsed. The box of a turned element is larger than the element, at most √2 times if it is a square. */
const isThin = ({ height, width }: DOMRect): boolean =>
  height <= 2 * COLLAPSED_BOX_PX || width <= 2 * COLLAPSED_BOX_PX;

function visibilityOfCollapsedBox(element: HTMLElement): ElementVisibility {
  const name = dom.localName(element);
  if (name === 'html' || name === 'body') return 'visible';
  const isLow = dom.offsetHeight(element) <= COLLAPSED_BOX_PX;
  const isNarrow = dom.offsetWidth(element) <= COLLAPSED_BOX_PX;
  if (!isLow && !isNarrow) return 'visible';
  const style = getComputedStyle(element);
  const clipsHeight = isLow && style.overflowY !== 'visible';
  const clipsWidth = isNarrow && style.overflowX !== 'visible';
  if (style.display !== 'inline' && (clipsHeight || clipsWidth)) return 'removed';
  return style.clip !== 'auto' && /absolute|fixed/.test(style.position) ? 'removed' : 'visible';
}

/**
 * Returns true if text directly inside a visible element is visible: its font has a size, the renderer does not skip it,
 * and scrolling can reach it.
 * @param knownBox the element's box, if the caller has read it
 */
export function isOwnTextVisible(element: Element, knownBox: DOMRect | null): boolean {
  if (dom.localName(element) === 'details' && dom.getAttribute(element, 'open') === null) return false;
  const style = getComputedStyle(element);
  return (
    style.fontSize !== '0px' &&
    style.contentVisibility !== 'hidden' &&
    isReachableByScrolling(element, knownBox ?? dom.boxOf(element))
  );
}

function isReachableByScrolling(element: Element, box: DOMRect): boolean {
  if (box.right > 0 && box.bottom > 0) return true;
  const document = dom.ownerDocument(element);
  const view = document === null ? null : dom.defaultView(document);
  if (document === null || view === null) return true;
  // An empty box at the origin proves nothing: an element with display contents has no box.
  if (box.width === 0 && box.height === 0) return true;
  // A right-to-left page scrolls to the left of its origin.
  const reachable =
    box.bottom + view.scrollY > 0 &&
    (box.right + view.scrollX > 0 || view.scrollX < 0 || getComputedStyle(element).direction === 'rtl');
  return reachable || isInScrolledContainer(element);
}

/** Returns true if an ancestor is scrolled, so that scrolling back may show the element. */
function isInScrolledContainer(element: Element): boolean {
  for (let at = dom.renderedParent(element); at !== null; at = dom.renderedParent(at))
    if (dom.localName(at) !== 'html' && (dom.scrollTop(at) > 0 || dom.scrollLeft(at) !== 0)) return true;
  return false;
}
