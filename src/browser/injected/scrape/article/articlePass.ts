/** The interface of an article pass: one step that cleans the article which Readability found. */
import type { TextStats } from './textStats.ts';

/** The input of an article pass: the article that Readability found, which the pass changes in place. */
export interface ArticlePassInput {
  readonly root: Element;
  /** Text statistics of `root`; a pass removes elements with `stats.remove`. */
  readonly stats: TextStats;
  /** Length of the text before the first pass, in characters. */
  readonly initialTextLength: number;
  /** The page's title in one line; may be empty. */
  readonly title: string;
}

/** One step that cleans the article which Readability found: removes boilerplate, or marks captions. */
export interface ArticlePass {
  readonly name: string;
  /** Why the pass has its position in `ARTICLE_PASSES`. */
  readonly orderReason: string;
  run(input: ArticlePassInput): void;
}
