/** Where an element is, whether a pointer can reach it, and what is in its way. */
import type { ActionStatus } from '../../../domain/action.ts';
import { type Found, isStrong } from './found.ts';
import {
  boxOf,
  checkVisibility,
  clientRects,
  composedContains,
  composedParent,
  documentElement,
  elementFromPoint,
  getAttribute,
  labelsOf,
  localName,
  matches,
  queryAllDocument,
} from './native.ts';
import { type Reading, shadowRootOf } from './reading.ts';

/** A box in CSS pixels in the frame's viewport. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Placing {
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

interface Clip {
  readonly box: Box;
  readonly scrolls: boolean;
  readonly next: Clip | null;
}

/** Smaller than this on both sides is there for screen readers only. */
const LEAST_SIDE = 2;
/** Where a press is tried, as parts of the visible box: the middle first. */
const POINTS: ReadonlyArray<readonly [number, number]> = [
  [0.5, 0.5],
  [0.2, 0.5],
  [0.8, 0.5],
  [0.5, 0.2],
  [0.5, 0.8],
  [0.1, 0.1],
  [0.9, 0.9],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.35, 0.35],
  [0.65, 0.65],
  [0.65, 0.35],
  [0.35, 0.65],
];

/** Places the elements of one observation; what it learns of clipping boxes it keeps for the next element. */
export class Placer {
  readonly #reading: Reading;
  readonly #clips = new Map<Element, Clip | null>();
  #curtain: { readonly behind: readonly Element[] } | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#curtain = this.#findCurtain();
  }

  /** @returns null when there is nothing to see or to press */
  place(found: Found): Placing | null {
    const { element } = found;
    const own = found.unrendered ? null : this.#ownBox(found);
    if (own === null) return this.#placeByLabel(found);
    const disabled = isDisabled(element, found.tag);
    if (found.style.pointerEvents === 'none' && !(disabled && isStrong(found))) {
      return found.letter === 'I' ? this.#placeByLabel(found) : null;
    }
    if (this.#isOffPage(own, found)) return this.#placeByLabel(found);
    return this.#reach(found, element, own, disabled, true);
  }

  #placeByLabel(found: Found): Placing | null {
    const { element, control } = found;
    const disabled = isDisabled(element, found.tag);
    if (control === 'checkbox' || control === 'radio' || control === 'file')
      for (const label of labelsOf(element)) {
        const box = visibleBox(label);
        if (box === null) continue;
        const reached = this.#reach(found, label, box, disabled, false);
        if (reached !== null) return reached;
      }
    const isTypedInto = control === 'text' && activeIs(element);
    if (control !== 'file' && !isTypedInto) return null;
    const box = toBox(boxOf(element));
    const status = disabled ? 'excluded' : 'valid';
    return { box, status, disabled, inViewport: false, hasBox: false, coveredBy: null, point: null };
  }

  #ownBox(found: Found): Box | null {
    const { element, style } = found;
    if (style.visibility !== 'visible' && style.visibility !== '') return null;
    const contents = style.display === 'contents';
    let box = toBox(boxOf(element));
    if (box.right - box.left < 1 || box.bottom - box.top < 1) {
      const inner = found.tag === 'area' ? areaBox(element) : contentBox(element);
      if (inner === null) return null;
      box = inner;
    }
    if (box.right - box.left < LEAST_SIDE && box.bottom - box.top < LEAST_SIDE) return null;
    if (contents || found.tag === 'area') return box;
    if (checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true })) return box;
    // What is see-through still takes presses: fields and boxes laid over their drawn stand-ins.
    const throughOpacity = checkVisibility(element, { checkVisibilityCSS: true });
    const revealed = found.letter === 'I' || this.#opensAround(element);
    return throughOpacity && revealed ? box : null;
  }

  /** Whether it comes to be seen when the pointer is near. */
  #opensAround(element: Element): boolean {
    for (let at: Element | null = element, up = 0; at !== null && up < 5; at = composedParent(at), up++)
      if (this.#reading.sheets.opensOnHover(at)) return true;
    return false;
  }

  #isOffPage(box: Box, found: Found): boolean {
    const { scrollX, scrollY } = window;
    if (found.style.position === 'fixed')
      return (
        box.right <= 0 ||
        box.bottom <= 0 ||
        box.left >= this.#reading.width ||
        box.top >= this.#reading.height
      );
    return box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
  }

  #reach(found: Found, target: Element, box: Box, disabled: boolean, hasBox: boolean): Placing | null {
    const clip = this.#clipsAround(target);
    const shown = throughClips(box, clip);
    if (shown === 'gone') return null;
    const { width, height } = this.#reading;
    const base = { box, disabled, hasBox, coveredBy: null, point: null };
    if (shown === 'clipped')
      return this.#behindCurtain(found)
        ? null
        : { ...base, status: disabled ? 'excluded' : 'clipped', inViewport: false };
    const visible =
      shown === 'scrolled' ? null : intersection(shown, { left: 0, top: 0, right: width, bottom: height });
    if (visible === null) {
      if (this.#behindCurtain(found)) return null;
      return { ...base, status: disabled ? 'excluded' : 'valid', inViewport: false };
    }
    if (found.control === 'file')
      return { ...base, status: disabled ? 'excluded' : 'valid', inViewport: true };
    const hit = this.#hit(found, target, visible);
    if (hit.reached)
      return { ...base, status: disabled ? 'excluded' : 'valid', inViewport: true, point: hit.point };
    if (this.#behindCurtain(found)) return null;
    return { ...base, status: disabled ? 'excluded' : 'covered', inViewport: true, coveredBy: hit.by };
  }

  #hit(
    found: Found,
    target: Element,
    visible: Box,
  ): { reached: boolean; by: Element | null; point: readonly [number, number] | null } {
    const width = visible.right - visible.left;
    const height = visible.bottom - visible.top;
    let by: Element | null = null;
    const tried =
      found.tag === 'path' || found.tag === 'g' || found.tag === 'polygon' ? gridPoints() : POINTS;
    for (const [index, [across, down]] of tried.entries()) {
      const x = visible.left + width * across;
      const y = visible.top + height * down;
      const top = deepestAt(x, y);
      if (top === null) continue;
      if (takes(found, target, top)) return { reached: true, by: null, point: index === 0 ? null : [x, y] };
      by ??= top;
    }
    const spot = this.#hitLines(found, target);
    return spot === null ? { reached: false, by, point: null } : { reached: true, by: null, point: spot };
  }

  /** Text that runs over several lines has a box whose middle may be anywhere: each line is tried. */
  #hitLines(found: Found, target: Element): readonly [number, number] | null {
    if (found.style.display !== 'inline') return null;
    for (const line of Array.from(clientRects(target)).slice(0, 4)) {
      const x = line.left + line.width / 2;
      const y = line.top + line.height / 2;
      const top = deepestAt(x, y);
      if (top !== null && takes(found, target, top)) return [x, y];
    }
    return null;
  }

  #clipsAround(element: Element): Clip | null {
    const parent = composedParent(element);
    if (parent === null) return null;
    const position = getComputedStyle(element).position;
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
      const known = this.#clips.get(at);
      if (known !== undefined) {
        chain = known;
        break;
      }
      path.push(at);
    }
    for (const step of path.reverse()) {
      chain = clipAt(step, chain);
      this.#clips.set(step, chain);
    }
    return chain;
  }

  /** A dialog with something laid over all the rest of the page: what lies behind cannot be reached. */
  #findCurtain(): { behind: readonly Element[] } | null {
    const dialogs = Array.from(
      queryAllDocument(document, '[aria-modal=true], [role=dialog], [role=alertdialog], .modal.show'),
    ).filter(dialog => visibleBox(dialog) !== null);
    if (dialogs.length === 0) return null;
    const { width, height } = this.#reading;
    const corners = [
      [3, 3],
      [width - 4, 3],
      [3, height - 4],
      [width - 4, height - 4],
    ] as const;
    const tops = corners.map(([x, y]) => deepestAt(x, y));
    const [first] = tops;
    if (first === undefined || first === null || !tops.every(top => top === first)) return null;
    if (matches(first, 'html, body')) return null;
    const box = boxOf(first);
    const isOverAll = box.width >= width * 0.98 && box.height >= height * 0.98;
    return isOverAll && isLaidOver(first) ? { behind: [...dialogs, first] } : null;
  }

  #behindCurtain(found: Found): boolean {
    const curtain = this.#curtain;
    return curtain !== null && !curtain.behind.some(part => composedContains(part, found.element));
  }
}

