/** An article's body by Readability, then by the passes. */
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { nameCaptions } from './captions.ts';
import { unwrapHeadings } from './headings.ts';
import { isRemark } from './names.ts';
import { PASSES } from './passes.ts';
import { shieldEmbeds } from './shieldEmbeds.ts';
import { oneLine, Weights } from './weights.ts';

/** Beyond this many elements Readability, which scores each ancestor of each paragraph, takes seconds. */
const MOST_ELEMENTS = 30_000;
/** An article has this many characters of text at least. */
const SHORTEST_ARTICLE = 140;
/** More text in links than this: a list of links, not an article. */
const MOST_LINKS = 0.6;
/** A paragraph counts as prose from this many characters. */
const PROSE = 80;
/** The passes may take away this share of the text; if they would take more, they misjudged the page. */
const LEAST_KEPT = 0.5;

export interface Article {
  readonly root: Element;
  readonly byline: string | null;
  readonly excerpt: string | null;
}

export const isVeryLarge = (copy: Document): boolean =>
  copy.body.getElementsByTagName('*').length > MOST_ELEMENTS;

/** @returns null when the page is not an article; the copy is not changed. */
export function readArticle(copy: Document): Article | null {
  if (isVeryLarge(copy)) return null;
  const draft = copy.cloneNode(true) as Document;
  prepare(draft.body);
  restoreFrom(copy, draft.body);
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
  shieldEmbeds(body);
  unwrapHeadings(body);
  keepRemarks(body);
  nameCaptions(body);
}

/** Readability drops every `aside`. */
function keepRemarks(body: HTMLElement): void {
  for (const aside of body.querySelectorAll('aside')) {
    if (!isRemark(aside)) continue;
    const box = body.ownerDocument.createElement('div');
    box.append(...aside.childNodes);
    aside.replaceWith(box);
  }
}

/**
 * Readability keeps the body's markup and puts it back for each new attempt, of which there is hardly ever one. Cloning does
 * the same without writing and parsing, which a page under Trusted Types refuses.
 */
function restoreFrom(copy: Document, body: HTMLElement): void {
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
  const weights = new Weights(root);
  if (weights.text(root) < SHORTEST_ARTICLE || weights.linkShare(root) >= MOST_LINKS) return false;
  if (isProbablyReaderable(copy, { minContentLength: 100 })) return true;
  let prose = 0;
  for (const block of root.querySelectorAll('p,li,pre,blockquote')) if (weights.text(block) >= PROSE) prose++;
  return prose >= 2;
}

function prune(root: Element, title: string): Element {
  const unpruned = root.cloneNode(true) as Element;
  const weights = new Weights(root);
  const before = weights.text(root);
  for (const pass of PASSES) pass.run({ root, weights, before, title: oneLine(title) });
  return weights.text(root) < LEAST_KEPT * before ? unpruned : root;
}
