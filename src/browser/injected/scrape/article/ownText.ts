/**
 * Says by the evidence of an element itself (sentences, links, controls, repetition, position) whether it is a part of the text. Names are
 * everyday words: a manual has a section `cookies`, a restaurant a box `menu`.
 */
import { hasName, type NameGroup } from '../../signals/nameGroups.ts';
import { endsPage, isBoilerplateLine, isByline, isBylineOrDate, isTrailingLine } from './boilerplate.ts';
import { collapseWhitespace, singleLineText } from './textStats.ts';

/** A larger share (0 to 1) of the text in links makes it a list of links. */
const MAX_LINK_SHARE = 0.35;
/** Minimum length of a text outside links that can be a sentence. Characters. */
const MIN_SENTENCE_CHARACTERS = 40;
/** Minimum number of items without links that are facts without sentences: a menu of dishes, a table. */
const MIN_FACTS = 2;
/** The paragraphs before and after a box in the middle of a text have at least this many characters. */
const MIN_NEIGHBOUR_CHARACTERS = 60;
/** Longer boxes are sections, whatever words they use. Characters. */
const MAX_NOTICE_CHARACTERS = 600;

const HEADINGS = 'h1,h2,h3,h4,h5,h6';
const CONTROLS =
  'form,textarea,select,input:not([type=checkbox i]):not([type=hidden i]),iframe,a[class*=btn i],a[class*=button i],[role=button]';
const TEXTS = 'p,li,dd,td,th,dt,pre,blockquote,div';
/** Elements that neither a notice nor a comment has. */
const DATA = 'pre,table,dl';
const BLOCKS = 'p,div,li,ul,ol,table,pre,blockquote,section,article,dl,h1,h2,h3,h4,h5,h6';
const TEXT_ROOTS = 'article,main,[role=main]';
const ENDS_SENTENCE = /[.!?。！？…:]["”»’)\]]?$|[.!?] \p{Lu}|[。！？]/u;
/** Signs of a comment or another record of a list. */
export const RECORD =
  'time,[class*=avatar i],[class*=gravatar i],[class*=reply i],[class*=comment-],[class*=comment_],[class*=vcard i],[class*=byline i],[rel=author]';
const AGO =
  /\b\d+ ?(s|m|h|d|w|min(ute)?s?|hours?|days?|weeks?|months?|years?) ago\b|\b(permalink|reply|report)\b/i;

/** A longer text is a sentence of its own. Characters. */
const MAX_AGO_CHARACTERS = 60;

/** Returns true if one of the texts in an element is no more than what stands beside a comment: "2 days ago", "Reply". */
export function tellsAgo(element: Element): boolean {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null)
    if (text.length < MAX_AGO_CHARACTERS && AGO.test(text.data)) return true;
  return false;
}

/** Words about the author of a text. */
export const AUTHOR =
  /\babout the (author|writer)|\b(is|was) (an?|the) [^.]{0,80}\b(writer|reporter|editor|journalist|author|correspondent|columnist|contributor|photographer|blogger|producer|professor|founder|freelance|critic|consultant)\b/i;

/** Words of a notice itself, by what its names say it is. */
const NOTICES: readonly (readonly [names: readonly NameGroup[], words: RegExp])[] = [
  [
    ['consent'],
    /\b(we|this (web)?site|our partners)\b.{0,60}\b(use|uses|using|store|value)\b|accept (all )?cookies|manage (my |your )?(preferences|consent|settings)/i,
  ],
  [
    ['subscribe', 'advert'],
    /\b(sign up|subscribe (to|now|today)|your inbox|your e-?mail|get (the|our) .{0,30}(newsletter|daily|weekly)|already a subscriber|free trial)\b/i,
  ],
  [['poster'], AUTHOR],
  [['share'], /\b(share (this|on|via)|follow (us|me|him|her)|like us on|tweet this)\b/i],
  [['advert'], /^(advertisement|sponsored|advertorial|ad)\b|\bsponsored (content|by)\b/i],
  [
    ['related'],
    /^(related|recommended|read (more|next|also)|more (from|on)|most (read|popular)|trending|popular|see also|you may)/i,
  ],
  [
    ['comment', 'post'],
    /^\d[\d,.]* (comments?|responses?|replies)\b|\b(leave a (comment|reply)|join the (conversation|discussion)|log in to comment)\b/i,
  ],
];

/** Returns true for a box that is a part of the text by its own evidence: it has a heading or stands between paragraphs, and has sentences or facts. */
export function isOwnText(element: Element): boolean {
  const text = collapseWhitespace(element.textContent ?? '');
  if (/^(dl|table)$/.test(element.localName)) return countFacts(element) >= MIN_FACTS && !isByline(text);
  if (hasPairs(element)) return true;
  if (isPlainList(element)) return true;
  if (text.length < MIN_SENTENCE_CHARACTERS / 2) return false;
  // First what is cheap, and false for most elements.
  const hasHeading =
    isHeading(element.previousElementSibling) ||
    element.querySelector(HEADINGS) !== null ||
    // The remarks below a section.
    (element.localName === 'footer' && element.parentElement?.matches('section') === true);
  const links = [...element.querySelectorAll('a[href]')];
  const isPlain = links.length === 0 && element.closest(TEXT_ROOTS) !== null && !AUTHOR.test(text);
  if (!hasHeading && !isBetweenParagraphs(element) && !(isPlain && followsParagraph(element))) return false;
  if (element.querySelector(CONTROLS) !== null || element.matches('[role=dialog],[aria-modal=true]'))
    return false;
  const linked = links.reduce((sum, link) => sum + (link.textContent ?? '').trim().length, 0);
  if (linked > MAX_LINK_SHARE * text.length) return false;
  if (isNotice(element, text) || hasRecords(element) || isOutside(element)) return false;
  if (isDiscussion(element) && isAtEnd(element)) return false;
  const holder = element.localName === 'footer' && links.length === 0 && element.closest('section,article');
  if (holder)
    return holder.localName === 'section'
      ? !isByline(text)
      : !isBylineOrDate(text) && !endsPage(element) && !isBoilerplateLine(text);
  if (hasSentence(element)) return true;
  return (
    (hasHeading || isPlain) && (element.querySelector(DATA) !== null || countFacts(element) >= MIN_FACTS)
  );
}

