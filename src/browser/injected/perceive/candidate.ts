/** A candidate: an element that may be interactive, with the traits that the search of the document collects. */
import type { Section } from './name/section.ts';
import type { Control, PointerGesture } from './wireFormat.ts';

/**
 * The reason why an element counts as interactive; the strongest reason first:
 * - `control`: a native control or an editable region
 * - `role`: an ARIA role
 * - `handler`: it has a press handler
 * - `child`: an ancestor handles presses for it (event delegation)
 * - `drag`: it can be dragged
 * - `target`: it is a drop target
 * - `keys`: it takes keys for its cells or entries, which take no presses
 * - `focus`: it can be focused
 * - `cursor`: the cursor over it is a pointer
 * - `hover`: it reacts when the pointer enters it
 * - `scroll`: it can be scrolled
 */
export type ClassificationBasis =
  | 'control'
  | 'role'
  | 'handler'
  | 'child'
  | 'drag'
  | 'target'
  | 'keys'
  | 'focus'
  | 'cursor'
  | 'hover'
  | 'scroll';

/** The kind of an interactive element, and the reason why it counts as interactive. */
export interface Classification {
  readonly basis: ClassificationBasis;
  /** First letter of the action's id: `L` for a link, `B` for a button, `I` for an input. */
  readonly letter: 'L' | 'B' | 'I';
  readonly control: Control;
}

/** An element that may be interactive, with the traits that the search of the document collects. */
export interface Candidate extends Classification {
  readonly element: Element;
  readonly tag: string;
  role: string | null;
  /** The element that has the ARIA states of the candidate, if it is not the candidate's own. */
  stateElement?: Element;
  /** The link or button that is all of an entry (a tab, an option), and is pressed for it; absent for any other. */
  pressedPart?: Element;
  readonly style: CSSStyleDeclaration;
  readonly section: Section;
  /** The last heading before the element in its section; null if there is none. */
  heading: Element | null;
  readonly ancestor: Candidate | null;
  descendantCount: number;
  /** True when the element is not rendered but can be used: through its label, or (a file input) without a click. */
  readonly unrendered: boolean;
  /** The element over which the pointer must be for this one to be rendered, as style rules say; absent for any other. */
  shownBy?: Element;
  /** True when the cursor over the element is `pointer` (a hand). */
  readonly pointer: boolean;
  /** True when the element itself is dragged, as its attributes, its classes or the cursor over it show. */
  readonly dragged: boolean;
  takesDrops: boolean;
  /** True for one of several places for drops, in which there are several things that are dragged. */
  holdsDragged?: boolean;
  /** True for a button that only screen readers find, listed because people see no other; absent for any other. */
  unseen?: true;
  /** The only gesture that the element has handlers for; null for a click, and for a native control. */
  readonly gesture: PointerGesture | null;
}

/** True when the element itself declares that it is interactive: as a native control, or by a role. */
export const isExplicit = ({ basis }: Classification): boolean => basis === 'control' || basis === 'role';

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
