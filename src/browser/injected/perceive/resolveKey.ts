/** Reads one listed element again, immediately before a step acts on it. */

import { boxOf, composedContains, composedParent, matches } from '../dom/domGetters.ts';
import { reading } from '../dom/lifetimes.ts';
import { orSkipped } from '../dom/skipped.ts';
import { CONTROLS } from '../dom/vocabulary.ts';
import type { Candidate } from './candidate.ts';
import { type Box, roundPixels, toBox } from './element/box.ts';
import { hasFocus } from './element/shadowRootOf.ts';
import { elementByKey, keyOfElement } from './elementKeys.ts';
import { lastContext, listedCandidate, listedDescription } from './lastObservation.ts';
import { nameCandidate } from './name/elementName.ts';
import { briefLabel } from './name/identifierWords.ts';
import type { ObservationContext } from './observationContext.ts';
import { deepestElementAt } from './reach/hitTest.ts';
import { barAround, type Reachability, ReachabilityChecker } from './reach/reachability.ts';
import { hoverHostOf } from './reach/shownOnHover.ts';
import { fingerprintOf, hasSameContext } from './sameMeaning.ts';
import type { ElementResolution } from './wireFormat.ts';

/** Points to try in the box of an element, as fractions of its width and height. */
const FRACTIONS = [0.5, 0.15, 0.85, 0.3, 0.7, 0.04, 0.96];

/** Returns `point`, or another one where nothing inside of the element takes the press; null if a press there misses the element. */
export function pressPoint(
  element: Element,
  point: readonly [number, number],
  field: Element = element,
): readonly [number, number] | null {
  if (isOwnArea(element, point, field)) return point;
  const { left, top, width, height } = boxOf(element);
  for (const down of FRACTIONS)
    for (const across of FRACTIONS) {
      const x = left + width * across;
      const y = top + height * down;
      const isInViewport = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      if (isInViewport && isOwnArea(element, [x, y], field)) return [x, y];
    }
  const reached = deepestElementAt(...point);
  return reached !== null && composedContains(element, reached) ? point : null;
}

function isOwnArea(element: Element, [x, y]: readonly [number, number], field: Element): boolean {
  const top = deepestElementAt(x, y);
  if (top === null || !composedContains(element, top)) return false;
  for (let at: Element | null = top; at !== null && at !== element && at !== field; at = composedParent(at))
    if (listedCandidate(at) !== null || matches(at, CONTROLS)) return false;
  return true;
}

/** Returns the current fingerprint and status of the element with this key, and what covers it; `gone` when it is not listed any more. */
export function resolveKey(key: number): ElementResolution {
  const element = elementByKey(key);
  const listed = element === null ? null : listedCandidate(element);
  const last = lastContext();
  if (listed === null || last === null) return { state: 'gone' };
  reading.begin();
  const context: ObservationContext = { ...last, width: innerWidth, height: innerHeight, scrollX, scrollY };
  const { candidate } = listed;
  const reachability = orSkipped(() => new ReachabilityChecker(context).check(candidate));
  const { coveredBy } = reachability ?? { coveredBy: null };
  const cover = coveredBy === null ? null : keyAndDescription(coveredBy);
  const pressed = reachability === null ? null : orSkipped(() => pressedPoint(candidate, reachability));
  const offset = reachability === null ? null : offsetInBox(reachability, pressed, candidate);
  return {
    state: 'present',
    fingerprint: fingerprintOf(candidate, nameCandidate(candidate, context.styleRules.generatesText)),
    hasSameContext: hasSameContext(element ?? candidate.element),
    control: candidate.control,
    status: reachability?.status ?? 'clipped',
    hasBox: reachability?.hasBox ?? false,
    through: reachability?.through ?? false,
    coveredBy: coveredBy === null ? null : (cover?.description ?? briefLabel(coveredBy)),
    coveredByKey: cover?.key ?? null,
    point: offset === null ? null : [roundPixels(offset[0]), roundPixels(offset[1])],
    inView: pressed,
    isBelowBar: coveredBy !== null && reachability?.layer === null && barAround(coveredBy) !== null,
    shownOnHover: hoverHostOf(candidate) !== null,
    isRegion: candidate.basis === 'scroll',
    readOnly: (candidate.element as HTMLInputElement).readOnly === true,
    focused: hasFocus(candidate.element),
  };
}

/** Returns the point of the viewport at which a press reaches the element's own area; null when it must be scrolled into view or is covered. */
function pressedPoint(
  { element, basis }: Candidate,
  { box, hasBox, inViewport, status, point, pressed = element }: Reachability,
): readonly [number, number] | null {
  if (!hasBox || !inViewport || status !== 'valid') return null;
  const at = pressPoint(pressed, point ?? centerOf(box), element);
  // An entry that lies there is not part of the region: it has a line of its own.
  return at !== null && basis === 'scroll' && !isOwnArea(pressed, at, element) ? null : at;
}

function offsetInBox(
  { box, point }: Reachability,
  pressed: readonly [number, number] | null,
  { pressedPart: part }: Candidate,
): readonly [number, number] | null {
  const at = pressed ?? point ?? (part === undefined ? null : centerOf(toBox(boxOf(part))));
  if (at === null) return null;
  const [x, y] = centerOf(box);
  return at[0] === x && at[1] === y ? null : [at[0] - box.left, at[1] - box.top];
}

const centerOf = (box: Box): readonly [number, number] => [
  (box.left + box.right) / 2,
  (box.top + box.bottom) / 2,
];

function keyAndDescription(element: Element): { key: number; description: string } | null {
  const description = listedDescription(element);
  const key = keyOfElement(element);
  return key === null || description === null ? null : { key, description };
}
