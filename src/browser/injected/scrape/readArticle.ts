/** An article's body by Readability, then by the passes. */
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { ARTICLE_PASSES } from './articlePasses.ts';
import { convertNamedCaptions } from './captions.ts';
import { isAdmonition } from './elementNames.ts';
import { unwrapHeadings } from './headings.ts';
import { protectEmbeds } from './protectEmbeds.ts';
import { collapseWhitespace, TextStats } from './textStats.ts';

/** Beyond this many elements Readability, which scores each ancestor of each paragraph, takes seconds. */
const MAX_ELEMENTS = 30_000;
/** An article has this many characters of text at least. */
const MIN_ARTICLE_CHARACTERS = 140;
/** More text in links than this: a list of links, not an article. */
const MAX_LINK_DENSITY = 0.6;
/** A paragraph counts as prose from this many characters. */
const MIN_PROSE_CHARACTERS = 80;
/** The passes may take away this share of the text; if they would take more, they misjudged the page. */
const MIN_KEPT_SHARE = 0.5;

export interface Article {
  readonly root: Element;
  readonly byline: string | null;
  readonly excerpt: string | null;
}

export const isTooLargeForReadability = (copy: Document): boolean =>
  copy.body.getElementsByTagName('*').length > MAX_ELEMENTS;

/** @returns null when the page is not an article; the copy is not changed. */
export function readArticle(copy: Document): Article | null {
  if (isTooLargeForReadability(copy)) return null;
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

/** Readability drops every `aside`. */
function keepAdmonitions(body: HTMLElement): void {
  for (const aside of body.querySelectorAll('aside')) {
    if (!isAdmonition(aside)) continue;
    const box = body.ownerDocument.createElement('div');
    box.append(...aside.childNodes);
    aside.replaceWith(box);
  }
}

/**
 * Readability keeps the body's markup and puts it back for each new attempt, of which there is hardly ever one. Cloning does
 * the same without writing and parsing, which a page under Trusted Types refuses.
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
  const weights = new TextStats(root);
  if (weights.textLength(root) < MIN_ARTICLE_CHARACTERS || weights.linkDensity(root) >= MAX_LINK_DENSITY)
    return false;
  if (isProbablyReaderable(copy, { minContentLength: 100 })) return true;
  let prose = 0;
  for (const block of root.querySelectorAll('p,li,pre,blockquote'))
    if (weights.textLength(block) >= MIN_PROSE_CHARACTERS) prose++;
  return prose >= 2;
}

function prune(root: Element, title: string): Element {
  const unpruned = root.cloneNode(true) as Element;
  const weights = new TextStats(root);
  const before = weights.textLength(root);
  for (const pass of ARTICLE_PASSES)
    pass.run({ root, stats: weights, initialTextLength: before, title: collapseWhitespace(title) });
  return weights.textLength(root) < MIN_KEPT_SHARE * before ? unpruned : root;
}
