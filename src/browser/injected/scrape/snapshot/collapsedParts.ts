/**
 * Parts of the main content that the page does not show yet: panels that its own controls open (`details`, tabs, accordions), and
 * segments that a server sent ahead for scripts to put in their place.
 */
import {
  closest,
  elementById,
  firstElementChild,
  getAttribute,
  hasAttribute,
  localName,
  parentElement,
  queryAllDocument,
} from '../../dom/domGetters.ts';
import { isDisclosurePanel, NEVER_OPENED } from './disclosurePanel.ts';

/** Controls that say which element they open. */
const OPENERS = '[aria-controls]:is([role=tab],[aria-expanded=false])';
/** Maximum number of controls that are read. */
const MAX_OPENERS = 2_000;
/** Returns a function that tells whether an element that is not shown is a panel of the content that the page's controls open. */
export function collapsedPanels(page: Document): (element: Element) => boolean {
  let controlled: ReadonlySet<string> | null = null;
  return element => {
    const id = getAttribute(element, 'id') ?? '';
    controlled ??= controlledIds(page);
    return (
      (getAttribute(element, 'role') === 'tabpanel' ||
        isInClosedDetails(element) ||
        controlled.has(id) ||
        isDisclosurePanel(element)) &&
      closest(element, NEVER_OPENED) === null
    );
  };
}

/** Returns true for a closed `details` of the content. */
export const isClosedDetails = (element: Element): boolean =>
  localName(element) === 'details' &&
  !hasAttribute(element, 'open') &&
  closest(element, NEVER_OPENED) === null;

/** Returns true for what only a closed `details` hides: its first `summary` stays shown. */
function isInClosedDetails(element: Element): boolean {
  const parent = parentElement(element);
  return (
    parent !== null &&
    localName(parent) === 'details' &&
    !hasAttribute(parent, 'open') &&
    !(localName(element) === 'summary' && firstElementChild(parent) === element) &&
    getComputedStyle(element).display !== 'none'
  );
}

function controlledIds(page: Document): Set<string> {
  const found = new Set<string>();
  let left = MAX_OPENERS;
  for (const opener of queryAllDocument(page, OPENERS)) {
    if (left-- === 0) break;
    if (hasAttribute(opener, 'aria-haspopup') || closest(opener, NEVER_OPENED) !== null) continue;
    for (const id of (getAttribute(opener, 'aria-controls') ?? '').split(/\s+/)) if (id !== '') found.add(id);
  }
  return found;
}

/** Matches the id of the place for a streamed segment, as React writes it; the segment's id has `S` instead. */
const PLACE_ID = /^(.*)[BP]:([\da-f]+)$/;

/**
 * Returns the segment that scripts would put at the place of a `template`, while it waits hidden elsewhere; null if there is none. Once
 * the scripts have run, neither the place nor the segment is there.
 */
export function streamedSegment(template: Element): Element | null {
  const found = PLACE_ID.exec(getAttribute(template, 'id') ?? '');
  if (found === null) return null;
  const segment = elementById(template, `${found[1]}S:${found[2]}`);
  return segment !== null && hasAttribute(segment, 'hidden') ? segment : null;
}
