/** Checks at the moment of a press whether an element still means what the last observation listed. */

import { fingerprintOf } from './fingerprint.ts';
import { lastContext, listedCandidate, listedContext, repeatedNames } from './lastObservation.ts';
import { nameCandidate } from './name/elementName.ts';
import { identifyingContext } from './name/identifyingContext.ts';

/** Minimum length of a name that counts as the same when it has grown: `Save` and `Save (Ctrl+S)`, but not `1` and `11`. */
const MIN_GROWING_NAME = 4;

/** Returns true if the element belongs to the same row, month or box as when it was listed. */
export function hasSameContext(element: Element): boolean {
  const before = listedContext(element);
  const listed = listedCandidate(element);
  if (before === null || before === '' || listed === null) return true;
  return (
    identifyingContext(element, listed.name.text, {
      repeatedNames: repeatedNames(),
      monthTexts: new Map(),
      rowTexts: new Map(),
    }) === before
  );
}

/**
 * Returns true if the element still has the role, the name and the context that were listed. A name that has grown under
 * the pointer counts as the same. True for an element that is not listed.
 */
export function hasSameMeaning(element: Element): boolean {
  const listed = listedCandidate(element);
  const last = lastContext();
  if (listed === null || last === null) return true;
  const name = nameCandidate(listed.candidate, last.styleRules.generatesText);
  const isSame =
    fingerprintOf(listed.candidate, name) === listed.fingerprint || hasGrown(listed.name.stem, name.stem);
  return isSame && hasSameContext(element);
}

function hasGrown(before: string, now: string): boolean {
  const [shorter, longer] = before.length < now.length ? [before, now] : [now, before];
  return shorter.length >= MIN_GROWING_NAME && ` ${longer} `.includes(` ${shorter} `);
}
