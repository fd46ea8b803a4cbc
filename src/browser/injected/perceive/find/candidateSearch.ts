/** The results of one search of a document. */
import type { Candidate } from '../candidate.ts';
import type { Section } from '../name/section.ts';

/** An iframe that the search found, and its position among the candidates. */
export interface FrameCandidate {
  readonly element: Element;
  /** Number of candidates before the iframe in document order. */
  readonly before: number;
  readonly section: Section;
  /** The last heading before the iframe in its section; null if there is none. */
  readonly heading: Element | null;
  /** True when the iframe is invisible, or hidden by `aria-hidden` on an ancestor. */
  readonly hidden: boolean;
}

/** The results of one search of a document, in document order. */
export interface CandidateSearch {
  readonly candidates: readonly Candidate[];
  readonly frames: readonly FrameCandidate[];
  /** Custom elements that may have a closed shadow tree which the service has not found yet. */
  readonly closedHosts: readonly Element[];
  /** Custom elements that may state role and state only to the browser. */
  readonly statedHosts: readonly Element[];
  /** The elements with a class that `mayMarkBusy`; null if parts of the document were not searched. */
  readonly busyClassed: readonly Element[] | null;
}