/** Minimum length of a block of prose in a form. Characters. */
const MIN_FORM_PROSE_CHARACTERS = 80;

/** Returns true for a form that holds the page, or a part of its text: its prose is more than its controls. */
export function isOwnForm(form: Element): boolean {
  const controls = form.querySelectorAll('input:not([type=hidden i]),select,textarea').length;
  const prose = [...form.querySelectorAll('p,li,blockquote,td')].filter(
    block => singleLineText(block).length >= MIN_FORM_PROSE_CHARACTERS,
  ).length;
  return prose > 0 && prose >= controls;
}

function isNotice(element: Element, text: string): boolean {
  if (text.length > MAX_NOTICE_CHARACTERS || element.querySelector(DATA) !== null) return false;
  return NOTICES.some(([names, words]) => hasName(element, ...names) && words.test(text));
}

/** Returns true if an element holds comments or other records: parts that repeat, each with a date, an author or a reply. */
function hasRecords(element: Element): boolean {
  if (hasName(element, 'comment', 'post') && (element.querySelector(RECORD) !== null || tellsAgo(element)))
    return true;
  const records = [...element.querySelectorAll(RECORD)].filter(
    record => (record.textContent ?? '').trim() !== '',
  );
  return records.length >= 3;
}

/** Returns true for an element beside the text of a page that marks where its text is. */
const isOutside = (element: Element): boolean =>
  element.closest(TEXT_ROOTS) === null && element.ownerDocument.querySelector(TEXT_ROOTS) !== null;

const DISCUSSION =
  /^(\d[\d,.]* )?(comments?|discussion|responses?|replies|conversation)( \(?\d+\)?| (on|to|for|about|\|)\b.*)?[:.]?$/i;

/** Returns true for a box whose names and whose heading both say that readers discuss the text there. */
const isDiscussion = (element: Element): boolean =>
  hasName(element, 'comment', 'post') &&
  DISCUSSION.test(collapseWhitespace(element.querySelector(HEADINGS)?.textContent ?? '')) &&
  element.querySelector(DATA) === null;

/** Returns true if no paragraph follows an element within the text. */
function isAtEnd(element: Element): boolean {
  for (let at: Element | null = element; at !== null && !at.matches(TEXT_ROOTS); at = at.parentElement)
    for (let next = at.nextElementSibling; next !== null; next = next.nextElementSibling)
      if (hasSentence(next)) return false;
  return true;
}

const isHeading = (element: Element | null): boolean =>
  element !== null && /^h[1-6]$/.test(element.localName);

function hasSentence(element: Element): boolean {
  const candidates = element.matches(TEXTS)
    ? [element, ...element.querySelectorAll(TEXTS)]
    : element.querySelectorAll(TEXTS);
  for (const part of candidates) {
    if (part.querySelector(BLOCKS) !== null) continue;
    const own = collapseWhitespace(part.textContent ?? '');
    if (own.length >= MIN_SENTENCE_CHARACTERS && ENDS_SENTENCE.test(own)) return true;
  }
  return false;
}

function countFacts(element: Element): number {
  let count = 0;
  for (const fact of element.querySelectorAll('li,dd,tr'))
    if (fact.querySelector('a[href]') === null && (fact.textContent ?? '').trim().length >= 3) count++;
  return count;
}

const LISTED = 'li,dd,tr';

/** Returns true for a list in the text of which no item is a link, a control, or a word of the page itself. */
function isPlainList(element: Element): boolean {
  if (isOutside(element) || element.querySelector(NOT_PLAIN) !== null) return false;
  const items = [...element.querySelectorAll(LISTED)].map(singleLineText).filter(line => line.length >= 2);
  return (
    items.length >= MIN_FACTS &&
    !items.some(
      line => isBylineOrDate(line) || isBoilerplateLine(line) || isTrailingLine(line) || AGO.test(line),
    )
  );
}

const NOT_PLAIN = `a[href],button,time,${CONTROLS},${RECORD}`;

const BOXES = 'div,li,p';
const MAX_PAIR_CHARACTERS = 60;

/** Returns true for boxes of a name and its value each, none of which is about the page: "Prep time", "10 minutes". */
function hasPairs(element: Element): boolean {
  if (element.querySelector('a[href],img,time,button,input') !== null) return false;
  const boxes = [...element.children];
  if (boxes.length < MIN_FACTS) return false;
  return boxes.every(box => {
    const parts = [...box.children].filter(part => (part.textContent ?? '').trim() !== '');
    const line = singleLineText(box);
    return (
      box.matches(BOXES) &&
      parts.length === 2 &&
      line.length <= MAX_PAIR_CHARACTERS &&
      !isBylineOrDate(line) &&
      !AGO.test(line)
    );
  });
}

const isParagraph = (side: Element | null): boolean =>
  side !== null &&
  /^(p|blockquote|pre|ul|ol|table|figure)$/.test(side.localName) &&
  singleLineText(side).length >= MIN_NEIGHBOUR_CHARACTERS;

const followsParagraph = (element: Element): boolean => isParagraph(element.previousElementSibling);

const isBetweenParagraphs = (element: Element): boolean =>
  followsParagraph(element) && isParagraph(element.nextElementSibling);
