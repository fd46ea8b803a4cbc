/** Recognizes a new document that shows next to nothing yet and whose scripts may fill it, or leave it. */
import {
  bodyOf,
  getAttribute,
  hasAttribute,
  innerText,
  queryAllIn,
  queryDocument,
  queryIn,
  textContent,
} from '../dom/domGetters.ts';

/** Elements that only hold text or others. What a document shows beside them, it shows already. */
const PLAIN =
  'script,style,link,meta,title,base,template,noscript,div,main,section,article,header,footer,p,br,hr,h1,h2,h3,h4,h5,h6,span,b,i,em,strong,small,center,ul,ol,table,thead,tbody,tr,th,form,input[type="hidden" i]';
/** Boxes without content that a script fills. */
const EMPTY_BOXES =
  'main:empty,div:empty,section:empty,article:empty,ul:empty,ol:empty,tbody:empty,p[id]:empty,span[id]:empty';
/** Matches elements that show something, or that can be used, whatever their tags. */
const MARKED =
  '[style*="height" i],[style*="background" i],[style*="border" i],[onclick],[tabindex],[draggable],[contenteditable],[role]:not([role="main"],[role="heading"])';
/** Selectors of the part of a document that shows what it is about. None compares the attributes of all elements. */
const MAIN_PARTS = ['main', '#main', '#content', '#app', '#root'];
/** Elements that a main part may show before it is filled. */
const HEADINGS = 'h1,h2,h3,[role="heading"]';
/** Scripts that lead to another document. */
const LEAVES = /\blocation\b|\bsubmit\s*\(/;
/** Scripts that go on when they have run. */
const GOES_ON =
  /setTimeout|setInterval|AnimationFrame|IdleCallback|\bfetch\b|XMLHttpRequest|\bawait\b|\bthen\s*\(|import\s*\(|postMessage|EventSource|WebSocket|indexedDB|DOMContentLoaded|\bload\b|\blocation\b|\bsubmit\s*\(/;
/** The types of script elements that are run. */
const PROGRAM_TYPES = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script[\d.]*)$/i;
/** A document with more text shows something. Characters. */
const MAX_TEXT = 200;
/** Maximum time from the start of the document in which its scripts are expected to fill it. Milliseconds. */
const MAX_AGE_MS = 15_000;

/** Returns the part of the document that its scripts are expected to fill, or to leave; null if there is none. */
export function unfilledPart(): Element | null {
  const body = bodyOf(document);
  if (body === null || performance.now() > MAX_AGE_MS || !scriptsMatch(body, GOES_ON)) return null;
  if (!showsMore(body) && expectsMore(body)) return body;
  for (const selector of MAIN_PARTS) {
    const main = queryDocument(document, selector);
    if (main !== null) return isUnfilled(main) ? main : null;
  }
  return null;
}

/** Returns true if the document has scripts that run: elements, or a handler of its load. */
export const hasScripts = (body: Element | null): boolean =>
  Array.from(document.scripts).some(isProgram) || (body !== null && hasAttribute(body, 'onload'));

/** False for data in a script element, such as JSON-LD, which can have the same words as programs. */
const isProgram = (script: Element): boolean => {
  const type = (getAttribute(script, 'type') ?? '').trim();
  return type === '' || PROGRAM_TYPES.test(type);
};

const showsMore = (part: Element): boolean => queryIn(part, `:not(${PLAIN}),${MARKED}`) !== null;

function expectsMore(body: Element): boolean {
  const text = body instanceof HTMLElement ? innerText(body).trim() : '';
  if (text.length > MAX_TEXT) return false;
  return text === '' || queryIn(body, EMPTY_BOXES) !== null || scriptsMatch(body, LEAVES);
}

/** Returns true if the source of a script matches. Where only the address of a script is known, it may go on. */
const scriptsMatch = (body: Element, pattern: RegExp): boolean =>
  pattern.test(getAttribute(body, 'onload') ?? '') ||
  Array.from(document.scripts).some(
    script =>
      isProgram(script) &&
      (script.src === '' ? pattern.test(textContent(script) ?? '') : pattern === GOES_ON),
  );

/** Returns true if a part shows nothing but headings. */
function isUnfilled(part: Element): boolean {
  if (showsMore(part)) return false;
  let left = (textContent(part) ?? '').replace(/\s+/g, '').length;
  if (left > MAX_TEXT) return false;
  for (const inner of queryAllIn(part, `${HEADINGS},script,style,template,noscript`))
    left -= (textContent(inner) ?? '').replace(/\s+/g, '').length;
  return left <= 0;
}
