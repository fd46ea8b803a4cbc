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
import { displayOf } from '../perceive/element/displayCache.ts';
import { isSeen } from '../perceive/element/isSeen.ts';
import { normalizeText } from '../perceive/element/plainText.ts';
import { listedCandidate } from '../perceive/lastObservation.ts';

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

/** The progress of reading one line. */
interface LineProgress {
  nodes: number;
  length: number;
  /** True when a part of the line that no listed action shows has a letter or a digit. */
  hasOwnWords: boolean;
}

/**
 * Returns the text of a block and its inline parts, without the blocks in it and without what people cannot see. Empty if only listed
 * actions have words in it: the list shows them.
 */
export function lineText(block: Element): string {
  const progress: LineProgress = { nodes: 0, length: 0, hasOwnWords: false };
  if (!isSeen(block)) return '';
  const text = normalizeText(inlineText(block, progress, false));
  return progress.hasOwnWords ? text : '';
}

function inlineText(element: Element, progress: LineProgress, inAction: boolean): string {
  let text = '';
  for (let node = firstChild(element); node !== null; node = nextSibling(node)) {
    if (++progress.nodes > MAX_NODES || progress.length > MAX_CHARACTERS) break;
    if (nodeType(node) === Node.TEXT_NODE) {
      const data = characterData(node as CharacterData);
      progress.length += data.length;
      progress.hasOwnWords ||= !inAction && /[\p{L}\p{N}]/u.test(data);
      text += data;
    } else if (isElement(node)) text += partText(node, progress, inAction);
  }
  return text;
}

function partText(element: Element, progress: LineProgress, inAction: boolean): string {
  const tag = localName(element);
  if (tag === 'br') return ' ';
  const listed = listedCandidate(element);
  // The list of actions has the text of a button.
  if (tag === 'button' || listed?.candidate.letter === 'B') return ' ';
  if (UNREAD_TAGS.has(tag)) return '';
  const { display, shown } = displayOf(element);
  if (!shown) return '';
  if (tag === 'img') return ` ${getAttribute(element, 'alt') ?? ''} `;
  if (!INLINE_DISPLAY.test(display)) return ' ';
  const text = inlineText(element, progress, inAction || listed !== null);
  if (!/\S/.test(text)) return text;
  return isSeen(element) ? text : ' ';
}
