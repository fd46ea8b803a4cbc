/** Keeps the results of the last observation of this document, for the calls that follow it. */
import { observation } from '../dom/lifetimes.ts';
import type { Candidate, CandidateSearch, FrameCandidate } from './candidate.ts';
import { elementByKey } from './elementKeys.ts';
import type { ElementName } from './name/elementName.ts';
import type { ObservationContext } from './observationContext.ts';
import type { Reachability } from './reach/reachability.ts';

/** A candidate that the observation lists, with the values that were computed for it. */
export interface ListedCandidate {
  readonly candidate: Candidate;
  readonly reachability: Reachability;
  readonly name: ElementName;
  readonly category: string;
  readonly fingerprint: string;
}

interface Found {
  context: ObservationContext | null;
  search: CandidateSearch | null;
  readonly listed: Map<Element, ListedElement>;
  repeatedNames: ReadonlySet<string>;
}

interface ListedElement {
  readonly listed: ListedCandidate;
  readonly description: string;
  /** Its `identifyingContext`; null if its name identifies it. */
  readonly context: string | null;
}

const found = observation.value(
  (): Found => ({ context: null, search: null, listed: new Map(), repeatedNames: new Set() }),
);

export function setSearch(context: ObservationContext, search: CandidateSearch): void {
  Object.assign(found(), { context, search });
}

export const busyClassed = (): readonly Element[] | null => found().search?.busyClassed ?? null;

/** Stores a listed candidate, its description and its `identifyingContext`, which is null if its name identifies it. */
export function addListed(listed: ListedCandidate, description: string, context: string | null): void {
  found().listed.set(listed.candidate.element, { listed, description, context });
}

export const listedCandidates = (): readonly ListedCandidate[] =>
  Array.from(found().listed.values(), ({ listed }) => listed);

export const lastContext = (): ObservationContext | null => found().context;

export const listedCandidate = (element: Element): ListedCandidate | null =>
  found().listed.get(element)?.listed ?? null;

export const listedDescription = (element: Element): string | null =>
  found().listed.get(element)?.description ?? null;

export function setRepeatedNames(names: ReadonlySet<string>): void {
  found().repeatedNames = names;
}

export const repeatedNames = (): ReadonlySet<string> => found().repeatedNames;

/** Returns the `identifyingContext` that a listed element had; null if its name identifies it, or it is not listed. */
export const listedContext = (element: Element): string | null =>
  found().listed.get(element)?.context ?? null;

export function candidateByKey(key: number): Candidate | null {
  const element = elementByKey(key);
  return element === null ? null : (listedCandidate(element)?.candidate ?? null);
}

/** Returns a custom element that may have a closed shadow tree, by its index in the last observation; null if there is none. */
export const closedHost = (index: number): Element | null => found().search?.closedHosts[index] ?? null;

/** Returns the iframes of the last observation, in document order. */
export const foundFrames = (): readonly FrameCandidate[] => found().search?.frames ?? [];

export const frameElement = (index: number): Element | null => found().search?.frames[index]?.element ?? null;
