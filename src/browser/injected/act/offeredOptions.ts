/** Reads which options a combobox offers for the text that it holds. */
import { MASK } from '../../../domain/space/pageText.ts';
import {
  checkVisibility,
  composedParent,
  elementById,
  getAttribute,
  matches,
  queryAllDocument,
  queryAllFragment,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { isSecretField } from '../dom/secretFields.ts';
import { normalizeText, truncate } from '../perceive/element/plainText.ts';
import { shadowRootOf } from '../perceive/element/shadowRootOf.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { heldText } from './textEntry.ts';

/** The text that a combobox holds, and what it offers. */
export interface OfferedOptions {
  readonly held: string;
  /** Texts of the first options. */
  readonly options: readonly string[];
  readonly count: number;
}

/** Maximum number of options whose texts the note of a step lists. */
const MAX_OPTIONS = 5;
const MAX_TEXT_LENGTH = 60;
const OPTION = '[role=option], [role=treeitem], [role=row]';

/** Returns what a combobox holds and offers; null if the element is none, or is empty. */
export function offeredOptions(key: number): OfferedOptions | null {
  const element = elementByKey(key);
  const host = element === null ? null : comboboxOf(element);
  const text = element === null ? '' : isSecretField(element) ? MASK : heldText(element);
  const held = normalizeText(text ?? '');
  if (element === null || host === null || held === null || held === '') return null;
  const lists = [element, host].flatMap(one =>
    `${getAttribute(one, 'aria-controls') ?? ''} ${getAttribute(one, 'aria-owns') ?? ''}`
      .split(/\s+/)
      .map(id => (id === '' ? null : elementById(one, id)))
      .filter(list => list !== null),
  );
  const found = lists.length > 0 ? [...new Set(lists)].flatMap(optionsIn) : optionsOfPage();
  const texts = [...new Set(found)]
    .filter(option => checkVisibility(option, { checkOpacity: true, checkVisibilityCSS: true }))
    .map(option => normalizeText(textContent(option) ?? ''))
    .filter(text => text !== '');
  const options = texts.slice(0, MAX_OPTIONS).map(text => truncate(text, MAX_TEXT_LENGTH));
  // A list that the field does not name may be one that no selector finds.
  if (texts.length === 0 && lists.length === 0) return null;
  return { held: truncate(held, MAX_TEXT_LENGTH), options, count: texts.length };
}

/** Returns the options in a list, also those that the user of a web component has put into its slots. */
function optionsIn(list: Element): readonly Element[] {
  const slotted = Array.from(queryAllIn(list, 'slot')).flatMap(slot =>
    slot instanceof HTMLSlotElement ? slot.assignedElements({ flatten: true }) : [],
  );
  const inSlots = slotted.flatMap(one => [
    ...(matches(one, OPTION) ? [one] : []),
    ...queryAllIn(one, OPTION),
  ]);
  return [...queryAllIn(list, OPTION), ...inSlots];
}

/** Returns the element that says that a field is a combobox: the field, or the box around it. */
function comboboxOf(element: Element): Element | null {
  if (/^(list|both)$/.test(getAttribute(element, 'aria-autocomplete') ?? '')) return element;
  for (const one of [element, composedParent(element)])
    if (one !== null && getAttribute(one, 'role') === 'combobox') return one;
  return null;
}

/** Returns the options of the lists of the page, also in shadow trees: a field of a web component cannot name a list outside of its own tree. */
function optionsOfPage(): readonly Element[] {
  const found: Element[] = [];
  // Not a recursion: a page can nest shadow trees deeper than the call stack allows.
  const left: Element[] = Array.from(queryAllDocument(document, '*')).reverse();
  for (let element = left.pop(); element !== undefined; element = left.pop()) {
    if (getAttribute(element, 'role') === 'option') found.push(element);
    const shadow = shadowRootOf(element);
    if (shadow !== null) left.push(...Array.from(queryAllFragment(shadow, '*')).reverse());
  }
  return found;
}
