/** Finds the ancestors that clip an element (scroll containers and boxes with hidden overflow), and those that lift it above the page. */

import {
  boxOf,
  clientHeight,
  clientWidth,
  composedParent,
  documentElement,
  matches,
  scrollHeight,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { type Box, intersection, toBox } from '../element/box.ts';
import { displayOf } from '../element/visibility.ts';
import type { ObservationContext } from '../observationContext.ts';
import { isPopupPart } from './modalOverlay.ts';

/** The box of an element that clips its content, and the next clipping box around it. */
export interface Clip {
  readonly box: Box;
  /** True for a scroll container; false when its overflow is hidden. */
  readonly scrolls: boolean;
  /** How far the box can be scrolled to the left and to the top, in CSS pixels. */
  readonly scrolledLeft: number;
  readonly scrolledTop: number;
  readonly next: Clip | null;
}

export interface Ancestry {
  /** The innermost box that clips the element; null if none does. */
  readonly clip: Clip | null;
  /** The innermost box that clips an absolutely positioned element: that of its containing block, or one around that; null if none does. */
  readonly absoluteClip: Clip | null;
  /** True when an ancestor, or the element itself, stays at its place of the window while the page scrolls. */
  readonly fixed: boolean;
  /** The positioned box of the dialog, menu or list around the element that can float above the page; null if there is none. */
  readonly popup: Element | null;
  /** The nearest positioned ancestor, or the element itself; null if there is none. */
  readonly positioned: Element | null;
  /** Number of levels from `positioned` down to the element. */
  readonly levels: number;
}

const NO_ANCESTORS: Ancestry = {
  clip: null,
  absoluteClip: null,
  fixed: false,
  popup: null,
  positioned: null,
  levels: 0,
};

export class ClipFinder {
  readonly #cache = new Map<Element, Ancestry>();

  clipsOf(element: Element): Clip | null {
    const parent = composedParent(element);
    if (parent === null) return null;
    const { position } = displayOf(element);
    if (position === 'fixed') return null;
    const { clip, absoluteClip } = this.ancestryOf(parent);
    return position === 'absolute' ? absoluteClip : clip;
  }

  ancestryOf(element: Element): Ancestry {
    const path: Element[] = [];
    let at: Element | null = element;
    let chain: Ancestry = NO_ANCESTORS;
    for (; at !== null; at = composedParent(at)) {
      const known = this.#cache.get(at);
      if (known !== undefined) {
        chain = known;
        break;
      }
      path.push(at);
    }
    for (const step of path.reverse()) {
      chain = within(step, chain);
      this.#cache.set(step, chain);
    }
    return chain;
  }
}

function within(element: Element, outer: Ancestry): Ancestry {
  const style = styleOf(element);
  const { position } = style;
  const isPositioned = position === 'fixed' || position === 'absolute';
  const positioned = isPositioned ? element : outer.positioned;
  const levels = isPositioned ? 0 : outer.levels + 1;
  const popup =
    positioned !== null && outer.popup !== positioned && isPopupPart(element, levels)
      ? positioned
      : outer.popup;
  const around = position === 'fixed' ? null : position === 'absolute' ? outer.absoluteClip : outer.clip;
  const clip = clipOf(element, style, around);
  const absoluteClip = clip === outer.absoluteClip || isContainingBlock(style) ? clip : outer.absoluteClip;
  const fixed = outer.fixed || (position === 'fixed' && !isInTransformed(element));
  return { clip, absoluteClip, fixed, popup, positioned, levels };
}

/** Returns true if absolutely positioned descendants have their place in the element, so that it clips them. */
const isContainingBlock = ({
  position,
  transform,
  filter,
  perspective,
  contain,
  willChange,
}: CSSStyleDeclaration) =>
  position !== 'static' ||
  transform !== 'none' ||
  filter !== 'none' ||
  perspective !== 'none' ||
  /paint|layout|strict|content/.test(contain) ||
  /transform|filter|perspective/.test(willChange);

/** Returns true if an ancestor is transformed: a fixed element then stays at its place of that ancestor. */
function isInTransformed(element: Element): boolean {
  for (let at = composedParent(element); at !== null; at = composedParent(at)) {
    const { transform, filter, perspective } = styleOf(at);
    if (transform !== 'none' || filter !== 'none' || perspective !== 'none') return true;
  }
  return false;
}

function clipOf(element: Element, style: CSSStyleDeclaration, next: Clip | null): Clip | null {
  const { overflowX, overflowY } = style;
  if (overflowX === 'visible' && overflowY === 'visible') return next;
  if (element === documentElement(document) || matches(element, 'body')) return next;
  if (style.display === 'inline' || style.display === 'contents') return next;
  const scrolls = /auto|scroll/.test(overflowX + overflowY);
  // Text from right to left, and reversed boxes, begin at the other end, and their scroll position goes from 0 down.
  const reversed = style.display.endsWith('flex') ? style.flexDirection : '';
  const isLeftward = (style.direction === 'rtl') !== (reversed === 'row-reverse');
  const isUpward = reversed === 'column-reverse';
  // A step scrolls a box with hidden overflow as well, so that it shows a part that people bring into view otherwise.
  return {
    box: toBox(boxOf(element)),
    scrolls,
    scrolledLeft: scrollLeft(element) + (isLeftward ? scrollWidth(element) - clientWidth(element) : 0),
    scrolledTop: scrollTop(element) + (isUpward ? scrollHeight(element) - clientHeight(element) : 0),
    next,
  };
}

/**
 * Applies the clipping boxes `clips` to a box.
 * @returns the part of `box` that is visible; or `scrolled` when scrolling can make it visible, `clipped` when hidden overflow cuts it
 * off, `gone` when a box without size cuts it off
 */
export function applyClips(box: Box, clips: Clip | null): Box | 'scrolled' | 'clipped' | 'gone' {
  let shown = box;
  let scrolled = false;
  for (let clip = clips; clip !== null; clip = clip.next) {
    const part = intersection(shown, clip.box);
    if (part !== null) {
      shown = part;
      continue;
    }
    if (clip.box.right - clip.box.left < 1 || clip.box.bottom - clip.box.top < 1) return 'gone';
    if (!clip.scrolls) return 'clipped';
    scrolled = true;
    shown = clip.box;
  }
  return scrolled ? 'scrolled' : shown;
}

/** Returns true if no scrolling brings a box into view. @param stripOf the box around it, of which hidden overflow may show a part */
export function isOffPage(
  box: Box,
  position: string,
  { scrollX, scrollY, width, height }: ObservationContext,
  clipsOf: () => Clip | null,
  isFixed: () => boolean,
  stripOf: () => Box | null,
): boolean {
  const isOutside = box.right <= 0 || box.bottom <= 0 || box.left >= width || box.top >= height;
  if (position === 'fixed') return isOutside;
  if (isOutside && isFixed() && !scrollsIn(clipsOf(), width, height)) return true;
  if (box.right + scrollX > 0 && box.bottom + scrollY > 0) return false;
  let left = scrollX;
  let top = scrollY;
  for (let clip = clipsOf(); clip !== null; clip = clip.next) {
    left += clip.scrolledLeft;
    top += clip.scrolledTop;
  }
  if (box.right + left > 0 && box.bottom + top > 0) return false;
  const strip = stripOf();
  return strip === null || !isPartlyShown(strip, clipsOf());
}

/** Returns true if a part of the box is visible in boxes with hidden overflow: a strip of entries that a script moves by style. */
function isPartlyShown(strip: Box, clips: Clip | null): boolean {
  if (clips === null || clips.scrolls) return false;
  const shown = applyClips(strip, clips);
  return typeof shown !== 'string' && shown.right > 0 && shown.bottom > 0;
}

function scrollsIn(clips: Clip | null, width: number, height: number): boolean {
  const view: Box = { left: 0, top: 0, right: width, bottom: height };
  for (let clip = clips; clip !== null; clip = clip.next)
    if (clip.scrolls && intersection(clip.box, view) !== null) return true;
  return false;
}
