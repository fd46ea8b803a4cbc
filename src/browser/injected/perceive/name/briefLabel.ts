/** Makes short labels for elements that are not listed. */

import { getAttribute, localName } from '../../dom/domGetters.ts';
import { normalizeText, quote, truncate } from '../element/plainText.ts';
import { accessibleName } from './accessibleName.ts';

/** Maximum length of a label. Characters. */
const MAX_LABEL_LENGTH = 100;

/** Returns the label of an element that covers another one: `div "We use cookies"`, `div "overlay"`. */
export function briefLabel(element: Element): string {
  const tag = localName(element);
  const name = truncate(accessibleName(element, tag, false), MAX_LABEL_LENGTH);
  const id = truncate(
    normalizeText(getAttribute(element, 'id') ?? getAttribute(element, 'class') ?? ''),
    MAX_LABEL_LENGTH,
  );
  const words = name || id;
  // The name of a custom element is a word of the page too.
  const noun = tag.includes('-') ? 'element' : tag;
  return words === '' ? noun : `${noun} ${quote(words)}`;
}

/** Returns the accessible name or the `name` attribute of an iframe; empty if it has neither. */
export const frameName = (element: Element): string =>
  truncate(
    accessibleName(element, localName(element), false) || normalizeText(getAttribute(element, 'name') ?? ''),
    MAX_LABEL_LENGTH,
  );
