/**
 * The content of a page that shows almost nothing: because its scripts, which were blocked or failed, would show it
 * (hidden until then), or because it stands in `noscript`.
 */
import * as dom from '../dom/domGetters.ts';
import { collapsedLength } from './article/textStats.ts';
import { parseHtmlInto } from './clean/sanitizeHtml.ts';
import type { FlatPage } from './snapshot/flatten.ts';
import { rewriteUrlAttribute } from './snapshot/urlAttributes.ts';

/** A page that shows more characters outside links than this shows its content. */
const MAX_SHOWN_CHARACTERS = 600;
/** Minimum number of characters outside links that count as content. */
const MIN_WAITING_CHARACTERS = 250;
/** The content has at least this many times the characters that the copy has: what the page shows, and its parts that open. */
const MIN_RATIO = 4;
/** Hidden parts of a page are often menus and dialogs: only content that is far more than the page shows counts. */
const MIN_HIDDEN_RATIO = 8;
const MIN_HIDDEN_CHARACTERS = 1_000;
/** Maximum number of elements of a hidden page that is read. */
const MAX_ELEMENTS = 20_000;
/** Maximum length of all `noscript` elements that are parsed. */
const MAX_NOSCRIPT_CHARACTERS = 2_000_000;

const LISTED_CONTROLS = 'button,fieldset,input,object,output,select,textarea,img';
const NEVER_CONTENT =
  'script,style,template,link,meta,base,head,embed,object,param,noscript,iframe,frame,canvas,audio,video,input[type=hidden i],dialog,[aria-modal=true]';

/**
 * Adds the content that a page would show without scripts, or after them, to its copy, if the copy has almost no text.
 * @param page the live document
 * @param copy its copy made by `flatten`; changed in place
 * @param counted the numbers of characters outside links that `flatten` counted; the copy may have more that are shown
 */
export function addWaitingContent(
  page: Document,
  copy: Document,
  { proseCharacters, closedCharacters }: Pick<FlatPage, 'proseCharacters' | 'closedCharacters'>,
): void {
  // White space between words counts there: with twice the characters it cannot decide.
  if (proseCharacters >= 2 * MAX_SHOWN_CHARACTERS) return;
  const read = proseLength(copy.body, closedCharacters + MAX_SHOWN_CHARACTERS + 1);
  const shown = read - closedCharacters;
  if (shown > MAX_SHOWN_CHARACTERS) return;
  const fallback = noscriptContent(page, copy);
  if (fallback !== null && isEnough(fallback, MIN_WAITING_CHARACTERS, MIN_RATIO * read)) {
    copy.body.append(fallback);
    return;
  }
  const hidden = wholeBody(page, copy);
  if (
    hidden !== null &&
    isEnough(hidden, MIN_HIDDEN_CHARACTERS, Math.max(MIN_HIDDEN_RATIO * shown, MIN_RATIO * read))
  )
    copy.body.replaceChildren(hidden);
}

const isEnough = (content: Element, minimum: number, wanted: number): boolean => {
  const length = proseLength(content);
  return length >= minimum && length >= wanted && content.querySelector('h1,h2,h3,main,article,p') !== null;
};

/** Returns the number of characters outside links; stops counting at `enough`. */
function proseLength(root: Element, enough = Number.POSITIVE_INFINITY): number {
  let length = 0;
  for (let child = root.firstChild; child !== null && length < enough; child = child.nextSibling)
    if (child.nodeType === 3) length += collapsedLength((child as Text).data);
    else if (child.nodeType === 1 && (child as Element).localName !== 'a')
      length += proseLength(child as Element, enough - length);
  return length;
}

function noscriptContent(page: Document, copy: Document): Element | null {
  const html = Array.from(
    dom.queryAllDocument(page, 'body noscript'),
    noscript => dom.textContent(noscript) ?? '',
  )
    .filter(text => text.length >= MIN_WAITING_CHARACTERS)
    .join('\n');
  if (html === '' || html.length > MAX_NOSCRIPT_CHARACTERS) return null;
  const content = copy.createElement('div');
  parseHtmlInto(content, html);
  return withoutActiveParts(content, dom.baseURI(page));
}

/** Returns a copy of the whole body, visible or not; null if it is too large. */
function wholeBody(page: Document, copy: Document): Element | null {
  const body = dom.bodyOf(page);
  if (body === null || dom.queryAllDocument(page, 'body *').length > MAX_ELEMENTS) return null;
  const content = copy.createElement('div');
  content.append(...copy.importNode(body, true).childNodes);
  return withoutActiveParts(content, dom.baseURI(page));
}

function withoutActiveParts(content: Element, base: string): Element {
  // First: the id of a control in a form hides a member of the form.
  for (const control of content.querySelectorAll(LISTED_CONTROLS)) control.removeAttribute('id');
  for (const element of content.querySelectorAll(NEVER_CONTENT)) element.remove();
  for (const element of content.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) {
      if (name === 'style' || name === 'name' || name === 'value') element.removeAttribute(name);
      else rewriteUrlAttribute(element, name, base);
    }
  return content;
}
