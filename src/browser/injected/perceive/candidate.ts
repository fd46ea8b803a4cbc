/** An element that may be acted on, as the walk finds it. */

import type { Section } from './section.ts';
import type { Control } from './wireFormat.ts';

/**
 * Why it was found, the strongest first: a native control; a role; a handler of its own; chosen from a container
 * that handles for its children; it can be dragged, or something can be dropped on it; it can be focused; the cursor says so; it reacts to the pointer
 * coming over it; it can be scrolled.
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
  readonly letter: 'L' | 'B' | 'I';
  readonly control: Control;
}

export interface Candidate extends Classification {
  readonly element: Element;
  readonly tag: string;
  readonly role: string | null;
  readonly style: CSSStyleDeclaration;
  readonly section: Section;
  readonly heading: Element | null;
  /** The nearest element around it that was found too. */
  readonly ancestor: Candidate | null;
  /** Found elements inside it. */
  descendantCount: number;
  /** Not rendered itself, but usable: by its label, or (a file input) without a click. */
  readonly unrendered: boolean;
  /** The cursor over it says that it can be clicked. */
  readonly pointer: boolean;
}

export const isExplicit = (found: Classification): boolean =>
  found.basis === 'control' || found.basis === 'role';
