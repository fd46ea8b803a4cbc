/** The interface of an article pass: one step that cleans the article which Readability found. */
import type { TextStats } from './textStats.ts';

/** The article that a pass changes. */
export interface ArticlePassInput {
  readonly root: Element;
  readonly stats: TextStats;
  /** Length of the text before the first pass, in characters. */
  readonly initialTextLength: number;
  /** The page's title in one line; may be empty. */
  readonly title: string;
}

/** An entry of `ARTICLE_PASSES`. */
export interface ArticlePass {
  readonly name: string;
  /** The reason for the position of the pass in the list. */
  readonly orderReason: string;
  run(input: ArticlePassInput): void;
}
