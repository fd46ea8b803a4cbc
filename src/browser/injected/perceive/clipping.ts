/** Boxes that cut off what is in them. */

import { boxOf, composedParent, documentElement, matches, scrollLeft, scrollTop } from '../dom/domGetters.ts';
import { type Box, intersection, toBox } from './box.ts';

/** A box that cuts off, and the next one around it. */
export interface Clip {
  readonly box: Box;
  readonly scrolls: boolean;
  /** How far it is scrolled; CSS pixels. */
  readonly scrolledLeft: number;
  readonly scrolledTop: number;
  readonly next: Clip | null;
}

/** Finds the boxes that cut off elements; what it learns it keeps for the next element. */
export class ClipFinder {
  readonly #cache = new Map<Element, Clip | null>();

  /** The innermost box that cuts off this element; null if none does. */
  clipsOf(element: Element, { position }: CSSStyleDeclaration): Clip | null {
    const parent = composedParent(element);
    if (parent === null) return null;
    if (position === 'fixed') return null;
    const chain = this.#clipChain(parent);
    if (position !== 'absolute') return chain;
    // Cut off only by boxes that it is placed in.
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

/** @returns the part that shows; `scrolled` when scrolling would show it; `clipped`; `gone` when cut off by a box of no size */
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
