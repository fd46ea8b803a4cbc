/** Reachability: the box of an element, whether the pointer can reach it, and the element that covers it. */

import type { ActionLayer, ActionStatus } from '../../../../domain/space/action.ts';
import { around } from '../../dom/around.ts';
import {
  bodyOf,
  boxOf,
  checkVisibility,
  composedContains,
  composedParent,
  documentElement,
  firstElementChild,
  labelsOf,
  localName,
  matches,
  scrollHeight,
  scrollWidth,
} from '../../dom/domGetters.ts';
import { remembered } from '../../dom/lifetimes.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { type Candidate, isExplicit } from '../candidate.ts';
import { type Box, boxInstead, intersection, toBox, visibleBox } from '../element/box.ts';
import { isDisabled, isOpenPicker } from '../element/fields.ts';
import { displayOf } from '../element/visibility.ts';
import type { ObservationContext } from '../observationContext.ts';
import { type Ancestry, applyClips, ClipFinder, isOffPage } from './clipping.ts';
import { drawnContentBox, hasSurface, letsPressThrough } from './drawnElement.ts';
import { deepestElementAt, type HitTestResult, hitTest, NOT_TESTED } from './hitTest.ts';
import { findModalOverlay, isBehindOverlay, liesAbovePage, type ModalOverlay } from './modalOverlay.ts';
import { hoverHostOf } from './shownOnHover.ts';
import { editorOf, isLeftOver, widgetOf } from './standIn.ts';

export function isPageBlocked(): boolean {
  const body = bodyOf(document);
  return body !== null && styleOf(body).pointerEvents === 'none';
}

/** Returns true if neither the element nor one around it, up to the body, takes presses. */
export function isBlockedWithPage({ element, style }: Candidate): boolean {
  if (style.pointerEvents !== 'none') return false;
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (styleOf(at).pointerEvents !== 'none') return localName(at) === 'html';
  return true;
}

/** Returns true if scrolling brings a box out from below the bar that covers it. */
export function scrollsFromBelow(cover: Element, box: Box, { scrollY, height }: ObservationContext): boolean {
  const bar = barAround(cover);
  const root = documentElement(document);
  if (bar === null || root === null) return false;
  const { top, bottom } = boxOf(bar);
  if (top > height / 2) return scrollHeight(root) - height - scrollY >= box.bottom - top;
  return bottom < height / 2 && scrollY >= bottom - box.top;
}

/** Returns the box around an element that stays at its place in the window: for a sticky one, while the page below it scrolls. */
export function barAround(element: Element): Element | null {
  for (let at: Element | null = element; at !== null; at = composedParent(at)) {
    const { position } = styleOf(at);
    if (position === 'fixed' || position === 'sticky') return at;
  }
  return null;
}

export interface Reachability {
  readonly box: Box;
  readonly status: ActionStatus;
  readonly disabled: boolean;
  readonly inViewport: boolean;
  /** False when the element has no box of its own, so that the box is that of its label or its editor. */
  readonly hasBox: boolean;
  /** The element that covers this one, so that it receives the click; null when none does. */
  readonly coveredBy: Element | null;
  /** A point in the box where a click reaches the element; null when a click on the center does. Viewport coordinates. */
  readonly point: readonly [number, number] | null;
  /** The layer of the page that contains the element; null for the normal one. */
  readonly layer: ActionLayer | null;
  /** True when the element is drawn and something else receives the press on it, for it: the face of a clock, the slots of a calendar. */
  readonly through?: boolean;
  /** The widget that is pressed in the place of the element, which people do not see; or the part of the element that is pressed. */
  readonly pressed?: Element;
}

/** An element whose width and height are both smaller than this is not listed: it is for screen readers only. CSS pixels. */
const MIN_SIDE_PX = 2;
/** Number of elements, from a transparent one upward, that are checked for a style rule which shows content on hover. */
const MAX_HOVER_ANCESTORS = 5;

/** Maximum time for all hit tests of one observation, in milliseconds. After it, elements count as reached; a step tests again. */
const MAX_HIT_TEST_MS = 1_000;

