/** Checks at the moment of a press whether an element still means what the last observation listed. */
import { getAttribute, isConnected, textContent } from '../dom/domGetters.ts';
import type { Candidate } from './candidate.ts';
import { normalizeText, truncate } from './element/plainText.ts';
import { elementByKey, isGrownFingerprint, isGrownName } from './elementKeys.ts';
import {
  type ListedCandidate,
  lastContext,
  listedCandidate,
  listedCandidates,
  listedContext,
  repeatedNames,
} from './lastObservation.ts';
import { type ElementName, nameCandidate } from './name/elementName.ts';
import {
  type ContextSearch,
  contextSearch,
  identifyingContext,
  needsContext,
} from './name/identifyingContext.ts';

/** Maximum length of the target in a fingerprint, in characters. Longer targets are cut. */
const MAX_TARGET_LENGTH = 120;

/**
 * Returns `role|name|tag|type|target`; the target is the `href` of a link, the `name` attribute of other elements. Two
 * elements can have the same fingerprint.
 */
export function fingerprintOf({ element, tag, role, letter, control }: Candidate, name: ElementName): string {
  const type = element instanceof HTMLInputElement ? element.type : control;
  const target = getAttribute(element, letter === 'L' ? 'href' : 'name') ?? '';
  return [role ?? '', name.stem, tag, type, truncate(target, MAX_TARGET_LENGTH)].join('|');
}

/** Returns true if the element belongs to the same row, month or box as when it was listed; the text of the row may have grown. */
export function hasSameContext(element: Element): boolean {
  const before = listedContext(element);
  const listed = listedCandidate(element);
  if (before === null || before === '' || listed === null) return true;
  const now = contextNow(listed);
  if (now === before) return true;
  const search = newSearch();
  const isInRowNow = (other: ListedCandidate): boolean => {
    const context = listedContext(other.candidate.element);
    return (
      other.fingerprint === listed.fingerprint &&
      context !== null &&
      context !== before &&
      contextNow(other, search) === before
    );
  };
  const isNumber = needsContext(listed.name.text, false);
  return !isNumber && isGrownName(before, now) && !others(element).some(isInRowNow);
}

const contextNow = ({ candidate, name }: ListedCandidate, search = newSearch()): string =>
  identifyingContext(candidate.element, name.text, search);

const newSearch = (): ContextSearch => contextSearch(repeatedNames());

/** Returns true if the element still has the listed role, name and context, and if it is not listed. @param fingerprint default: the listed one */
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

export function isNamedAsListed(key: number): boolean {
  const element = elementByKey(key);
  const listed = element === null ? null : listedCandidate(element);
  const last = lastContext();
  if (listed === null || last === null) return true;
  return nameCandidate(listed.candidate, last.styleRules.generatesText).text === listed.name.text;
}

/** Returns true if another element has the fingerprint now: the list uses its elements again, and no name has grown. */
function hasMoved(element: Element, fingerprint: string): boolean {
  const name = (fingerprint.split('|')[1] ?? '').slice(0, NAME_START);
  const listed = listedCandidates().filter(
    ({ candidate }) => candidate.element === element || isConnected(candidate.element),
  );
  const place = listed.findIndex(({ candidate }) => candidate.element === element);
  // To name each of thousands of elements takes a second.
  const mayHaveName = ({ candidate }: ListedCandidate, index: number): boolean =>
    Math.abs(index - place) <= MAX_NEIGHBOURS ||
    normalizeText(textContent(candidate.element) ?? '').includes(name);
  return listed.some(
    (other, index) =>
      index !== place &&
      other.fingerprint !== fingerprint &&
      mayHaveName(other, index) &&
      fingerprintNow(other) === fingerprint,
  );
}

/** Number of characters of a name that are compared: the end of a long name is cut. */
const NAME_START = 30;
/** Number of elements before and after an element that can have its name; of the others, only those can whose text contains it. */
const MAX_NEIGHBOURS = 40;

function fingerprintNow({ candidate, fingerprint }: ListedCandidate): string {
  const last = lastContext();
  return last === null
    ? fingerprint
    : fingerprintOf(candidate, nameCandidate(candidate, last.styleRules.generatesText));
}

const others = (element: Element): readonly ListedCandidate[] =>
  listedCandidates().filter(
    ({ candidate }) => candidate.element !== element && isConnected(candidate.element),
  );
