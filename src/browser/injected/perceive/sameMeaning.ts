/** Checks at the moment of a press whether an element still means what the last observation listed. */
import { isConnected } from '../dom/domGetters.ts';
import { fingerprintOf } from './fingerprint.ts';
import { isGrownFingerprint, isGrownName } from './grownName.ts';
import {
  type ListedCandidate,
  lastContext,
  listedCandidate,
  listedCandidates,
  listedContext,
  repeatedNames,
} from './lastObservation.ts';
import { nameCandidate } from './name/elementName.ts';
import { identifyingContext, needsContext } from './name/identifyingContext.ts';

/** Returns true if the element belongs to the same row, month or box as when it was listed; the text of the row may have grown. */
export function hasSameContext(element: Element): boolean {
  const before = listedContext(element);
  const listed = listedCandidate(element);
  if (before === null || before === '' || listed === null) return true;
  const now = contextNow(listed);
  if (now === before) return true;
  const isInRowNow = (other: ListedCandidate): boolean =>
    other.fingerprint === listed.fingerprint &&
    listedContext(other.candidate.element) !== before &&
    contextNow(other) === before;
  const isNumber = needsContext(listed.name.text, false);
  return !isNumber && isGrownName(before, now) && !others(element).some(isInRowNow);
}

const contextNow = ({ candidate, name }: ListedCandidate): string =>
  identifyingContext(candidate.element, name.text, {
    repeatedNames: repeatedNames(),
    monthTexts: new Map(),
    rowTexts: new Map(),
  });

/**
 * Returns true if the element still has the role, the name and the context that were listed. True for an element that is not listed.
 * @param fingerprint the fingerprint with which the caller knows the element; that of the last observation by default
 */
export function hasSameMeaning(element: Element, fingerprint?: string): boolean {
  const listed = listedCandidate(element);
  if (listed === null) return true;
  const before = fingerprint ?? listed.fingerprint;
  const now = fingerprintNow(listed);
  return (
    (now === before || (isGrownFingerprint(before, now) && !hasMoved(element, before))) &&
    hasSameContext(element)
  );
}

/**
 * Returns true if a fingerprint belongs to another element now: then a list uses its elements again for other entries, and a name that
 * seems to have grown is that of another entry.
 */
const hasMoved = (element: Element, fingerprint: string): boolean =>
  others(element).some(other => other.fingerprint !== fingerprint && fingerprintNow(other) === fingerprint);

function fingerprintNow({ candidate, fingerprint }: ListedCandidate): string {
  const last = lastContext();
  return last === null
    ? fingerprint
    : fingerprintOf(candidate, nameCandidate(candidate, last.styleRules.generatesText));
}

/** Returns the listed candidates that are still in the document, without that of an element. */
const others = (element: Element): readonly ListedCandidate[] =>
  listedCandidates().filter(
    ({ candidate }) => candidate.element !== element && isConnected(candidate.element),
  );
