/** Where an element is, whether a pointer can reach it, and what is in its way. */
import type { ActionStatus } from '../../../domain/action.ts';
import { boxOf, checkVisibility, composedParent, labelsOf, matches } from '../dom/domGetters.ts';
import { areaBox, type Box, contentBox, intersection, toBox, visibleBox } from './box.ts';
import { type Candidate, isExplicit } from './candidate.ts';
import { applyClips, ClipFinder } from './clipping.ts';
import { type HitTestResult, hitTest, NOT_TESTED } from './hitTest.ts';
import { isDisabled } from './isDisabled.ts';
import { findModalOverlay, isBehindOverlay, type ModalOverlay } from './modalOverlay.ts';
import type { ObservationContext } from './observationContext.ts';

export interface Reachability {
  readonly box: Box;
  readonly status: ActionStatus;
  readonly disabled: boolean;
  readonly inViewport: boolean;
  /** Whether the element itself has a box; false where its label stands for it. */
  readonly hasBox: boolean;
  /** What lies on top of a covered element. */
  readonly coveredBy: Element | null;
  /** A point inside the box where a press lands on the element, when its middle is not one. Viewport coordinates. */
  readonly point: readonly [number, number] | null;
}

/** Smaller than this on both sides is there for screen readers only. */
const MIN_SIDE_PX = 2;
/** An editor around its text area: how far up, and how large at least. */
const MAX_EDITOR_ANCESTORS = 4;
const MIN_EDITOR_PX = 12;

/**
 * One look at what lies at a point takes milliseconds where thousands of words share a line. After this much of it in one
 * observation elements count as reached: a step looks again.
 */
const MAX_HIT_TEST_MS = 1_000;

/** Places the elements of one observation; what it learns of clipping boxes it keeps for the next element. */
export class ReachabilityChecker {
  readonly #reading: ObservationContext;
  readonly #clips = new ClipFinder();
  readonly #overlay: ModalOverlay;
  #hitMs = 0;

  constructor(reading: ObservationContext) {
    this.#reading = reading;
    this.#overlay = findModalOverlay(reading);
  }

  /** @returns null when there is nothing to see or to press */
  check(found: Candidate): Reachability | null {
    const { element } = found;
    const own = found.unrendered ? null : this.#ownBox(found);
    if (own === null) return this.#checkLabel(found);
    const disabled = isDisabled(element, found.tag);
    if (found.style.pointerEvents === 'none' && !(disabled && isExplicit(found))) {
      return found.letter === 'I' ? this.#checkLabel(found) : null;
    }
    if (this.#isOffPage(own, found)) return this.#checkLabel(found);
    return this.#checkBox(found, element, own, disabled, true) ?? this.#checkEditor(found);
  }

  #checkLabel(found: Candidate): Reachability | null {
    const { element, control } = found;
    const disabled = isDisabled(element, found.tag);
    if (control === 'checkbox' || control === 'radio' || control === 'file')
      for (const label of labelsOf(element)) {
        const box = visibleBox(label);
        if (box === null) continue;
        const reached = this.#checkBox(found, label, box, disabled, false);
        if (reached !== null) return reached;
      }
    const editor = this.#checkEditor(found);
    if (editor !== null) return editor;
    const isTypedInto = control === 'text' && isFocused(element);
    if (control !== 'file' && !isTypedInto) return null;
    const box = toBox(boxOf(element));
    const status = disabled ? 'excluded' : 'valid';
    return { box, status, disabled, inViewport: false, hasBox: false, coveredBy: null, point: null };
  }

