/** Finds the content of a page that is not an article: a home page, listing, search result, application or form. */

import { hasName, isAdmonition } from '../signals/nameGroups.ts';
import { OTHER_PAGES } from '../signals/sectionHeadings.ts';
import { removeOtherPages } from './article/otherPages.ts';
import { isOwnText } from './article/ownText.ts';
import { TextStats } from './article/textStats.ts';
import { readableText } from './clean/readableText.ts';
import { expandSvgText } from './snapshot/replacedContent.ts';

const MAIN = 'main,[role=main]';
const CONTENT_IDS = '#main,#content,#main-content,#mainContent,#bodyContent,.main-content,#primary';
const BOILERPLATE =
  'nav,[role=navigation],[role=banner],[role=contentinfo],[role=search],[role=complementary],aside,footer,header,[class*=skip-link i],[class*=skip-to i]';
/** Elements that may be parts in which one chooses what a list shows. */
const FACETS = ':is(div,section,form,details,ul):is([class],[id])';
const CHOICES = 'input[type=checkbox i],input[type=radio i],select';
/** The content beside a section of other pages has at least this many characters. */
const MIN_CHARACTERS_BESIDE = 60;
const SECTIONS = 'article,section,main,[role=main]';
const VISIBLE_CONTENT = 'img,input,button,select,textarea,canvas,video';
/** A block with more than this share (0 to 1) of the content's text is not removed, whatever its name is. */
const MAX_REMOVED_SHARE = 0.6;

/** The content by landmarks: the elements of `removed` are inside `root` and do not belong to it. */
export interface Landmarks {
  readonly root: Element;
  readonly removed: ReadonlySet<Element>;
}

/** Finds the content of a page that is not an article: removes boilerplate from the copy and returns the root of the content. */
export function landmarkContent(copy: Document): Element {
  expandSvgText(copy.body);
  return withoutBoilerplate(findLandmarks(copy.body, new TextStats(copy.body)));
}

/** Removes the boilerplate from the copy and returns the root of the content. */
export function withoutBoilerplate({ root, removed }: Landmarks): Element {
  for (const element of removed) element.remove();
  removePosterParts(root);
  for (const facets of root.querySelectorAll(FACETS))
    if (
      hasName(facets, 'filter') &&
      facets.querySelector(CHOICES) !== null &&
      facets.querySelector('h1,main,article') === null
    )
      facets.remove();
  removeOtherPages(new TextStats(root), OTHER_PAGES, MIN_CHARACTERS_BESIDE);
  return root;
}

const POSTS =
  '[class~=post],[class*=postbody i],[class*=post-body i],[class~=message],[class*=message-body i],[class~=comment],[class*=usertext-body i]';
const SIGNATURES = '[class*=signature i],[class~=sig]';
/** On some sites the signature is the author's name below the post. */
const AUTHOR = '[class*=user i],[class*=author i],[rel=author],a[href*="/user"]';
const PROFILES =
  '[class*=postprofile i],[class*=userinfo i],[class*=user-info i],[class*=userstats i],[class*=user-stats i],[class*=message-user i]';
const STATISTIC =
  /^(posts|messages|joined|registered|member since|location|likes?|reactions?( score)?|reputation|threads|points|karma)\b\s*:?\s*\S.{0,30}$/i;

/** The whole text of a control of a thread or a post. */
const THREAD_CONTROL =
  /^((post|add|write|leave) (a )?(reply|comment)|reply|quote|report|permalink|share|save|parent|new (topic|thread)|antworten|zitieren|melden|répondre|citer|responder|citar|rispondi)$/i;

/** Removes from a thread the signatures of its posts, the statistics of their authors, and its controls. */
function removePosterParts(root: Element): void {
  if (root.querySelectorAll(POSTS).length < 2) return;
  for (const signature of root.querySelectorAll(SIGNATURES))
    if (signature.querySelector(AUTHOR) === null) signature.remove();
  for (const part of root.querySelectorAll(`:is(${PROFILES}) :is(dl,dd,li,div,span,p)`))
    if (part.querySelector('dd,li,div,p') === null || part.localName === 'dl')
      if (STATISTIC.test(readableText(part))) part.remove();
  for (const control of root.querySelectorAll('a,button'))
    if (THREAD_CONTROL.test(readableText(control))) control.remove();
}

/**
 * Finds the root of the content and the boilerplate in it. Does not change the copy.
 * @param stats the text statistics of `body`
 */
export function findLandmarks(body: Element, stats: TextStats): Landmarks {
  const root = findContentRoot(body, stats);
  const removed = new Set<Element>();
  const limit = MAX_REMOVED_SHARE * stats.textLength(root);
  for (const element of root.querySelectorAll(BOILERPLATE))
    if (stats.textLength(element) <= limit && !belongsToContent(element, root)) removed.add(element);
  for (const element of root.querySelectorAll(':is(div,section):is([class],[id])'))
    if (stats.textLength(element) <= limit && isConsentNotice(element)) removed.add(element);
  return { root, removed };
}

const isConsentNotice = (element: Element): boolean =>
  hasName(element, 'consent') && element.querySelector('main,article,h1') === null && !isOwnText(element);

function findContentRoot(body: Element, stats: TextStats): Element {
  const total = Math.max(1, stats.textLength(body));
  const mains = [...body.querySelectorAll(MAIN)].filter(
    element => (element.parentElement?.closest(MAIN) ?? null) === null,
  );
  const best = mains.sort((a, b) => stats.textLength(b) - stats.textLength(a))[0];
  if (best !== undefined) {
    const text = stats.textLength(best);
    if (text >= 0.1 * total || text > 200 || best.querySelectorAll(VISIBLE_CONTENT).length > 3) return best;
  }
  const named = body.querySelector(CONTENT_IDS);
  return named !== null && stats.textLength(named) >= 0.4 * total ? named : body;
}

/** Returns true for boilerplate elements to keep: admonitions, the header or footer of a section, and a header with the page's main heading. */
function belongsToContent(element: Element, root: Element): boolean {
  if (isAdmonition(element) || element.matches('[role=doc-endnotes],[role=doc-footnotes]')) return true;
  if (root !== element.ownerDocument.body && element.matches('aside,nav') && isOwnText(element)) return true;
  if (!/^(header|footer)$/.test(element.localName)) return false;
  // The source of a quotation.
  if (element.closest('blockquote') !== null) return true;
  const section = element.closest(SECTIONS);
  if (section !== null && section !== root && root.contains(section)) return true;
  return element.localName === 'header' && root.localName !== 'body' && element.querySelector('h1') !== null;
}
