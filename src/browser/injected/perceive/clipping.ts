/** Finds the ancestors that clip an element: scroll containers and boxes with hidden overflow. */

import { boxOf, composedParent, documentElement, matches, scrollLeft, scrollTop } from '../dom/domGetters.ts';
import { type Box, intersection, toBox } from './box.ts';

/** The box of an element that clips its content, and the next clipping box around it. */
export interface Clip {
  readonly box: Box;
  /** True for a scroll container; false when its overflow is hidden. */
  readonly scrolls: boolean;
  /** Scroll position from the left, in CSS pixels; 0 if the box does not scroll. */
  readonly scrolledLeft: number;
  /** Scroll position from the top, in CSS pixels; 0 if the box does not scroll. */
  readonly scrolledTop: number;
  readonly next: Clip | null;
}

/** Finds the boxes that clip an element. Caches them for other elements in the same ancestors. */
export class ClipFinder {
  readonly #cache = new Map<Element, Clip | null>();

  /** Returns the innermost box that clips this element; null if none does. */
  clipsOf(element: Element, { position }: CSSStyleDeclaration): Clip | null {
    const parent = composedParent(element);
    if (parent === null) return null;
    if (position === 'fixed') return null;
    const chain = this.#clipChain(parent);
    if (position !== 'absolute') return chain;
    // An absolutely positioned element is clipped only by its containing block and the boxes around that.
    for (let at: Element | null = parent; at !== null; at = composedParent(at))
      if (getComputedStyle(at).position !== 'static') return this.#clipChain(at);
    return null;
  }

  #clipChain(element: Element): Clip | null {
    const path: Element[] = [];
    let at: Element | null = element;
    let chain: Clip | null = null;
    for (; at !== null; at = composedParent(at)) {
      const known = this.#cache.get(at);
      if (known !== undefined) {
        chain = known;
        break;
      }
      path.push(at);
    }
    for (const step of path.reverse()) {
      chain = clipOf(step, chain);
      this.#cache.set(step, chain);
    }
    return chain;
  }
}

function clipOf(element: Element, next: Clip | null): Clip | null {
  const style = getComputedStyle(element);
  if (style.position === 'fixed') next = null;
  const { overflowX, overflowY } = style;
  if (overflowX === 'visible' && overflowY === 'visible') return next;
  if (element === documentElement(document) || matches(element, 'body')) return next;
  if (style.display === 'inline' || style.display === 'contents') return next;
  const scrolls = /auto|scroll/.test(overflowX + overflowY);
  const [scrolledLeft, scrolledTop] = scrolls ? [scrollLeft(element), scrollTop(element)] : [0, 0];
  return { box: toBox(boxOf(element)), scrolls, scrolledLeft, scrolledTop, next };
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
