/** Reads one listed element again, immediately before a step acts on it. */
import type { Box } from './box.ts';
import { briefLabel } from './briefLabel.ts';
import { clearDisplayCache } from './displayCache.ts';
import { elementByKey, keyOfElement } from './elementKeys.ts';
import { nameCandidate } from './elementName.ts';
import { fingerprintOf } from './fingerprint.ts';
import { lastContext, listedCandidate, listedDescription } from './lastObservation.ts';
import type { ObservationContext } from './observationContext.ts';
import { orNull } from './orNull.ts';
import { ReachabilityChecker } from './reachability.ts';
import { roundPixels } from './roundPixels.ts';
import { hasSameContext } from './sameMeaning.ts';
import type { ElementResolution } from './wireFormat.ts';

/** Returns the current fingerprint and status of the element with this key, and what covers it; `gone` when it is not listed any more. */
export function resolveKey(key: number): ElementResolution {
  const element = elementByKey(key);
  const listed = element === null ? null : listedCandidate(element);
  const last = lastContext();
  if (listed === null || last === null) return { state: 'gone' };
  clearDisplayCache();
  const context: ObservationContext = { ...last, width: innerWidth, height: innerHeight, scrollX, scrollY };
  const { candidate } = listed;
  const reachability = orNull(() => new ReachabilityChecker(context).check(candidate));
  const { coveredBy } = reachability ?? { coveredBy: null };
  const cover = coveredBy === null ? null : keyAndDescription(coveredBy);
  return {
    state: 'present',
    fingerprint: fingerprintOf(candidate, nameCandidate(candidate, context.styleRules.generatesText)),
    hasSameContext: hasSameContext(element ?? candidate.element),
    control: candidate.control,
    status: reachability?.status ?? 'clipped',
    hasBox: reachability?.hasBox ?? false,
    coveredBy: coveredBy === null ? null : (cover?.description ?? briefLabel(coveredBy)),
    coveredByKey: cover?.key ?? null,
    point: reachability?.point == null ? null : offsetInBox(reachability.box, reachability.point),
  };
}

const offsetInBox = (box: Box, [x, y]: readonly [number, number]): readonly [number, number] => [
  roundPixels(x - box.left),
  roundPixels(y - box.top),
];

function keyAndDescription(element: Element): { key: number; description: string } | null {
  const description = listedDescription(element);
  const key = keyOfElement(element);
  return key === null || description === null ? null : { key, description };
}
