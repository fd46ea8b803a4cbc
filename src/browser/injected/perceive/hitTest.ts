/** Whether a press at an element's place comes to it, and where. */

import { clientRects, composedContains, elementFromPoint, labelsOf } from '../dom/domGetters.ts';
import type { Box } from './box.ts';
import type { Candidate } from './candidate.ts';
import { shadowRootOf } from './observationContext.ts';

export interface HitTestResult {
  readonly reached: boolean;
  /** What lies on top where the element is not reached. */
  readonly by: Element | null;
  /** Where a press lands on it, when the middle is not such a place. */
  readonly point: readonly [number, number] | null;
}

/** Nobody looked: a step does, before it presses. */
export const NOT_TESTED: HitTestResult = { reached: true, by: null, point: null };
/** One look takes milliseconds where thousands of words share a line. */
const HIT_TEST_TIMEOUT_MS = 200;

/** Where a press is tried, as parts of the visible box: the middle first. */
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

/**
 * Tries points of the visible part.
 * @param target what has the box: the element itself, or its label
 */
export function hitTest(found: Candidate, target: Element, visible: Box): HitTestResult {
  const width = visible.right - visible.left;
  const height = visible.bottom - visible.top;
  let by: Element | null = null;
  const tried =
    found.tag === 'path' || found.tag === 'g' || found.tag === 'polygon' ? gridPoints() : TEST_POINTS;
  const until = performance.now() + HIT_TEST_TIMEOUT_MS;
  for (const [index, [across, down]] of tried.entries()) {
    if (performance.now() > until) return NOT_TESTED;
    const x = visible.left + width * across;
    const y = visible.top + height * down;
    const top = deepestElementAt(x, y);
    if (top === null) continue;
    if (receivesPress(found, target, top))
      return { reached: true, by: null, point: index === 0 ? null : [x, y] };
    by ??= top;
  }
  const spot = hitTestLines(found, target);
  return spot === null ? { reached: false, by, point: null } : { reached: true, by: null, point: spot };
}

/** Text that runs over several lines has a box whose middle may be anywhere: each line is tried. */
function hitTestLines(found: Candidate, target: Element): readonly [number, number] | null {
  if (found.style.display !== 'inline') return null;
  for (const line of Array.from(clientRects(target)).slice(0, 4)) {
    const x = line.left + line.width / 2;
    const y = line.top + line.height / 2;
    const top = deepestElementAt(x, y);
    if (top !== null && receivesPress(found, target, top)) return [x, y];
  }
  return null;
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
export function receivesPress({ element, basis }: Candidate, target: Element, top: Element): boolean {
  // What is dropped on a hollow shape falls on the drawing behind it.
  if (basis === 'target' && composedContains(top, element)) return true;
  if (composedContains(element, top) || composedContains(target, top)) return true;
  return labelsOf(element).some(label => composedContains(label, top));
}

/** The topmost element at a point, through shadow trees. */
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
