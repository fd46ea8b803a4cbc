/** One pass over what Readability left, as a value. */
import type { Weights } from './weights.ts';

export interface PassInput {
  readonly root: Element;
  readonly weights: Weights;
  /** Characters of text before the first pass. */
  readonly before: number;
  /** The page's title in one line; may be empty. */
  readonly title: string;
}

export interface Pass {
  readonly name: string;
  /** Why it stands at this place in the list. */
  readonly order: string;
  run(input: PassInput): void;
}
