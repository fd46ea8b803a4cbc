/** Reads one listed element again, immediately before a step acts on it. */

import { boxOf } from '../dom/domGetters.ts';
import type { Candidate } from './candidate.ts';
import { type Box, toBox } from './element/box.ts';
import { clearDisplayCache } from './element/displayCache.ts';
import { clearFieldCounts } from './element/fieldCounts.ts';
import { hasFocus } from './element/hasFocus.ts';
import { roundPixels } from './element/roundPixels.ts';
import { elementByKey, keyOfElement } from './elementKeys.ts';
import { fingerprintOf } from './fingerprint.ts';
import { lastContext, listedCandidate, listedDescription } from './lastObservation.ts';
import { briefLabel } from './name/briefLabel.ts';
import { nameCandidate } from './name/elementName.ts';
import type { ObservationContext } from './observationContext.ts';
import { orNull } from './orNull.ts';
import { pressPoint } from './reach/pressPoint.ts';
import { type Reachability, ReachabilityChecker } from './reach/reachability.ts';
import { hoverHostOf } from './reach/shownOnHover.ts';
import { hasSameContext } from './sameMeaning.ts';
import type { ElementResolution } from './wireFormat.ts';

/** Returns the current fingerprint and status of the element with this key, and what covers it; `gone` when it is not listed any more. */
export function resolveKey(key: number): ElementResolution {
  const element = elementByKey(key);
  const listed = element === null ? null : listedCandidate(element);
  const last = lastContext();
  if (listed === null || last === null) return { state: 'gone' };
  clearDisplayCache();
  clearFieldCounts();
  const context: ObservationContext = { ...last, width: innerWidth, height: innerHeight, scrollX, scrollY };
  const { candidate } = listed;
  const reachability = orNull(() => new ReachabilityChecker(context).check(candidate));
  const { coveredBy } = reachability ?? { coveredBy: null };
  const cover = coveredBy === null ? null : keyAndDescription(coveredBy);
  const pressed = reachability === null ? null : orNull(() => pressedPoint(candidate, reachability));
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
    shownOnHover: hoverHostOf(candidate) !== null,
    readOnly: (candidate.element as HTMLInputElement).readOnly === true,
    focused: hasFocus(candidate.element),
  };
}

/** Returns the point of the viewport at which a press reaches the element's own area; null when it must be scrolled into view or is covered. */
function pressedPoint(
  { element }: Candidate,
  { box, hasBox, inViewport, status, point, pressed = element }: Reachability,
): readonly [number, number] | null {
  if (!hasBox || !inViewport || status !== 'valid') return null;
  return pressPoint(pressed, point ?? centerOf(box), element);
}

/** Returns the offset of the point to press from the corner of the element's box; null for its middle. */
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