function isLaidOver(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = composedParent(at)) {
    const { position } = getComputedStyle(at);
    if (position === 'fixed' || position === 'absolute') return true;
  }
  return false;
}

let grid: ReadonlyArray<readonly [number, number]> | null = null;
function gridPoints(): ReadonlyArray<readonly [number, number]> {
  if (grid !== null) return grid;
  const points: Array<readonly [number, number]> = [[0.5, 0.5]];
  for (let across = 1; across < 10; across++)
    for (let down = 1; down < 10; down++) points.push([across / 10, down / 10]);
  grid = points.sort((a, b) => distance(a) - distance(b));
  return grid;
}
const distance = ([x, y]: readonly [number, number]): number => Math.hypot(x - 0.5, y - 0.5);

/** A press on `top` comes to the element: it is part of it, of its label, or of what stands for it. */
function takes({ element, basis }: Found, target: Element, top: Element): boolean {
  // What is dropped on a hollow shape falls on the drawing behind it.
  if (basis === 'target' && composedContains(top, element)) return true;
  if (composedContains(element, top) || composedContains(target, top)) return true;
  return labelsOf(element).some(label => composedContains(label, top));
}

/** The topmost element at a point, through shadow trees. */
export function deepestAt(x: number, y: number): Element | null {
  let root: Document | ShadowRoot = document;
  let deepest: Element | null = null;
  for (;;) {
    const top: Element | null = elementFromPoint(root, x, y);
    if (top === null || top === deepest) return deepest;
    deepest = top;
    const inner = shadowRootOf(top);
    if (inner === null) return top;
    root = inner;
  }
}

