/** Finds frames that a step has added and that show nothing yet. */
import { bodyOf, frameDocument, localName } from '../dom/domGetters.ts';

/** Maximum time for which an empty frame counts as loading. Milliseconds. */
const MAX_EMPTY_MS = 3_000;
/** Nodes that show nothing. */
const UNSEEN = /^(?:script|style|noscript|template|link|meta|#comment)$/i;

/** Times at which empty frames were found. */
const foundAt = new WeakMap<Element, number>();

/** Returns true for a frame of the page's own origin that shows nothing and was found empty a moment ago. */
export function isEmptyFrame(element: Element): boolean {
  if (localName(element) !== 'iframe') return false;
  const inner = frameDocument(element);
  const body = inner === null ? null : bodyOf(inner);
  if (inner === null || (body !== null && showsSomething(body))) return false;
  const since = foundAt.get(element) ?? performance.now();
  foundAt.set(element, since);
  return performance.now() - since <= MAX_EMPTY_MS;
}

/** The nodes belong to another window: their names tell what they are. */
function showsSomething(body: Node): boolean {
  for (let node = body.firstChild; node !== null; node = node.nextSibling)
    if (!UNSEEN.test(node.nodeName) && (node.nodeName !== '#text' || node.nodeValue?.trim() !== ''))
      return true;
  return false;
}
