/** Finds an article's body with Readability and cleans it with the article passes. */
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { ARTICLE_PASSES } from './articlePasses.ts';
import { convertNamedCaptions } from './captions.ts';
import { isAdmonition } from './elementNames.ts';
import { unwrapHeadings } from './headings.ts';
import { mayHoldArticle } from './mayHoldArticle.ts';
import { protectEmbeds } from './protectEmbeds.ts';
import { collapseWhitespace, TextStats } from './textStats.ts';

/** Maximum number of elements of a page that Readability reads. It scores each ancestor of each paragraph; on larger pages it takes seconds. */
const MAX_ELEMENTS = 30_000;
const MIN_ARTICLE_CHARACTERS = 140;
/** If this share (0 to 1) of a body's text or more is in links, it is a list of links, not an article. */
const MAX_LINK_DENSITY = 0.6;
/** Minimum length of a paragraph that counts as prose. */
const MIN_PROSE_CHARACTERS = 80;
/** Minimum share (0 to 1) of the text that the article passes must keep. If they keep less, their result is not used. */
const MIN_KEPT_SHARE = 0.5;

/** The body of an article without boilerplate, and metadata that Readability found. */
export interface Article {
  readonly root: Element;
  readonly byline: string | null;
  readonly excerpt: string | null;
}

/** Returns true if the page has so many elements that Readability would take seconds; `readArticle` then returns null. */
export const isTooLargeForReadability = (copy: Document): boolean =>
  copy.body.getElementsByTagName('*').length > MAX_ELEMENTS;

/** Returns the article that Readability finds; null if the page is not an article or is too large. Does not change the copy. */
export function readArticle(copy: Document): Article | null {
  if (isTooLargeForReadability(copy) || !mayHoldArticle(copy, MIN_PROSE_CHARACTERS)) return null;
  const draft = copy.cloneNode(true) as Document;
  prepare(draft.body);
  emulateInnerHtml(copy, draft.body);
  const parsed = new Readability<Element>(draft, {
    keepClasses: true,
    disableJSONLD: true,
    serializer: node => node as Element,
  }).parse();
  const root = parsed?.content;
  if (!root || !isArticle(root, copy)) return null;
  return {
    root: prune(root, parsed.title ?? ''),
    byline: parsed.byline ?? null,
    excerpt: parsed.excerpt ?? null,
  };
}

function prepare(body: HTMLElement): void {
  protectEmbeds(body);
  unwrapHeadings(body);
  keepAdmonitions(body);
  convertNamedCaptions(body);
}

/** Turns admonitions into `div`, because Readability removes every `aside`. */
function keepAdmonitions(body: HTMLElement): void {
  for (const aside of body.querySelectorAll('aside')) {
    if (!isAdmonition(aside)) continue;
    const box = body.ownerDocument.createElement('div');
    box.append(...aside.childNodes);
    aside.replaceWith(box);
  }
}

/**
 * Replaces the setter of the body's `innerHTML` by one that clones the body of `copy`. Readability saves the body's HTML and restores it before
 * another attempt, which is rare; a page with Trusted Types forbids parsing, and serializing would take time.
 */
function emulateInnerHtml(copy: Document, body: HTMLElement): void {
  Object.defineProperty(body, 'innerHTML', {
    get: () => '',
    set: () => {
      const again = body.ownerDocument.importNode(copy.body, true);
      body.replaceChildren(...again.childNodes);
      prepare(body);
    },
  });
}

function isArticle(root: Element, copy: Document): boolean {
  const stats = new TextStats(root);
  if (stats.textLength(root) < MIN_ARTICLE_CHARACTERS || stats.linkDensity(root) >= MAX_LINK_DENSITY)
    return false;
  if (isProbablyReaderable(copy, { minContentLength: 100 })) return true;
  let prose = 0;
  for (const block of root.querySelectorAll('p,li,pre,blockquote'))
    if (stats.textLength(block) >= MIN_PROSE_CHARACTERS) prose++;
  return prose >= 2;
}

function prune(root: Element, title: string): Element {
  const unpruned = root.cloneNode(true) as Element;
  const stats = new TextStats(root);
  const initialTextLength = stats.textLength(root);
  for (const pass of ARTICLE_PASSES)
    pass.run({ root, stats, initialTextLength, title: collapseWhitespace(title) });
  return stats.textLength(root) < MIN_KEPT_SHARE * initialTextLength ? unpruned : root;
}
