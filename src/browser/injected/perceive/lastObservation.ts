/** Keeps the results of the last observation of this document, for the calls that follow it. */
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

let context: ObservationContext | null = null;
let frames: readonly FrameCandidate[] = [];
let closedHosts: readonly Element[] = [];
let classedAsBusy: readonly Element[] | null = null;
let listedByElement = new WeakMap<Element, ListedCandidate>();
let descriptions = new WeakMap<Element, string>();
let listedInOrder: ListedCandidate[] = [];
let contexts = new WeakMap<Element, string>();
let namesOfSeveral: ReadonlySet<string> = new Set();

/** Stores the context and the results of the search of a new observation, in place of the previous ones. */
export function rememberSearch(newContext: ObservationContext, search: CandidateSearch): void {
  context = newContext;
  ({ frames, closedHosts, busyClassed: classedAsBusy } = search);
}

/** Returns the elements of the last observation whose class may say that the page is busy; null if they were not all found. */
export const busyClassed = (): readonly Element[] | null => classedAsBusy;

/** Removes the listed candidates of the previous observation and their descriptions. */
export function clearListed(): void {
  listedByElement = new WeakMap();
  descriptions = new WeakMap();
  listedInOrder = [];
  contexts = new WeakMap();
}

/** Stores a listed candidate, its description and its `identifyingContext`, which is null if its name identifies it. */
export function rememberListed(
  listed: ListedCandidate,
  description: string,
  identifyingContext: string | null,
): void {
  listedByElement.set(listed.candidate.element, listed);
  if (identifyingContext !== null) contexts.set(listed.candidate.element, identifyingContext);
  descriptions.set(listed.candidate.element, description);
  listedInOrder.push(listed);
}

/** Returns the listed candidates of the last observation, in document order. */
export const listedCandidates = (): readonly ListedCandidate[] => listedInOrder;

/** Returns the context of the last observation of this document; null before the first. */
export const lastContext = (): ObservationContext | null => context;

/** Returns the listed candidate of an element; null if it is not listed. */
export const listedCandidate = (element: Element): ListedCandidate | null =>
  listedByElement.get(element) ?? null;

/** Returns the description of a listed element; null if it is not listed. */
export const listedDescription = (element: Element): string | null => descriptions.get(element) ?? null;

/** Stores the names that several elements of the observation have. */
export function rememberRepeatedNames(names: ReadonlySet<string>): void {
  namesOfSeveral = names;
}

/** Returns the names that several elements of the last observation have. */
export const repeatedNames = (): ReadonlySet<string> => namesOfSeveral;

/** Returns the `identifyingContext` that a listed element had; null if its name identifies it, or it is not listed. */
export const listedContext = (element: Element): string | null => contexts.get(element) ?? null;

/** Returns the listed candidate with this key; null when its element has left the document or is not listed. */
export function candidateByKey(key: number): Candidate | null {
  const element = elementByKey(key);
  return element === null ? null : (listedCandidate(element)?.candidate ?? null);
}

/** Returns a custom element that may have a closed shadow tree, by its index in the last observation; null if there is none. */
export const closedHost = (index: number): Element | null => closedHosts[index] ?? null;

/** Returns the iframes of the last observation, in document order. */
export const foundFrames = (): readonly FrameCandidate[] => frames;

/** Returns an iframe element, by its index in the last observation; null if there is none. */
export const frameElement = (index: number): Element | null => frames[index]?.element ?? null;
