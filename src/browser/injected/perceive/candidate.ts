/** An element that may be interactive, as the search of the document finds it. */
import type { Section } from './section.ts';
import type { Control } from './wireFormat.ts';

/**
 * The reason why an element counts as interactive; the strongest reason first:
 * - `control`: a native control or an editable region
 * - `role`: an ARIA role
 * - `handler`: it has a press handler
 * - `child`: an ancestor handles presses for it (event delegation)
 * - `drag`: it can be dragged
 * - `target`: something can be dropped on it
 * - `focus`: it can be focused
 * - `cursor`: the cursor over it is a pointer
 * - `hover`: it reacts to the pointer moving over it
 * - `scroll`: it can be scrolled
 */
export type ClassificationBasis =
  | 'control'
  | 'role'
  | 'handler'
  | 'child'
  | 'drag'
  | 'target'
  | 'focus'
  | 'cursor'
  | 'hover'
  | 'scroll';

export interface Classification {
  readonly basis: ClassificationBasis;
  /** First letter of the id: link, button or input. */
  readonly letter: 'L' | 'B' | 'I';
  readonly control: Control;
}

export interface Candidate extends Classification {
  readonly element: Element;
  readonly tag: string;
  readonly role: string | null;
  readonly style: CSSStyleDeclaration;
  readonly section: Section;
  /** The last heading before it in its section. */
  readonly heading: Element | null;
  /** The nearest ancestor that is a candidate. */
  readonly ancestor: Candidate | null;
  /** Number of candidates inside it. */
  descendantCount: number;
  /** True when it is not rendered but usable: through its label, or (a file input) without a click. */
  readonly unrendered: boolean;
  /** True when the cursor over it is a pointer. */
  readonly pointer: boolean;
}

/** True when the element itself says what it is: a native control, or a role. */
export const isExplicit = ({ basis }: Classification): boolean => basis === 'control' || basis === 'role';
