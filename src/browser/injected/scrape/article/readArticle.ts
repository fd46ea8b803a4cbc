/** Finds an article's body with Readability and cleans it with the article passes. */
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { ARTICLE_PASSES } from './articlePasses.ts';
import { isBoilerplateName } from './boilerplateNames.ts';
import { convertNamedCaptions } from './captions.ts';
import { elementNames, isAdmonition, isAdmonitionBox } from './elementNames.ts';
import { unwrapHeadings } from './headings.ts';
import { mayHoldArticle } from './mayHoldArticle.ts';
import { hideMisleadingNames, restoreHeadingNames } from './misleadingNames.ts';
import { isOwnText } from './ownText.ts';
import { protectEmbeds } from './protectEmbeds.ts';
import { removeOtherPages } from './removeOtherPages.ts';
import { removeRecords } from './removeRecords.ts';
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

/** The text nodes of a copy whose text is in its article. */
export interface ArticleTexts {
  /** Those whose text Readability kept, before the article passes. */
  readonly found: ReadonlySet<Node>;
  /** Those whose text the article passes kept. */
  readonly kept: ReadonlySet<Node>;
}

/** The body of an article without boilerplate, and metadata that Readability found. */
export interface Article {
  readonly root: Element;
  /** The text nodes of the copy whose text is in the article; null if they were not asked for. */
  readonly texts: ArticleTexts | null;
  readonly byline: string | null;
  readonly excerpt: string | null;
}

/** Returns true if the page has so many elements that Readability would take seconds; `readArticle` then returns null. */
export const isTooLargeForReadability = (copy: Document): boolean =>
  copy.body.getElementsByTagName('*').length > MAX_ELEMENTS;

/**
 * Returns the article that Readability finds; null if the page is not an article or is too large. Does not change the copy.
 * @param needsTexts tells whether the article has `texts`; called at most once, before the copy is read
 */
export function readArticle(copy: Document, needsTexts: () => boolean): Article | null {
  if (isTooLargeForReadability(copy)) return null;
  const isReaderable = isProbablyReaderable(copy, { minContentLength: 100 });
  if (!isReaderable && !mayHoldArticle(copy, MIN_PROSE_CHARACTERS)) return null;
  const draft = copy.cloneNode(true) as Document;
  const origins = needsTexts() ? new Map<Node, Node>() : null;
  if (origins !== null) rememberOrigins(copy.body, draft.body, origins);
  prepare(draft.body);
  emulateInnerHtml(copy, draft.body, origins);
  const parsed = new Readability<Element>(draft, {
    keepClasses: true,
    disableJSONLD: true,
    serializer: node => node as Element,
  }).parse();
  const root = parsed?.content;
  if (!root) return null;
  const stats = new TextStats(root);
  if (!isArticle(root, stats, isReaderable)) return null;
  restoreHeadingNames(root);
  const found = origins === null ? null : originsOf(root, origins);
  const pruned = prune(root, stats, parsed.title ?? '');
  const kept = origins === null || !pruned.isPruned ? found : originsOf(pruned.root, origins);
  return {
    root: pruned.root,
    texts: found === null || kept === null ? null : { found, kept },
    byline: parsed.byline ?? null,
    excerpt: parsed.excerpt ?? null,
  };
}

/** Records the text node of `body` from which each text node of its clone was made. */
function rememberOrigins(body: Element, clone: Element, origins: Map<Node, Node>): void {
  const ours = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const theirs = clone.ownerDocument.createTreeWalker(clone, NodeFilter.SHOW_TEXT);
  for (let own = ours.nextNode(), cloned = theirs.nextNode(); own !== null && cloned !== null; ) {
    origins.set(cloned, own);
    own = ours.nextNode();
    cloned = theirs.nextNode();
  }
}

function originsOf(root: Element, origins: ReadonlyMap<Node, Node>): Set<Node> {
  const found = new Set<Node>();
  const texts = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const origin = origins.get(text);
    if (origin !== undefined) found.add(origin);
  }
  return found;
}

function prepare(body: HTMLElement): void {
  protectEmbeds(body);
  unwrapHeadings(body);
  removeSignUps(body);
  keepAdmonitions(body);
  keepOwnParts(body);
  convertNamedCaptions(body);
  hideMisleadingNames(body);
}

/** A longer box has more than an invitation. Characters. */
const MAX_SIGN_UP_CHARACTERS = 400;
const SIGN_UP =
  /\b(newsletter|sign up|subscribe|your inbox|your e-?mail)\b|newsletter|abonnieren|inscri|suscr|iscriv/i;

/** Removes the boxes of fields for an e-mail address that invite to a newsletter: Readability would leave their words. */
function removeSignUps(body: HTMLElement): void {
  for (const field of body.querySelectorAll('input[type=email i],input[name*=email i]')) {
    let box: Element = field;
    for (let at = field.parentElement; at !== null && at !== body; at = at.parentElement) {
      if ((at.textContent ?? '').length > MAX_SIGN_UP_CHARACTERS || at.matches('main,article')) break;
      box = at;
    }
    if (SIGN_UP.test(box.textContent ?? '')) box.remove();
  }
}

