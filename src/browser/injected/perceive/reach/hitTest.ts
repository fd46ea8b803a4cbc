/** Hit test: determines whether a click on an element reaches it, and at which point. */

import {
  clientRects,
  composedContains,
  composedParent,
  elementFromPoint,
  getRootNode,
  isShadowRoot,
  labelsOf,
  renderedParent,
} from '../../dom/domGetters.ts';
import { documentState } from '../../dom/lifetimes.ts';
import type { Candidate } from '../candidate.ts';
import type { Box } from '../element/box.ts';
import { shadowRootOf } from '../element/shadowRootOf.ts';

/** Returns true if `inner` is rendered in `outer`, an element of a shadow tree, through a slot of the tree. */
export function containsSlotted(outer: Element, inner: Element): boolean {
  if (!isShadowRoot(getRootNode(outer))) return false;
  for (let at: Element | null = inner; at !== null; at = renderedParent(at)) if (at === outer) return true;
  return false;
}

export interface HitTestResult {
  /** True when a click reaches the element, and when the element was not tested. */
  readonly reached: boolean;
  /** The element that receives the click instead; null when a click reaches the target or is not known to miss it. */
  readonly coveredBy: Element | null;
  /** A point where a click reaches the element, in viewport coordinates; null when a click on the center does. */
  readonly point: readonly [number, number] | null;
}

/** The result when there was no time for the test: the element counts as reached. A step tests again before it clicks. */
export const NOT_TESTED: HitTestResult = { reached: true, coveredBy: null, point: null };
/** One `elementFromPoint` takes milliseconds where thousands of words share a line. */
const HIT_TEST_TIMEOUT_MS = 200;
/** Maximum number of lines of inline text that are tested. */
const MAX_LINES = 4;

/** Points to try, as fractions of the width and height of the visible box; the center first. */
const TEST_POINTS: ReadonlyArray<readonly [number, number]> = [
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

/** Tries points of the visible part until a click reaches the candidate. @param target the element or label that has the box */
export function hitTest(candidate: Candidate, target: Element, visible: Box): HitTestResult {
  const width = visible.right - visible.left;
  const height = visible.bottom - visible.top;
  const { tag } = candidate;
  const points = /^(?:path|g|polygon|area)$/.test(tag) ? gridPoints() : TEST_POINTS;
  const end = performance.now() + HIT_TEST_TIMEOUT_MS;
  let coveredBy: Element | null = null;
  for (const [index, [across, down]] of points.entries()) {
    if (performance.now() > end) return NOT_TESTED;
    const x = visible.left + width * across;
    const y = visible.top + height * down;
    const top = deepestElementAt(x, y);
    if (top === null) continue;
    if (receivesPress(candidate, target, top))
      return { reached: true, coveredBy: null, point: index === 0 ? null : [x, y] };
    coveredBy ??= top;
  }
  const point = hitTestLines(candidate, target);
  return point === null
    ? { reached: false, coveredBy, point: null }
    : { reached: true, coveredBy: null, point };
}

/** Returns the middle of a line of inline text where a press reaches the candidate: that of several lines can lie outside of the text. */
function hitTestLines(candidate: Candidate, target: Element): readonly [number, number] | null {
  if (candidate.style.display !== 'inline') return null;
  for (const line of Array.from(clientRects(target)).slice(0, MAX_LINES)) {
    const x = line.left + line.width / 2;
    const y = line.top + line.height / 2;
    const top = deepestElementAt(x, y);
    if (top !== null && receivesPress(candidate, target, top)) return [x, y];
  }
  return null;
}

/** Returns a grid of points to try on shapes with holes, as fractions of the box; those near the center first. */
const gridPoints = documentState.value(() => {
  const points: Array<readonly [number, number]> = [[0.5, 0.5]];
  for (let across = 1; across < 10; across++)
    for (let down = 1; down < 10; down++) points.push([across / 10, down / 10]);
  return points.sort((a, b) => distanceToCenter(a) - distanceToCenter(b));
});
const distanceToCenter = ([x, y]: readonly [number, number]): number => Math.hypot(x - 0.5, y - 0.5);

/** True when a press on `top` reaches the candidate: `top` is part of the candidate, of `target` or of one of its labels. */
export function receivesPress(
  { element, basis, control }: Candidate,
  target: Element,
  top: Element,
): boolean {
  // A hollow shape does not receive a drop itself: the drawing behind it does.
  if (basis === 'target' && composedContains(top, element)) return true;
  if (composedContains(element, top) || composedContains(target, top)) return true;
  if (containsSlotted(element, top)) return true;
  // The handle that a library draws around a hidden slider; the slider takes its value without a press.
  if (control === 'range' && composedContains(composedParent(element) ?? element, top)) return true;
  return labelsOf(element).some(label => composedContains(label, top));
}

/** Returns the topmost element at a point of the viewport, also inside shadow trees; null if there is none. */
export function deepestElementAt(x: number, y: number): Element | null {
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