/** Disabled natively, by a fieldset, or by ARIA on it or a widget around it. */
export function isDisabled(element: Element, tag: string): boolean {
  if (/^(button|input|select|textarea|option|fieldset)$/.test(tag) && matches(element, ':disabled'))
    return true;
  if (saysDisabled(element)) return true;
  const parent = composedParent(element);
  return parent !== null && localName(parent) === 'li' && saysDisabled(parent);
}

function saysDisabled(element: Element): boolean {
  if (getAttribute(element, 'aria-disabled') === 'true') return true;
  const classes = getAttribute(element, 'class');
  return classes !== null && /(^|\s)(ui-state-disabled|ui-datepicker-unselectable)(\s|$)/.test(classes);
}

const activeIs = (element: Element): boolean => matches(element, ':focus');

const toBox = (rect: DOMRect): Box => ({
  left: rect.left,
  top: rect.top,
  right: rect.right,
  bottom: rect.bottom,
});

function visibleBox(element: Element): Box | null {
  if (!checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true })) return null;
  const box = toBox(boxOf(element));
  return box.right - box.left > 1 && box.bottom - box.top > 1 ? box : null;
}

/** The box of what is in an element that has none itself (display: contents, an empty line around a picture). */
function contentBox(element: Element): Box | null {
  const { display, overflow } = getComputedStyle(element);
  if (overflow !== 'visible' && !/^(inline|contents)$/.test(display)) return null;
  const range = new Range();
  range.selectNodeContents(element);
  const box = toBox(range.getBoundingClientRect());
  return box.right - box.left >= 1 && box.bottom - box.top >= 1 ? box : null;
}

/** The box of an image map's area, from its coordinates in the picture that uses it. */
function areaBox(area: Element): Box | null {
  const map = composedParent(area);
  const name = map === null ? null : getAttribute(map, 'name');
  if (name === null) return null;
  const image = Array.from(queryAllDocument(document, 'img[usemap]')).find(
    candidate => getAttribute(candidate, 'usemap') === `#${name}`,
  );
  if (image === undefined) return null;
  const frame = boxOf(image);
  const numbers = (getAttribute(area, 'coords') ?? '').split(',').map(Number);
  const shape = getAttribute(area, 'shape') ?? 'rect';
  if (shape === 'default' || numbers.length < 3 || numbers.some(Number.isNaN)) return toBox(frame);
  const [x = 0, y = 0, radius = 0] = numbers;
  const xs = shape === 'circle' ? [x - radius, x + radius] : numbers.filter((_, index) => index % 2 === 0);
  const ys = shape === 'circle' ? [y - radius, y + radius] : numbers.filter((_, index) => index % 2 === 1);
  return {
    left: frame.left + Math.min(...xs),
    right: frame.left + Math.max(...xs),
    top: frame.top + Math.min(...ys),
    bottom: frame.top + Math.max(...ys),
  };
}

function clipAt(element: Element, next: Clip | null): Clip | null {
  const style = getComputedStyle(element);
  if (style.position === 'fixed') next = null;
  const { overflowX, overflowY } = style;
  if (overflowX === 'visible' && overflowY === 'visible') return next;
  if (element === documentElement(document) || matches(element, 'body')) return next;
  if (style.display === 'inline' || style.display === 'contents') return next;
  const scrolls = /auto|scroll/.test(overflowX + overflowY);
  return { box: toBox(boxOf(element)), scrolls, next };
}

/** @returns the part that shows; `scrolled` when scrolling would show it; `clipped`; `gone` when cut off by a box of no size */
function throughClips(box: Box, clips: Clip | null): Box | 'scrolled' | 'clipped' | 'gone' {
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

function intersection(one: Box, other: Box): Box | null {
  const left = Math.max(one.left, other.left);
  const top = Math.max(one.top, other.top);
  const right = Math.min(one.right, other.right);
  const bottom = Math.min(one.bottom, other.bottom);
  return right - left > 0.5 && bottom - top > 0.5 ? { left, top, right, bottom } : null;
}
