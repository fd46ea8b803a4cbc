/** One pass over what Readability left, as a value. */
import type { TextStats } from './textStats.ts';

export interface ArticlePassInput {
  readonly root: Element;
  readonly stats: TextStats;
  /** Characters of text before the first pass. */
  readonly initialTextLength: number;
  /** The page's title in one line; may be empty. */
  readonly title: string;
}

export interface ArticlePass {
  readonly name: string;
  /** Why it stands at this place in the list. */
  readonly orderReason: string;
  run(input: ArticlePassInput): void;
}
