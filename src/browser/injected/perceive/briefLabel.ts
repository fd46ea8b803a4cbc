/** Elements that are no actions, in a few words. */

import { getAttribute, localName } from '../dom/domGetters.ts';
import { accessibleName } from './accessibleName.ts';
import { normalizeText, quote, truncate } from './plainText.ts';

/** Characters. */
const MAX_LABEL_LENGTH = 100;

/** What lies in the way: `div "We use cookies"`, `div overlay`. */
export function briefLabel(element: Element): string {
  const tag = localName(element);
  const name = truncate(accessibleName(element, tag, false), MAX_LABEL_LENGTH);
  const id = truncate(
    normalizeText(getAttribute(element, 'id') ?? getAttribute(element, 'class') ?? ''),
    MAX_LABEL_LENGTH,
  );
  return name === '' ? `${tag} ${id}`.trim() : `${tag} ${quote(name)}`;
}

/** What a frame is called; empty where it has no name. */
export const frameName = (element: Element): string =>
  truncate(
    accessibleName(element, localName(element), false) || normalizeText(getAttribute(element, 'name') ?? ''),
    MAX_LABEL_LENGTH,
  );