/** Checks the candidates of one observation. Caches the clipping boxes that it finds. */
export class ReachabilityChecker {
  readonly #context: ObservationContext;
  readonly #clips = new ClipFinder();
  readonly #overlay: ModalOverlay | null;
  /** For each box that can float above the page, whether it does. */
  readonly #popups = new Map<Element, boolean>();
  readonly #isPageBlocked = isPageBlocked();
  #hitTestMs = 0;

  constructor(context: ObservationContext) {
    this.#context = context;
    this.#overlay = findModalOverlay(context);
  }

  /** Returns the box and the status of a candidate; null when it has nothing that a user can see or click. */
  check(candidate: Candidate): Reachability | null {
    const { element } = candidate;
    if (candidate.unseen) return unseenButton(candidate);
    const host = hoverHostOf(candidate);
    if (host !== null) return this.#checkHost(candidate, host);
    const isRendered = !candidate.unrendered || candidate.shownBy !== undefined;
    const own = isRendered ? this.#ownBox(candidate) : null;
    if (isLeftOver(candidate)) return null;
    if (own === null) return this.#checkStandIn(candidate);
    const disabled = isDisabled(element, candidate.tag);
    const isBlocked = this.#isPageBlocked && isBlockedWithPage(candidate);
    if (candidate.style.pointerEvents === 'none' && !isBlocked && !(disabled && isExplicit(candidate))) {
      return candidate.letter === 'I'
        ? this.#checkStandIn(candidate)
        : (this.#checkDrawn(candidate, own) ?? this.#checkWidget(candidate));
    }
    if (this.#isOffPage(own, candidate)) return this.#checkStandIn(candidate);
    if (candidate.style.visibility === 'hidden') return this.#pressedThrough(candidate, own);
    if (isBlocked) return this.#pressedThrough(candidate, own, 'below');
    const reached = this.#reachabilityOfBox(candidate, element, own, disabled, true);
    if (reached === null) return this.#checkEditor(candidate) ?? this.#checkWidget(candidate);
    if (reached.layer === 'below' && this.#isVeil(candidate, own)) return null;
    const { pressedPart } = candidate;
    if (pressedPart !== undefined && visibleBox(pressedPart) !== null)
      return { ...reached, pressed: pressedPart };
    // What a list of choices shows as chosen lies above its input, and takes the press for it.
    return reached.status === 'covered' ? (this.#checkWidget(candidate) ?? reached) : reached;
  }

  /** Checks an element without a usable box by that of its label, editor or widget. A file input and a focused field need none. */
  #checkStandIn(candidate: Candidate): Reachability | null {
    const { element, control } = candidate;
    const disabled = isDisabled(element, candidate.tag);
    if (control === 'checkbox' || control === 'radio' || control === 'file')
      for (const label of labelsOf(element)) {
        const box = visibleBox(label);
        if (box === null) continue;
        const reached = this.#reachabilityOfBox(candidate, label, box, disabled, false);
        if (reached !== null) return reached;
      }
    const drawn = this.#checkEditor(candidate) ?? this.#checkWidget(candidate);
    if (drawn !== null) return drawn;
    const isFocusedText = control === 'text' && matches(element, ':focus');
    if (control !== 'file' && !isFocusedText && !isOpenPicker(element)) return null;
    return {
      box: toBox(boxOf(element)),
      status: disabled ? 'excluded' : 'valid',
      disabled,
      inViewport: false,
      hasBox: false,
      coveredBy: null,
      point: null,
      layer: this.layerOf(element),
    };
  }

  /** Checks a drawn element below a surface that takes its presses and decides by the position, such as the numbers of a clock. */
  #checkDrawn(candidate: Candidate, box: Box): Reachability | null {
    const isDrawn = candidate.basis === 'role' && hasSurface(candidate.element, this.#context);
    return isDrawn ? this.#pressedThrough(candidate, box) : null;
  }

  /** Returns the result for an element that hit tests do not find: below a surface, or shown only under the pointer. */
  #pressedThrough(candidate: Candidate, box: Box, blocked?: ActionLayer): Reachability | null {
    const { element } = candidate;
    const shown = applyClips(box, this.#clips.clipsOf(element));
    if (typeof shown === 'string') return null;
    const { width: right, height: bottom } = this.#context;
    const inViewport = intersection(shown, { left: 0, top: 0, right, bottom }) !== null;
    const layer = blocked ?? this.layerOf(element);
    const disabled = isDisabled(element, candidate.tag);
    const status = disabled ? 'excluded' : layer === 'below' ? 'covered' : 'valid';
    return {
      box,
      status,
      disabled,
      inViewport,
      hasBox: true,
      coveredBy: null,
      point: null,
      layer,
      through: blocked === undefined,
    };
  }

  /** Checks a text area without size by the box of the editor around it; null if there is no editor. */
  #checkEditor(candidate: Candidate): Reachability | null {
    const editor = editorOf(candidate);
    if (editor === null) return null;
    const reached = this.#reachabilityOfBox(candidate, editor.element, editor.box, false, false);
    return reached === null ? null : { ...reached, hasBox: false };
  }

  /** Checks an element that is rendered while the pointer is over `host` by the box of `host`. */
  #checkHost(candidate: Candidate, host: Element): Reachability | null {
    const box = visibleBox(host);
    const disabled = isDisabled(candidate.element, candidate.tag);
    return box === null ? null : this.#reachabilityOfBox(candidate, host, box, disabled, false);
  }

  /** Checks a field that people do not see by the widget around it, which they press; null if there is none. */
  #checkWidget(candidate: Candidate): Reachability | null {
    const widget = widgetOf(candidate);
    if (widget === null) return null;
    const disabled = isDisabled(candidate.element, candidate.tag);
    const reached = this.#reachabilityOfBox(candidate, widget.element, widget.box, disabled, true);
    return reached === null ? null : { ...reached, pressed: widget.element };
  }

