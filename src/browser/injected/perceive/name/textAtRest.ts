/** Reads the text of a box that shows more while the pointer is over it. */
import {
  characterData,
  firstChild,
  isElement,
  localName,
  nextSibling,
  nodeType,
} from '../../dom/domGetters.ts';
import { displayOf } from '../element/displayCache.ts';
import { isInnerControl } from '../element/innerControl.ts';
import { normalizeText } from '../element/plainText.ts';
import { textBesideControls } from '../element/renderedText.ts';

/** Lists in the entry of a menu are its submenus. */
const SUBMENU = /^(?:ul|ol|menu)$/;

/** Returns the text that the box shows also while the pointer is elsewhere: without controls, submenus and what lies above the page. */
export function textAtRest(element: Element): string {
  let text = '';
  for (let node = firstChild(element); node !== null; node = nextSibling(node)) {
    if (nodeType(node) === Node.TEXT_NODE) text += characterData(node as CharacterData);
    else if (isElement(node)) text += ` ${partAtRest(node)} `;
  }
  return normalizeText(text);
}

function partAtRest(part: Element): string {
  const tag = localName(part);
  const { shown, isOutOfFlow } = displayOf(part);
  return !shown || isOutOfFlow || SUBMENU.test(tag) || isInnerControl(part, tag)
    ? ''
    : textBesideControls(part, false);
}