/** Renames admonitions, because Readability removes every `aside`, and each `div` with links and little text. */
function keepAdmonitions(body: HTMLElement): void {
  for (const aside of body.querySelectorAll('aside')) if (isAdmonition(aside)) rename(aside, 'div');
  for (const box of body.querySelectorAll('div[class]'))
    if (isAdmonitionBox(box))
      for (const inner of [...box.querySelectorAll('div'), box]) rename(inner, 'section');
}

/** Elements that Readability and the article passes judge by their kind. */
const JUDGED_BY_KIND =
  'aside,footer,form,nav,[role=complementary],[role=navigation],[role=note],[role=doc-endnotes]';
const NOTES =
  '[role=doc-endnotes],[role=doc-footnotes],[class*=footnotes i],[id=footnotes],blockquote footer';
/** Kinds of elements whose names are judged. */
const NAMED =
  ':is(div,section,article,aside,header,footer,ul,ol,dl,table,p,figure,h2,h3,h4,h5,h6):is([class],[id])';

/** Hides the kinds and the names of parts of the text, so that neither Readability nor a pass takes them for something else. */
function keepOwnParts(body: HTMLElement): void {
  for (const notes of body.querySelectorAll(NOTES))
    if (/^[ou]l$/.test(notes.localName)) notes.removeAttribute('class');
    else rename(notes, 'section');
  for (const part of [...body.querySelectorAll(JUDGED_BY_KIND)].reverse())
    if (part.localName === 'form' ? isOwnForm(part) : isOwnText(part)) rename(part, 'div');
  /** Verdicts by names: repeated elements have the same. */
  const verdicts = new Map<string, boolean>();
  for (const part of body.querySelectorAll(NAMED)) {
    const key = `${part.getAttribute('class')}\n${part.getAttribute('id')}`;
    let isSuspect = verdicts.get(key);
    if (isSuspect === undefined) {
      const names = elementNames(part);
      isSuspect = UNLIKELY_NAMES.test(names) || isBoilerplateName(names);
      verdicts.set(key, isSuspect);
    }
    if (!isSuspect) continue;
    if (part.querySelector('main,article,h1') !== null || !isOwnText(part)) continue;
    part.removeAttribute('class');
    part.removeAttribute('id');
  }
}

/** The names for which Readability removes an element, or trusts it less. */
const UNLIKELY_NAMES =
  /ad-break|agegate|ai2html|banner|breadcrumbs|com-|combx|comment|community|contact|cover-wrap|disqus|extra|footer|gdpr|header|hidden|legends|masthead|media|menu|meta|outbrain|page-?r|pagination|popup|promo|related|remark|replies|rss|scroll|share|shoutbox|shopping|sidebar|skyscraper|social|sponsor|supplemental|tags|widget|yom-remote|author|byline|dateline/i;

/** Returns true for a form that holds the page, or a part of its text: its prose is more than its controls. */
function isOwnForm(form: Element): boolean {
  const controls = form.querySelectorAll('input:not([type=hidden i]),select,textarea').length;
  let prose = 0;
  for (const paragraph of form.querySelectorAll('p,li,blockquote,td')) {
    const { length } = collapseWhitespace(paragraph.textContent ?? '');
    if (length >= MIN_PROSE_CHARACTERS) prose++;
  }
  return prose > 0 && prose >= controls;
}

/** Replaces an element by one of another name, without its attributes. */
function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}

/**
 * Replaces the setter of the body's `innerHTML` by one that clones the body of `copy`. Readability saves the body's HTML and restores it before
 * another attempt, which is rare; a page with Trusted Types forbids parsing, and serializing would take time.
 */
function emulateInnerHtml(copy: Document, body: HTMLElement, origins: Map<Node, Node> | null): void {
  Object.defineProperty(body, 'innerHTML', {
    get: () => '',
    set: () => {
      const again = body.ownerDocument.importNode(copy.body, true);
      if (origins !== null) rememberOrigins(copy.body, again, origins);
      body.replaceChildren(...again.childNodes);
      prepare(body);
    },
  });
}

function isArticle(root: Element, stats: TextStats, isReaderable: boolean): boolean {
  if (stats.textLength(root) < MIN_ARTICLE_CHARACTERS || stats.linkDensity(root) >= MAX_LINK_DENSITY)
    return false;
  if (isReaderable) return true;
  let prose = 0;
  for (const block of root.querySelectorAll('p,li,pre,blockquote'))
    if (stats.textLength(block) >= MIN_PROSE_CHARACTERS) prose++;
  return prose >= 2;
}

function prune(
  root: Element,
  stats: TextStats,
  title: string,
): { readonly root: Element; readonly isPruned: boolean } {
  removeOtherPages(stats);
  removeRecords(stats);
  const unpruned = root.cloneNode(true) as Element;
  const initialTextLength = stats.textLength(root);
  for (const pass of ARTICLE_PASSES)
    pass.run({ root, stats, initialTextLength, title: collapseWhitespace(title) });
  const isPruned = stats.textLength(root) >= MIN_KEPT_SHARE * initialTextLength;
  return { root: isPruned ? root : unpruned, isPruned };
}