  /** Returns true for an empty box over the whole window: what covers it is the dialog that it belongs to. */
  #isVeil(candidate: Candidate, { left, top, right, bottom }: Box): boolean {
    if (isExplicit(candidate) || firstElementChild(candidate.element) !== null) return false;
    const { width, height } = this.#context;
    return left <= 0 && top <= 0 && right >= width && bottom >= height && candidate.tag !== 'canvas';
  }

  #ownBox(candidate: Candidate): Box | null {
    const { element, style } = candidate;
    const isShown = checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true });
    const isHidden = !isShown && style.visibility !== 'visible' && style.visibility !== '';
    if (isHidden && !(isExplicit(candidate) && this.#appearsOnHover(element))) return null;
    let box = toBox(boxOf(element));
    if (box.right - box.left < 1 || box.bottom - box.top < 1) {
      const inner = boxInstead(candidate) ?? drawnContentBox(element);
      if (inner === null) return null;
      box = inner;
    }
    if (box.right - box.left < MIN_SIDE_PX && box.bottom - box.top < MIN_SIDE_PX) return null;
    if (isShown || isHidden || style.display === 'contents' || candidate.tag === 'area') return box;
    // A transparent element still receives clicks: for example a field over a drawn one, or a box that appears on
    // hover.
    const isTransparent = checkVisibility(element, { checkVisibilityCSS: true });
    return isTransparent && (candidate.letter === 'I' || this.#appearsOnHover(element)) ? box : null;
  }

  #appearsOnHover(element: Element): boolean {
    for (const at of around(element, MAX_HOVER_ANCESTORS))
      if (this.#context.styleRules.opensOnHover(at)) return true;
    return false;
  }

  #isOffPage(box: Box, { element }: Candidate): boolean {
    const { position } = displayOf(element);
    const isFixed = (): boolean => this.#aroundOf(element)?.fixed === true;
    const strip = (): Box | null => {
      const around = composedParent(element);
      if (around === null) return null;
      const own = toBox(boxOf(around));
      // Its entries may lie beside it.
      return { ...own, right: Math.max(own.right, own.left + scrollWidth(around)) };
    };
    return isOffPage(box, position, this.#context, () => this.#clips.clipsOf(element), isFixed, strip);
  }

  #aroundOf(element: Element): Ancestry | null {
    const parent = composedParent(element);
    return parent === null ? null : this.#clips.ancestryOf(parent);
  }

  layerOf(element: Element): ActionLayer | null {
    if (isBehindOverlay(this.#overlay, element)) return 'below';
    if (this.#overlay?.coversAll === true && composedContains(this.#overlay.cover, element)) return 'top';
    const around = this.#aroundOf(element);
    const popup = around?.popup ?? null;
    if (popup !== null && this.#isAbovePage(popup)) return 'top';
    const isFixed = around?.fixed || displayOf(element).position === 'fixed';
    return isFixed ? (this.#isPageBlocked ? 'top' : 'fixed') : null;
  }

  #isAbovePage(popup: Element): boolean {
    const { width, height } = this.#context;
    return remembered(
      this.#popups,
      popup,
      () => composedContains(popup, this.#overlay?.cover ?? null) || liesAbovePage(popup, width, height),
    );
  }

  /** Checks whether a click on the box of `target` (the element, its label or editor) reaches the candidate; null for a box that is cut off. */
  #reachabilityOfBox(
    candidate: Candidate,
    target: Element,
    box: Box,
    disabled: boolean,
    hasBox: boolean,
  ): Reachability | null {
    const { element, control } = candidate;
    const clips = this.#clips.clipsOf(target);
    const shown = applyClips(box, clips);
    if (shown === 'gone') return null;
    const layer = this.layerOf(element);
    const viewport = { left: 0, top: 0, right: this.#context.width, bottom: this.#context.height };
    const visible = typeof shown === 'string' ? null : intersection(shown, viewport);
    const base = { box, disabled, hasBox, coveredBy: null, point: null, layer };
    const result = (status: ActionStatus, more: Partial<Reachability> = {}): Reachability => ({
      ...base,
      status: disabled ? 'excluded' : status,
      inViewport: visible !== null,
      ...more,
    });
    const above = layer === 'below' ? this.#overlayAbove(visible) : null;
    if (above !== null) return result('covered', { coveredBy: above });
    if (visible === null) return result(shown === 'clipped' ? 'clipped' : 'valid');
    if (control === 'file') return result('valid');
    const hit = this.#hitTest(candidate, target, visible);
    if (hit.reached) return result('valid', { point: hit.point, layer: layer === 'below' ? null : layer });
    const { coveredBy } = hit;
    if (coveredBy !== null && letsPressThrough(candidate, coveredBy))
      return result('valid', { through: true });
    const scrollsOut =
      coveredBy !== null && layer === null && scrollsFromBelow(coveredBy, visible, this.#context);
    return result(scrollsOut ? 'valid' : 'covered', { coveredBy });
  }

  /** Returns the part of the overlay above the middle of a box; the cover for a box outside of the window, null if something else is on top. */
  #overlayAbove(box: Box | null): Element | null {
    const overlay = this.#overlay;
    if (overlay === null || box === null) return overlay?.cover ?? null;
    const top = deepestElementAt((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return overlay.parts.find(part => composedContains(part, top)) ?? null;
  }

  #hitTest(candidate: Candidate, target: Element, visible: Box): HitTestResult {
    if (this.#hitTestMs > MAX_HIT_TEST_MS) return NOT_TESTED;
    const start = performance.now();
    const result = hitTest(candidate, target, visible);
    this.#hitTestMs += performance.now() - start;
    return result;
  }
}

/** Returns the result for a button that only screen readers find: it is pressed without the pointer. */
function unseenButton({ element, tag }: Candidate): Reachability {
  const disabled = isDisabled(element, tag);
  return {
    box: toBox(boxOf(element)),
    status: disabled ? 'excluded' : 'valid',
    disabled,
    inViewport: false,
    hasBox: false,
    coveredBy: null,
    point: null,
    layer: null,
  };
}
