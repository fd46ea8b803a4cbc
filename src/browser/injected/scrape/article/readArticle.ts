/** Finds an article's body with Readability and cleans it with the article passes. */

import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { elementNames, isAdmonition, isAdmonitionBox, isBoilerplateName } from '../../signals/nameGroups.ts';
import { SOURCES } from '../../signals/sectionHeadings.ts';
import { PLAYER_LINK } from '../snapshot/replacedContent.ts';
import {
  ARTICLE_PASSES,
  convertNamedCaptions,
  HIDDEN_HREF,
  IS_VERSION,
  linesOfConversations,
  MAX_VERSION_CHARACTERS,
} from './articlePasses.ts';
import { groupsOf, removeOtherPages, removeRecords } from './otherPages.ts';
import { isOwnForm, isOwnText, RECORD } from './ownText.ts';
import { collapseWhitespace, singleLineText, TextStats } from './textStats.ts';

/** Keeps the class of a heading while Readability reads the page. */
const HIDDEN_CLASS = 'data-pagespace-class';
const HEADINGS = 'h1,h2,h3,h4,h5,h6';
/** Matches class names that say how far the window scrolls; to Readability `scroll` is the name of an endless list. */
const SCROLLING = /(^|\s)\S*(?:scroll-(?:m|p|margin|padding|snap)|overflow-)\S*/g;

/**
 * Hides the names of headings (Readability takes `module_header` for the header of the page, and the id, which is the heading's text, for the
 * name of a box of comments or sharing) and the names that only style how the window scrolls.
 */
function hideMisleadingNames(body: Element): void {
  for (const heading of body.querySelectorAll(HEADINGS)) {
    const names = heading.getAttribute('class');
    if (names !== null) heading.setAttribute(HIDDEN_CLASS, names);
    heading.removeAttribute('class');
    heading.removeAttribute('id');
  }
  for (const element of body.querySelectorAll('[class*=scroll],[class*=overflow-]'))
    element.setAttribute('class', (element.getAttribute('class') ?? '').replace(SCROLLING, ' '));
}

/** Restores the classes of the headings. Their ids stay away. */
function restoreHeadingNames(root: Element): void {
  for (const heading of root.querySelectorAll(`[${HIDDEN_CLASS}]`)) {
    heading.setAttribute('class', heading.getAttribute(HIDDEN_CLASS) ?? '');
    heading.removeAttribute(HIDDEN_CLASS);
  }
}

/** A longer line with which a section begins is no question. Characters. */
const MAX_QUESTION_CHARACTERS = 200;
/** Readability leaves out a section that is shorter, beside longer ones. Characters. */
const MAX_SHORT_CHARACTERS = 200;

/**
 * Replaces the boxes of questions and answers by what they contain: of siblings Readability keeps only those with much text.
 */
function dissolveSections(body: Element): void {
  for (const parent of body.querySelectorAll('div,section,main,article'))
    for (const group of groupsOf(parent)) {
      if (
        !group.every(isSection) ||
        !group.some(isQuestion) ||
        !group.some(isShort) ||
        isBoilerplateName(elementNames(group[0] as Element))
      )
        continue;
      for (const section of group) {
        for (const part of [...section.children]) if (/^(div|section)$/.test(part.localName)) dissolve(part);
        dissolve(section);
      }
    }
}

const isShort = (box: Element): boolean => singleLineText(box).length < MAX_SHORT_CHARACTERS;

/** Replaces a box by its blocks, or by a paragraph. */
function dissolve(box: Element): void {
  if (box.querySelector('p,div,section,ul,ol,dl,table,pre,figure,blockquote') === null) rename(box, 'p');
  else box.replaceWith(...box.childNodes);
}

/** Returns true for a box that begins with a heading without a link, or with a question, and has text below it. */
function isSection(box: Element): boolean {
  const first = box.firstElementChild;
  if (!/^(div|section)$/.test(box.localName) || first === null || first.nextElementSibling === null)
    return false;
  if (first.querySelector('a[href]:not([href^="#"])') !== null || box.querySelector(RECORD) !== null)
    return false;
  return first.matches('h2,h3,h4,h5,h6') ? singleLineText(first) !== '' : isQuestion(box);
}