  /** Editors drawn by script (CodeMirror, Ace, Monaco) catch the keys in a text area of no size inside of them. */
  #checkEditor(found: Candidate): Reachability | null {
    const { element, tag } = found;
    if (tag !== 'textarea' || found.unrendered || isDisabled(element, tag)) return null;
    const own = boxOf(element);
    let at = composedParent(element);
    for (let up = 0; at !== null && up < MAX_EDITOR_ANCESTORS; up++, at = composedParent(at)) {
      if (matches(at, 'body')) return null;
      const box = visibleBox(at);
      if (box === null || own.right < box.left || own.bottom < box.top || own.left > box.right) continue;
      if (box.right - box.left < MIN_EDITOR_PX || box.bottom - box.top < MIN_EDITOR_PX) continue;
      const reached = this.#checkBox(found, at, box, false, false);
      return reached === null ? null : { ...reached, hasBox: false };
    }
    return null;
  }

  #ownBox(found: Candidate): Box | null {
    const { element, style } = found;
    if (style.visibility !== 'visible' && style.visibility !== '') return null;
    const contents = style.display === 'contents';
    let box = toBox(boxOf(element));
    if (box.right - box.left < 1 || box.bottom - box.top < 1) {
      const inner = found.tag === 'area' ? areaBox(element) : contentBox(element);
      if (inner === null) return null;
      box = inner;
    }
    if (box.right - box.left < MIN_SIDE_PX && box.bottom - box.top < MIN_SIDE_PX) return null;
    if (contents || found.tag === 'area') return box;
    if (checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true })) return box;
    // What is see-through still takes presses: fields and boxes laid over their drawn stand-ins.
    const throughOpacity = checkVisibility(element, { checkVisibilityCSS: true });
    const revealed = found.letter === 'I' || this.#opensOnHoverAround(element);
    return throughOpacity && revealed ? box : null;
  }

  /** Whether it comes to be seen when the pointer is near. */
  #opensOnHoverAround(element: Element): boolean {
    for (let at: Element | null = element, up = 0; at !== null && up < 5; at = composedParent(at), up++)
      if (this.#reading.sheets.opensOnHover(at)) return true;
    return false;
  }

  #isOffPage(box: Box, found: Candidate): boolean {
    const { scrollX, scrollY } = this.#reading;
    if (found.style.position === 'fixed')
      return (
        box.right <= 0 ||
        box.bottom <= 0 ||
        box.left >= this.#reading.width ||
        box.top >= this.#reading.height
      );
    if (box.right + scrollX > 0 && box.bottom + scrollY > 0) return false;
    let left = scrollX;
    let top = scrollY;
    for (let clip = this.#clips.clipsOf(found.element, found.style); clip !== null; clip = clip.next) {
      left += clip.scrolledLeft;
      top += clip.scrolledTop;
    }
    return box.right + left <= 0 || box.bottom + top <= 0;
  }

  #timedHitTest(found: Candidate, target: Element, visible: Box): HitTestResult {
    const began = performance.now();
    const hit = hitTest(found, target, visible);
    this.#hitMs += performance.now() - began;
    return hit;
  }

  #checkBox(
    found: Candidate,
    target: Element,
    box: Box,
    disabled: boolean,
    hasBox: boolean,
  ): Reachability | null {
    const clip = this.#clips.clipsOf(
      target,
      target === found.element ? found.style : getComputedStyle(target),
    );
    const shown = applyClips(box, clip);
    if (shown === 'gone') return null;
    const { width, height } = this.#reading;
    const base = { box, disabled, hasBox, coveredBy: null, point: null };
    if (shown === 'clipped')
      return isBehindOverlay(this.#overlay, found.element)
        ? null
        : { ...base, status: disabled ? 'excluded' : 'clipped', inViewport: false };
    const visible =
      shown === 'scrolled' ? null : intersection(shown, { left: 0, top: 0, right: width, bottom: height });
    if (visible === null) {
      if (isBehindOverlay(this.#overlay, found.element)) return null;
      return { ...base, status: disabled ? 'excluded' : 'valid', inViewport: false };
    }
    if (found.control === 'file')
      return { ...base, status: disabled ? 'excluded' : 'valid', inViewport: true };
    const hit = this.#hitMs > MAX_HIT_TEST_MS ? NOT_TESTED : this.#timedHitTest(found, target, visible);
    if (hit.reached)
      return { ...base, status: disabled ? 'excluded' : 'valid', inViewport: true, point: hit.point };
    if (isBehindOverlay(this.#overlay, found.element)) return null;
    return { ...base, status: disabled ? 'excluded' : 'covered', inViewport: true, coveredBy: hit.by };
  }
}

const isFocused = (element: Element): boolean => matches(element, ':focus');
