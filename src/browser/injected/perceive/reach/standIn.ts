/** Finds the visible part of a widget whose field people do not see: the box of a list of choices, a drawn star, a drawn editor. */

import { around, WIDGET_LEVELS } from '../../dom/around.ts';
import {
  attributeText,
  boxOf,
  composedContains,
  composedParent,
  getAttribute,
  getRootNode,
  hasAttribute,
  isShadowRoot,
  localName,
  matches,
  queryAllFragment,
  queryAllIn,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { DRAWN_TICKS } from '../../dom/vocabulary.ts';
import type { Candidate } from '../candidate.ts';
import { type Box, toBox, visibleBox } from '../element/box.ts';
import { hasEditContext, isDisabled, renderedIn } from '../element/fields.ts';
import { normalizeText } from '../element/plainText.ts';
import { paintedText, visibleText } from '../element/renderedText.ts';
import { shadowRootOf } from '../element/shadowRootOf.ts';

/** An element that people see and press in the place of a field, and its box. */
export interface StandIn {
  readonly element: Element;
  readonly box: Box;
}

/** Minimum width and height of a widget or an editor, and maximum height of the box of a list of choices. CSS pixels. */
const MIN_SIDE_PX = 12;
const MAX_HEIGHT_PX = 200;
/** Minimum thickness of the track of a slider. CSS pixels. */
const MIN_TRACK_PX = 3;
/** Maximum length of the text that a list of choices shows as chosen. Characters. */
const MAX_CHOICE_LENGTH = 100;
/** A field that the page hides from people and from the keyboard belongs to the widget beside it. */
const WIDGET_FIELDS = `input:not([type=hidden], [aria-hidden=true]), select:not([aria-hidden=true]), textarea:not([aria-hidden=true]), [role=combobox], [role=slider], [role=tab], ${DRAWN_TICKS}`;

/** The controls whose inputs pages hide behind what they draw. */
const DRAWN = /^(checkbox|radio|range)$/;

/** Returns what people press for a list of choices, a tick box, a slider, or a control that leaves presses to its shadow host; else null. */
export const widgetOf = (candidate: Candidate): StandIn | null =>
  isListOfChoices(candidate) || DRAWN.test(candidate.control)
    ? boxAround(candidate.element, candidate.control === 'range' ? MIN_TRACK_PX : MIN_SIDE_PX)
    : hostAround(candidate);

function hostAround({ element, style }: Candidate): StandIn | null {
  if (style.pointerEvents !== 'none') return null;
  const root = getRootNode(element);
  const host = root instanceof ShadowRoot ? root.host : null;
  const box = host === null || styleOf(host).pointerEvents === 'none' ? null : visibleBox(host);
  return host === null || box === null ? null : { element: host, box };
}

/** Returns the nearest visible box around a field that contains no other field. One that is not rendered is a copy that the page keeps for the form. */
function boxAround(field: Element, minSide = MIN_SIDE_PX): StandIn | null {
  let empty: StandIn | null = null;
  for (const at of around(composedParent(field), WIDGET_LEVELS)) {
    if (matches(at, 'body, form, fieldset')) break;
    if (renderedIn(at, WIDGET_FIELDS).some(other => isOtherField(other, field))) break;
    const box = visibleBox(at);
    if (box === null || Math.min(box.right - box.left, box.bottom - box.top) < minSide) continue;
    if (Math.max(box.right - box.left, box.bottom - box.top) < MIN_SIDE_PX) continue;
    if (box.bottom - box.top > MAX_HEIGHT_PX) break;
    // The box of a list of choices that has nothing but the field may lie below what is chosen.
    if (localName(field) !== 'input' || getAttribute(field, 'role') !== 'combobox' || !isAlone(field, at))
      return { element: at, box };
    empty ??= { element: at, box };
  }
  return empty;
}

const isAlone = (field: Element, box: Element): boolean =>
  visibleText(box) === '' &&
  Array.from(queryAllIn(box, '*')).every(
    part => composedContains(part, field) || composedContains(field, part),
  );

const isOtherField = (other: Element, field: Element): boolean =>
  other !== field && !composedContains(other, field) && !composedContains(field, other);

const isListOfChoices = ({ tag, role, element }: Candidate): boolean =>
  tag !== 'select' &&
  (role === 'combobox' ||
    (tag === 'input' && /^(listbox|menu|tree|grid)$/.test(getAttribute(element, 'aria-haspopup') ?? '')) ||
    (tag === 'button' && hasAttribute(element, 'aria-haspopup') && isShadowRoot(getRootNode(element))));

/** Returns the editor that a script draws (CodeMirror, Ace, Monaco) around a field without size that takes its keys; null if there is none. */
export function editorOf({ element, tag, unrendered }: Candidate): StandIn | null {
  if ((tag !== 'textarea' && !hasEditContext(element)) || unrendered || isDisabled(element, tag)) return null;
  const own = boxOf(element);
  for (const at of around(composedParent(element), WIDGET_LEVELS)) {
    if (matches(at, 'body')) return null;
    const box = visibleBox(at);
    if (box === null || own.right < box.left || own.bottom < box.top || own.left > box.right) continue;
    if (box.right - box.left >= MIN_SIDE_PX && box.bottom - box.top >= MIN_SIDE_PX)
      return { element: at, box };
  }
  return null;
}

/**
 * Returns true for a field that takes the keys of a drawn editor, and holds what the editor does not show: the last text of a caller, or what was
 * selected. Editors put lines in boxes of their own, number them, and draw marks as styles. What is drawn on a canvas cannot be compared.
 */
export function isStale(candidate: Candidate, { hasBox }: { readonly hasBox: boolean }): boolean {
  const { element } = candidate;
  if (hasBox || !(element instanceof HTMLTextAreaElement)) return false;
  const editor = editorOf(candidate)?.element ?? element;
  const text = (textContent(editor) ?? '').replace(textContent(element) ?? '', '\n');
  const shown = wordCharacters(text);
  if (shown === '' && queryIn(editor, 'canvas') !== null) return false;
  return (
    element.value !== '' && !element.value.split('\n').every(line => shown.includes(wordCharacters(line)))
  );
}

const wordCharacters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The parts of the widget of a list of choices whose text is none of what is chosen: hints, buttons, the list itself. */
const BESIDE_CHOICE =
  '[class*=placeholder], [id$=placeholder], label, button, [role=button], [role=listbox], [role=option], [role=menu], [role=grid], [role=tree]';

/** Returns what the widget of an empty list of choices shows as chosen, without its placeholder and its name. */
export function shownChoice(candidate: Candidate, name: string): string {
  const { element } = candidate;
  if (!isListOfChoices(candidate) || !(element instanceof HTMLInputElement) || element.value !== '')
    return '';
  const widget = boxAround(element);
  if (widget === null || localName(widget.element) === 'label') return '';
  const chosen = chosenOptions(element, widget.element);
  if (chosen !== '') return chosen;
  // The name of a picture may be that of the arrow.
  const shown = paintedText(widget.element);
  if (shown === '' || shown.length > MAX_CHOICE_LENGTH + name.length) return '';
  const hints = Array.from(queryAllIn(widget.element, BESIDE_CHOICE))
    .filter((part, nth, parts) => !parts.slice(0, nth).some(outer => composedContains(outer, part)))
    .filter(part => !composedContains(part, element))
    .filter(part => !/selected/.test(getAttribute(part, 'class') ?? '') || isFaint(part))
    .map(part => paintedText(part));
  let text = shown;
  for (const hint of [...hints, name]) if (hint !== '') text = text.replace(hint, ' ');
  return normalizeText(text);
}

/** Returns the texts of the options in the box of a list of choices that is not open: they are chosen. */
function chosenOptions(field: Element, widget: Element): string {
  if (getAttribute(field, 'aria-expanded') === 'true') return '';
  const texts = optionsIn(widget)
    .filter(option => visibleBox(option) !== null)
    .map(option => paintedText(option, 'controls'));
  const chosen = texts.filter(text => text !== '').join(', ');
  return chosen.length > MAX_CHOICE_LENGTH ? '' : chosen;
}

/** Maximum number of elements of a widget, with those of its shadow trees, among which options are searched. */
const MAX_PARTS = 200;

function optionsIn(widget: Element): readonly Element[] {
  const options: Element[] = [];
  const left = Array.from(queryAllIn(widget, '*')).reverse();
  for (let seen = 0, part = left.pop(); part !== undefined && seen < MAX_PARTS; seen++, part = left.pop()) {
    if (getAttribute(part, 'role') === 'option') options.push(part);
    const shadow = shadowRootOf(part);
    if (shadow !== null) left.push(...Array.from(queryAllFragment(shadow, '*')).reverse());
  }
  return options;
}

/** Returns the text that an empty list of choices shows instead of a choice; empty if it shows none. */
export function choiceHint(field: Element): string {
  const inner = queryIn(field, 'input[placeholder]');
  if (inner !== null) return attributeText(inner, 'placeholder');
  const widget = boxAround(field);
  const hint = widget === null ? null : queryIn(widget.element, '[class*=placeholder], [id$=placeholder]');
  return hint === null ? '' : visibleText(hint);
}

/** Returns true for a part of a widget that a class marks as faint: its text is a placeholder. */
const isFaint = (part: Element): boolean => /transparent|empty|faint/.test(getAttribute(part, 'class') ?? '');

/** Returns true for a field of no use for people: tiny, transparent or read-only, and out of reach of keyboard or screen readers. */
export function isLeftOver({ element, control }: Candidate): boolean {
  if (control !== 'text' && control !== 'select' && control !== 'number') return false;
  const isUnfocusable = getAttribute(element, 'tabindex') === '-1';
  const isUnread = getAttribute(element, 'aria-hidden') === 'true';
  if (!isUnfocusable && !isUnread) return false;
  if (isUnfocusable && isUnread && hasAttribute(element, 'readonly')) return true;
  const { right, left, bottom, top } = toBox(boxOf(element));
  return right - left < 2 || bottom - top < 2 || hasHiddenLook(element);
}

/** Returns true for a transparent field that neither people nor the keyboard reach. */
function hasHiddenLook(element: Element): boolean {
  if (!hasAttribute(element, 'aria-hidden') || localName(element) !== 'input') return false;
  const { opacity, pointerEvents } = styleOf(element);
  return opacity === '0' || pointerEvents === 'none';
}
