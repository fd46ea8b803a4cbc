/** Makes lines of text from elements: one line for each block, with the text of its inline parts. */
import {
  characterData,
  composedParent,
  firstChild,
  getAttribute,
  isElement,
  localName,
  nextSibling,
  nodeType,
} from '../dom/domGetters.ts';
import { displayOf } from '../perceive/displayCache.ts';
import { listedCandidate } from '../perceive/lastObservation.ts';
import { normalizeText } from '../perceive/plainText.ts';
import { isSeen } from './isSeen.ts';

const INLINE_DISPLAY = /^(?:inline|contents|ruby|inline-block|inline-flex)$/;
const UNREAD_TAGS = new Set(
  'script style noscript template textarea select input option iframe object'.split(' '),
);
/** Maximum number of nodes that are read for one line. */
const MAX_NODES = 300;
/** A line longer than this is cut anyway. Characters. */
const MAX_CHARACTERS = 2_000;

/** Returns the element that shows the element's text as a line of its own: itself, or the nearest element around it that is a block. */
export function blockOf(element: Element): Element {
  let at = element;
  while (INLINE_DISPLAY.test(displayOf(at).display)) {
    const parent = composedParent(at);
    if (parent === null) return at;
    at = parent;
  }
  return at;
}

/** Returns the text of a block and its inline parts, without the blocks in it and without what people cannot see. */
export function lineText(block: Element): string {
  const progress = { nodes: 0, length: 0 };
  return isSeen(block) ? normalizeText(inlineText(block, progress)) : '';
}

function inlineText(element: Element, progress: { nodes: number; length: number }): string {
  let text = '';
  for (let node = firstChild(element); node !== null; node = nextSibling(node)) {
    if (++progress.nodes > MAX_NODES || progress.length > MAX_CHARACTERS) break;
    if (nodeType(node) === Node.TEXT_NODE) {
      const data = characterData(node as CharacterData);
      progress.length += data.length;
      text += data;
    } else if (isElement(node)) text += partText(node, progress);
  }
  return text;
}

function partText(element: Element, progress: { nodes: number; length: number }): string {
  const tag = localName(element);
  if (tag === 'br') return ' ';
  // The list of actions has the text of a button.
  if (tag === 'button' || listedCandidate(element)?.candidate.letter === 'B') return ' ';
  if (UNREAD_TAGS.has(tag)) return '';
  const { display, shown } = displayOf(element);
  if (!shown) return '';
  if (tag === 'img') return ` ${getAttribute(element, 'alt') ?? ''} `;
  if (!INLINE_DISPLAY.test(display)) return ' ';
  const text = inlineText(element, progress);
  if (!/\S/.test(text)) return text;
  return isSeen(element) ? text : ' ';
}
