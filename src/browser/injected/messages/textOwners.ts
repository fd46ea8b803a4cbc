/** Finds the elements that show text of their own. Walks text nodes only, so that it costs little beside the observation. */
import { bodyOf, characterData, checkVisibility, localName, parentElement } from '../dom/domGetters.ts';
import { foundShadowRoots } from '../perceive/shadowRootOf.ts';

/** Elements whose text people do not see, or see as the value or an option of a field. */
const UNREAD_TAGS = new Set(
  'script style noscript template title textarea option optgroup datalist iframe object'.split(' '),
);
/**
 * Maximum number of elements from the beginning of a document, and from its end, where pages put toasts and dialogs. Text between
 * them is not compared: a page with more text must not cost more time.
 */
const MAX_FROM_START = 1_500;
const MAX_FROM_END = 300;
/** The maximum when the caller wants the text of the page. */
const MAX_WHOLE = 8_000;
/** Maximum number of text nodes that are read for one document or shadow tree, blank ones included. */
const MAX_NODES = 12_000;

/** Options of `checkVisibility`: also not with `visibility: hidden` or `opacity: 0`. */
export const VISIBLE = { opacityProperty: true, visibilityProperty: true } as const;

/** The text that each visible element has directly, without that of its children; in document order, shadow trees after the document. */
export type OwnTexts = ReadonlyMap<Element, string>;

/** Reads the visible text of the document and its shadow trees. @param whole true to read much more of a long document */
export function readOwnTexts(whole = false): OwnTexts {
  const maxFromStart = whole ? MAX_WHOLE : MAX_FROM_START;
  const body = bodyOf(document);
  const texts = new Map<Element, string>();
  if (body === null) return texts;
  if (!readFrom(body, texts, 'start', maxFromStart)) {
    const last = new Map<Element, string>();
    readFrom(body, last, 'end', MAX_FROM_END);
    for (const [element, text] of [...last].reverse()) if (!texts.has(element)) texts.set(element, text);
  }
  for (const root of foundShadowRoots())
    readFrom(root, texts, 'start', maxFromStart + MAX_FROM_END - texts.size);
  return texts;
}

/** Adds the texts below `root`. @returns false if there are more than `max` */
function readFrom(root: Node, texts: Map<Element, string>, from: 'start' | 'end', max: number): boolean {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const next = from === 'start' ? () => walker.nextNode() : () => walker.previousNode();
  const hidden = new Set<Element>();
  let node = from === 'start' ? walker.nextNode() : walker.lastChild();
  let found = 0;
  for (let left = MAX_NODES; node !== null; node = next()) {
    if (--left < 0 || found >= max) return false;
    const data = characterData(node as CharacterData);
    if (!/\S/.test(data)) continue;
    const element = parentElement(node);
    if (element === null || hidden.has(element)) continue;
    const known = texts.get(element);
    if (known !== undefined) {
      texts.set(element, from === 'start' ? `${known} ${data}` : `${data} ${known}`);
      continue;
    }
    if (UNREAD_TAGS.has(localName(element)) || !checkVisibility(element, VISIBLE)) {
      hidden.add(element);
      continue;
    }
    texts.set(element, data);
    found++;
  }
  return true;
}