function isQuestion(box: Element): boolean {
  const line = box.firstElementChild === null ? '' : singleLineText(box.firstElementChild);
  return line.length <= MAX_QUESTION_CHARACTERS && /[?？]$/.test(line);
}

/** Names of the link that edits a section; `credit-link` is none. */
const EDIT_LINK = /(?:^|[\s_-])edit(?:section|-link)/i;
const PERMALINK_SIGNS = /[\s#¶§⚓🔗\u200b]|\p{Variation_Selector}/gu;

/** Removes the links in headings whose only text is a permalink sign (`#`, `¶`), and the buttons beside their words. */
export function removeHeadingPermalinks(body: Element): void {
  for (const link of body.querySelectorAll('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a,dt a.headerlink'))
    if ((link.textContent ?? '').replace(PERMALINK_SIGNS, '') === '' && link.querySelector('img') === null)
      link.remove();
  for (const button of body.querySelectorAll(
    ':is(h1,h2,h3,h4,h5,h6) > :is(button,[class*=edit i]):not(:only-child)',
  ))
    if (button.localName === 'button' || EDIT_LINK.test(button.getAttribute('class') ?? '')) button.remove();
}

/**
 * Maximum length of the text beside a heading in its wrapper ("edit", a permalink, "Section titled …"), in addition to
 * the heading's length.
 */
const MAX_CHARACTERS_BESIDE_HEADING = 20;

/**
 * Replaces each box that contains only a heading and links or buttons ("Etymology [edit]") by the heading: Readability would classify
 * them as blocks of links. Other text beside a link to a page becomes a paragraph below.
 */
function unwrapHeadings(body: Element): void {
  for (const heading of body.querySelectorAll('div > :is(h2,h3,h4,h5,h6):first-child')) {
    const box = heading.parentElement;
    if (box === null || box.querySelector('p,ul,ol,table,img,h2 ~ h2,h3 ~ h3') !== null) continue;
    const length = (heading.textContent ?? '').trim().length;
    const beside = (box.textContent ?? '').trim().length - length;
    if (box.querySelector('a') === null || beside > length + MAX_CHARACTERS_BESIDE_HEADING) continue;
    const others = box.cloneNode(true) as Element;
    others.firstElementChild?.remove();
    for (const control of others.querySelectorAll('a,button')) control.remove();
    if (!/[\p{L}\p{N}]/u.test(others.textContent ?? '')) box.replaceWith(heading);
    else if (box.querySelector('a[href]') !== null) {
      box.before(heading);
      rename(box, 'p');
    }
  }
}

/** The addresses and the words of links that are paragraphs of the text: a file, or a sentence. */
const FILE = /\.(pdf|zip|docx?|xlsx?|csv|epub|odt|pptx?)([?#]|$)/i;
const BLOCKS = 'p,div,section,article,h1,h2,h3,h4,h5,h6,ul,ol,dl,table,pre,figure,blockquote';
const LINKED_SENTENCE = /^\p{Lu}.{60,}[.!?]["”»]?$/u;

/**
 * Makes a box that has nothing but a link to a file, or a paragraph that is a linked sentence, a paragraph: the passes judge that by its
 * neighbours, Readability by its links. A sentence that is a link to another page and no paragraph is a teaser.
 */
function unwrapLinks(body: HTMLElement): void {
  for (const link of body.querySelectorAll<HTMLAnchorElement>('div a[href]')) {
    const box = link.closest('div');
    const line = singleLineText(link);
    if (
      box === null ||
      line === '' ||
      singleLineText(box) !== line ||
      box.querySelectorAll('a,img').length > 1
    )
      continue;
    const isFile = FILE.test(link.pathname);
    if (isBoilerplateName(elementNames(box)) || !(isFile || LINKED_SENTENCE.test(line))) continue;
    const [block, other] = box.querySelectorAll(BLOCKS);
    // A link around several blocks is no paragraph.
    if (other !== undefined) continue;
    if (block?.contains(link) === true) {
      if (/^(p|blockquote)$/.test(block.localName)) box.replaceWith(block);
    } else if (isFile) {
      block?.replaceWith(' ', ...block.childNodes);
      rename(box, 'p');
    }
  }
}

const EMBEDDED_POST =
  'blockquote.twitter-tweet,blockquote.twitter-video,blockquote.instagram-media,blockquote.fb-xfbml-parse-ignore,blockquote.tiktok-embed';
/** Maximum number of elements around a post whose class and id are removed: names such as `social` would make Readability remove the post. */
const MAX_WRAPPERS = 3;

/** Replaces the links of embedded posts by spans that keep the URL, so that Readability keeps the posts. `restoreEmbeds` restores the links. */
function protectEmbeds(body: Element): void {
  for (const link of body.querySelectorAll(`a[${PLAYER_LINK}]`)) hideLink(link);
  for (const quote of body.querySelectorAll(EMBEDDED_POST)) {
    for (const link of quote.querySelectorAll('a')) hideLink(link);
    quote.removeAttribute('class');
    clearWrapperNames(quote);
  }
}

function hideLink(link: Element): void {
  const span = link.ownerDocument.createElement('span');
  span.setAttribute(HIDDEN_HREF, link.getAttribute('href') ?? '');
  span.append(...link.childNodes);
  link.replaceWith(span);
}

function clearWrapperNames(quote: Element): void {
  const length = quote.textContent?.length ?? 0;
  let wrapper = quote.parentElement;
  for (let level = 0; level < MAX_WRAPPERS && wrapper?.localName === 'div'; level++) {
    if ((wrapper.textContent?.length ?? 0) > length + 20) return;
    wrapper.removeAttribute('class');
    wrapper.removeAttribute('id');
    wrapper = wrapper.parentElement;
  }
}

/** Undoes `protectEmbeds`: turns each span that it created back into a link. */
export function restoreEmbeds(root: Element): void {
  for (const span of root.querySelectorAll(`span[${HIDDEN_HREF}]`)) {
    const link = root.ownerDocument.createElement('a');
    link.setAttribute('href', span.getAttribute(HIDDEN_HREF) ?? '');
    link.append(...span.childNodes);
    span.replaceWith(link);
  }
}

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
  const pruned = prune(root, stats, parsed);
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
  unwrapLinks(body);
  // Readability counts the links of a div only.
  for (const line of linesOfConversations(body)) if (line?.localName === 'div') rename(line, 'p');
  removeSignUps(body);
  removeAuthors(body);
  keepOwnParts(body);
  dissolveSections(body);
  convertNamedCaptions(body);
  hideMisleadingNames(body);
}

/** A longer box has more than an invitation. Characters. */
const MAX_SIGN_UP_CHARACTERS = 400;
const SIGN_UP =
  /\b(newsletter|sign up|subscribe|your inbox|your e-?mail)\b|newsletter|abonnieren|inscri|suscr|iscriv/i;

/** More equal fields or links are a list of the page; reading the box around each would take quadratic time. */
const MAX_INVITATIONS = 20;
/** The whole text of a link with which an invitation ends. */
const SIGN_UP_LINK = /^(sign up|subscribe)( (now|here|today|for free))?$/i;
/** Says to whom the letters are sent. */
const LETTERS = /\b(in|to) your (inbox|e-?mail)\b|\bour ([a-z]+ )?newsletter\b/i;
/** Neither an invitation nor a note about the author has one of these. */
const FACTS = 'h1,pre,code,table,dl,ul,ol,blockquote,figure';

/** Removes the boxes that invite to a newsletter, by a field for an e-mail address or by a link: Readability would leave their words. */
function removeSignUps(body: HTMLElement): void {
  const fields = [...body.querySelectorAll('input[type=email i],input[name*=email i]')];
  for (const field of fields.slice(0, MAX_INVITATIONS)) {
    const box = boxAround(field, body);
    if (SIGN_UP.test(box.textContent ?? '')) box.remove();
  }
  const links = [...body.querySelectorAll('a[href]:not([href^="#"])')].filter(link =>
    SIGN_UP_LINK.test(singleLineText(link)),
  );
  for (const link of links.slice(0, MAX_INVITATIONS)) {
    const box = boxAround(link, body);
    const line = singleLineText(box);
    const isAlone =
      link.parentElement === box || singleLineText(link.parentElement ?? box) === singleLineText(link);
    if (isAlone && /^(div|section|aside)$/.test(box.localName) && LETTERS.test(line) && !/\d/.test(line))
      if (box.querySelectorAll('a').length === 1 && box.querySelector(FACTS) === null) box.remove();
  }
}

/** Returns the largest box around an element that has no more than an invitation. */
function boxAround(element: Element, body: HTMLElement): Element {
  let box = element;
  for (let at = element.parentElement; at !== null && at !== body; at = at.parentElement) {
    if ((at.textContent ?? '').length > MAX_SIGN_UP_CHARACTERS || at.matches('main,article')) break;
    box = at;
  }
  return box;
}

/**
 * Removes the box about the author: the only one that begins with a heading that is a link to the author, after the text, and that tells
 * of the person. Readability would take the heading alone for the byline.
 */
function removeAuthors(body: HTMLElement): void {
  const headings = [...body.querySelectorAll(HEADINGS)].filter(heading => {
    const link = heading.querySelector('a[rel~=author]');
    return link !== null && singleLineText(heading) === singleLineText(link);
  });
  const [heading] = headings;
  const box = heading?.parentElement;
  if (heading === undefined || !box || headings.length > 1) return;
  const name = singleLineText(heading);
  const words = singleLineText(box);
  const told = words.slice(name.length).trim().split(/[\s,]/)[0] ?? '';
  if (!words.startsWith(name) || told === '' || !name.split(' ').includes(told)) return;
  if (!/^(div|section|aside)$/.test(box.localName) || box.querySelectorAll(HEADINGS).length > 1) return;
  if (box.querySelector(FACTS) !== null) return;
  const paragraphs = [...body.querySelectorAll('p')].filter(
    paragraph => !box.contains(paragraph) && singleLineText(paragraph).length >= MIN_PROSE_CHARACTERS,
  );
  const isAfter = (paragraph: Element): boolean =>
    (box.compareDocumentPosition(paragraph) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  if (paragraphs.length > 0 && !paragraphs.some(isAfter)) box.remove();
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
    else
      rename(notes, notes.matches('blockquote *') && notes.querySelector('p,div') === null ? 'p' : 'section');
  for (const part of [...body.querySelectorAll(JUDGED_BY_KIND)].reverse())
    if (part.localName === 'form' ? isOwnForm(part) : isAdmonition(part) || isOwnText(part))
      rename(part, 'div');
  // Readability counts the links of a div only.
  for (const heading of body.querySelectorAll(HEADINGS))
    if (heading.nextElementSibling?.localName === 'div' && SOURCES.test(singleLineText(heading)))
      for (const box of [...heading.nextElementSibling.querySelectorAll('div'), heading.nextElementSibling])
        rename(box, 'section');
  // A warning with links: Readability counts the links of a div only.
  for (const box of body.querySelectorAll('div[class]'))
    if (isAdmonitionBox(box))
      for (const inner of [...box.querySelectorAll('div'), box]) rename(inner, 'section');
  for (const box of body.querySelectorAll('div,p[class]')) {
    if (
      (box.textContent ?? '').length > 2 * MAX_VERSION_CHARACTERS ||
      box.querySelector('div,p,ul,table') !== null
    )
      continue;
    const line = singleLineText(box);
    if (line.length <= MAX_VERSION_CHARACTERS && IS_VERSION.test(line)) rename(box, 'p');
  }
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
  {
    title,
    byline,
  }: { readonly title?: string | null | undefined; readonly byline?: string | null | undefined },
): { readonly root: Element; readonly isPruned: boolean } {
  removeOtherPages(stats);
  removeRecords(stats);
  const unpruned = root.cloneNode(true) as Element;
  const initialTextLength = stats.textLength(root);
  for (const pass of ARTICLE_PASSES)
    pass.run({
      root,
      stats,
      initialTextLength,
      title: collapseWhitespace(title ?? ''),
      author: collapseWhitespace(byline ?? '').replace(/^by /i, ''),
    });
  const isPruned = stats.textLength(root) >= MIN_KEPT_SHARE * initialTextLength;
  return { root: isPruned ? root : unpruned, isPruned };
}
