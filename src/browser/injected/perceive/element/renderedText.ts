/** Extracts the text of an element's content: for its accessible name, or as a person reads it. */

import {
  closest,
  contains,
  firstChild,
  getAttribute,
  isElement,
  localName,
  matches,
  nextSibling,
  nodeType,
  parentElement,
  queryAllIn,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { listing, observation, remembered } from '../../dom/lifetimes.ts';
import { isSecretField } from '../../dom/secretFields.ts';
import { generatedStyleOf, styleOf } from '../../dom/styleOf.ts';
import { BUTTONS, FIELDS, UNREAD_TAGS } from '../../dom/vocabulary.ts';
import { optionText } from './fields.ts';
import { normalizeText } from './plainText.ts';
import { hasShadowTrees, shadowRootOf } from './shadowRootOf.ts';
import { type DisplayState, displayOf, isPartSeen } from './visibility.ts';

const CONTROL_ROLES = /^(?:button|checkbox|switch|radio|menuitemcheckbox|menuitemradio)$/;

/** Returns true for a button or a box to tick, and for the label of a field. */
export function isInnerControl(element: Element, tag: string): boolean {
  if (tag === 'button') return true;
  if (tag === 'label') return element instanceof HTMLLabelElement && element.control !== null;
  const role = getAttribute(element, 'role');
  return role !== null && CONTROL_ROLES.test(role);
}

/** Returns the value that a control inside a label contributes to a name (step 2C of the name computation). */
export function embeddedValue(element: Element): string {
  if (isSecretField(element)) return '';
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLSelectElement)
    return Array.from(element.options)
      .filter(option => option.selected)
      .map(option => optionText(option).name)
      .join(' ');
  if (!(element instanceof HTMLInputElement)) return '';
  return /^(checkbox|radio|file|hidden|image|color)$/.test(element.type) ? '' : element.value;
}

const SKIPPED_TAGS: ReadonlySet<string> = new Set([...UNREAD_TAGS, 'head', 'meta', 'link']);
const NESTED_ENTRIES = '[role=group], [role=treeitem]';
const INLINE_DISPLAY = /^(inline|contents|ruby)$/;

/** Maximum number of nodes to read for one text: longer texts are cut anyway, and a hostile page must not cost more time. */
const MAX_NODES = 400;
/** Reading of one text stops at about this many characters. */
const MAX_CHARACTERS = 1_000;

/** How one text is read. */
interface TextOptions {
  /** True to read the text that style rules generate (`::before`, `::after`). */
  readonly generatesText: boolean;
  /** True to read the values of embedded controls (step 2C of the name computation). */
  readonly includesValues: boolean;
  /** An element whose content is skipped; null for none. */
  readonly except: Element | null;
  /** The element whose text is read. Parts of it that people cannot see are skipped; null to read them too. */
  readonly seenIn: Element | null;
  /** True for an entry of a tree, whose name is without the entries below it. */
  readonly isEntry: boolean;
  /** True to read an element that is not rendered. */
  readonly inHidden: boolean;
  /** The parts that are skipped, because they are named by themselves: controls and their labels, or buttons; null for nothing. */
  readonly skips: 'controls' | 'buttons' | null;
  /** True to read the technical names of icons. */
  readonly readsIcons: boolean;
  /** True to read no text but what is painted: neither labels nor the alternative texts of pictures. */
  readonly isPainted: boolean;
  readonly maxCharacters: number;
}

interface Traversal extends TextOptions {
  nodes: number;
  /** Characters that were read. */
  length: number;
  /** True if a part was skipped because people cannot see it, or because it is the technical name of an icon. */
  hasSkipped: boolean;
}

function readText(element: Element, options: Partial<TextOptions>): string {
  const traversal: Traversal = {
    ...{
      nodes: 0,
      length: 0,
      hasSkipped: false,
      readsIcons: false,
      generatesText: false,
      includesValues: false,
    },
    ...{
      except: null,
      skips: null,
      seenIn: element,
      maxCharacters: MAX_CHARACTERS,
      isEntry: false,
      inHidden: false,
      isPainted: false,
    },
    ...options,
  };
  const text = normalizeText(childrenText(element, traversal));
  if (text !== '' || !traversal.hasSkipped || traversal.isPainted) return text;
  // A text that people do not see (that of an icon) is still the only name that the page gives.
  const seenIn = traversal.includesValues ? null : element;
  return normalizeText(
    childrenText(element, { ...traversal, nodes: 0, length: 0, seenIn, readsIcons: true }),
  );
}

/**
 * Returns the text that an element's content contributes to a name (step 2F of the name computation): without hidden
 * parts, with the alternative text of images and the values of controls, and with a space where a block begins or ends.
 * @param evenHidden true to read the element also when it is hidden: a hidden label still gives a name
 * @param evenUnseen true to read also the parts that people cannot see
 */
export const contentText = (
  element: Element,
  generatesText: boolean,
  except: Element | null = null,
  evenHidden = false,
  evenUnseen = false,
): string =>
  readText(element, {
    generatesText,
    except,
    includesValues: true,
    seenIn: evenUnseen ? null : element,
    isEntry: getAttribute(element, 'role') === 'treeitem',
    inHidden: evenHidden && styleOf(element).display === 'none',
  });

export const textBesideControls = (element: Element, generatesText: boolean): string =>
  readText(element, {
    generatesText,
    includesValues: true,
    skips: 'controls',
    isEntry: getAttribute(element, 'role') === 'treeitem',
  });

/** The whole visible texts that were read while a list is made, by their maximum length. */
const textsRead = listing.value(() => new Map<number, Map<Element, string>>());

/** Returns the text that people see, without values. @param except left out, and then other controls too @param maxCharacters where reading stops */
export function visibleText(
  element: Element,
  except: Element | null = null,
  maxCharacters = MAX_CHARACTERS,
): string {
  if (!listing.isOpen || except !== null) return readVisibleText(element, except, maxCharacters);
  const texts = remembered(textsRead(), maxCharacters, () => new Map<Element, string>());
  return remembered(texts, element, () => readVisibleText(element, null, maxCharacters));
}

/** Returns the visible text of an element without the controls in it, which are listed, but a button at its start; with them if it has no other words. */
export function wordsBesideControls(element: Element, maxCharacters: number): string {
  const field = queryIn(element, FIELDS);
  const button = field === null ? queryIn(element, BUTTONS) : null;
  const own = visibleText(element, field ?? button, maxCharacters);
  if (button === null) return own;
  const whole = visibleText(element, null, maxCharacters);
  const first = visibleText(button, null, maxCharacters);
  if (!WORD.test(own)) return whole;
  return WORD.test(first) && whole.startsWith(first) ? `${first} ${own}` : own;
}

/** Returns the visible text of an element without the buttons in it; with them if it has no other words. */
export function wordsBesideButtons(element: Element, maxCharacters: number): string {
  if (queryIn(element, BUTTONS) === null) return visibleText(element, null, maxCharacters);
  const own = readText(element, { skips: 'buttons', maxCharacters });
  return WORD.test(own) ? own : visibleText(element, null, maxCharacters);
}

const WORD = /[\p{L}\p{N}]/u;

const readVisibleText = (element: Element, except: Element | null, maxCharacters: number): string =>
  readText(element, { except, skips: except === null ? null : 'controls', maxCharacters });

/** Returns the text that is painted in an element: without values, labels and the alternative texts of pictures. */
export const paintedText = (element: Element, skips: 'controls' | null = null): string =>
  readText(element, { isPainted: true, skips });

export function childText(element: Element, tag: string, generatesText: boolean): string {
  const child = queryIn(element, `:scope > ${tag}`);
  return child === null ? '' : contentText(child, generatesText, null, true);
}

function childrenText(element: Element, traversal: Traversal): string {
  const generatesText = traversal.generatesText && mayGenerateText(element);
  let text = generatesText ? generatedText(element, '::before', traversal) : '';
  const root = shadowRootOf(element);
  if (root !== null) text += nodesText(firstChild(root), element, traversal);
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes({ flatten: true });
    if (assigned.length > 0) {
      for (const node of assigned) text += nodeText(node, element, traversal);
      return text;
    }
  }
  if (root === null) text += nodesText(firstChild(element), element, traversal);
  return generatesText ? text + generatedText(element, '::after', traversal) : text;
}

/** @param around the element whose style the text has */
function nodesText(first: Node | null, around: Element, traversal: Traversal): string {
  let text = '';
  for (let node = first; node !== null; node = nextSibling(node)) {
    if (traversal.nodes > MAX_NODES || traversal.length > traversal.maxCharacters) break;
    text += nodeText(node, around, traversal);
  }
  return text;
}

function nodeText(node: Node, around: Element, traversal: Traversal): string {
  traversal.nodes++;
  const type = nodeType(node);
  if (type === Node.TEXT_NODE) {
    const { data } = node as CharacterData;
    if (!traversal.inHidden && traversal.seenIn !== null && !displayOf(around).showsText) {
      traversal.hasSkipped ||= /\S/.test(data);
      return '';
    }
    traversal.length += data.length;
    return data;
  }
  if (type !== Node.ELEMENT_NODE || !isElement(node) || node === traversal.except) return '';
  const tag = localName(node);
  if (SKIPPED_TAGS.has(tag)) return '';
  if (traversal.isEntry && matches(node, NESTED_ENTRIES)) return '';
  // The text around an element does not include the buttons beside it.
  if (tag === 'button' && traversal.except !== null) return '';
  if (tag === 'br') return ' ';
  if (traversal.skips === 'controls' && isInnerControl(node, tag)) return ' ';
  if (traversal.skips === 'buttons' && matches(node, BUTTONS)) return ' ';
  const state = displayOf(node);
  if (!traversal.inHidden && !state.shown) return '';
  if (getAttribute(node, 'aria-hidden') === 'true') return '';
  const { display } = state;
  if (!traversal.inHidden && isUnseen(node, state, traversal.seenIn)) {
    traversal.hasSkipped = true;
    return '';
  }
  const text = elementText(node, tag, traversal);
  return INLINE_DISPLAY.test(display) ? text : ` ${text} `;
}

/** Returns true for a part whose color or position hides it from people. Parts that look like the rest are not measured. */
function isUnseen(part: Element, state: DisplayState, root: Element | null): boolean {
  if (root === null || (state.color === displayOf(root).color && !state.isOutOfFlow)) return false;
  return !isPartSeen(part, root);
}

function elementText(element: Element, tag: string, traversal: Traversal): string {
  if (tag === 'input' || tag === 'textarea' || tag === 'select')
    return traversal.includesValues ? embeddedValue(element) : '';
  if (traversal.isPainted) return tag === 'title' || tag === 'desc' ? '' : childrenText(element, traversal);
  const labelled = getAttribute(element, 'aria-label');
  const label = labelled === null ? '' : normalizeText(labelled);
  if (label !== '' && !traversal.readsIcons && isIconName(element, label)) {
    traversal.hasSkipped = true;
    return '';
  }
  if (label !== '') return label;
  if (tag === 'img') return ` ${getAttribute(element, 'alt') ?? getAttribute(element, 'title') ?? ''} `;
  if (tag === 'svg') {
    const title = childText(element, 'title', false);
    if (title !== '') return title;
  }
  const text = childrenText(element, traversal);
  return normalizeText(text) === '' ? (getAttribute(element, 'title') ?? '') : text;
}

/** Returns true for the label of an icon that is only the icon's name in its library, as its class repeats it: `caret-down`. */
const isIconName = (element: Element, label: string): boolean =>
  getAttribute(element, 'role') === 'img' &&
  `${getAttribute(element, 'class') ?? ''} `.includes(`-${label} `);

/** The style rules of the document. `selector` matches the elements for which they generate text; null if it is not known. */
const generators = observation.value(() => ({ selector: null as string | null }));

/** Sets the selector of the elements for which style rules of the document generate text; null if it is not known. */
export function setGenerators(selector: string | null): void {
  generators().selector = selector;
}

/** Returns true if style rules may generate text in an element. Shadow trees have rules of their own. */
function mayGenerateText(element: Element): boolean {
  const { selector } = generators();
  return selector === null || hasShadowTrees() || matches(element, selector);
}

/** Matches the word that an icon font draws as an icon: `checkbox_md`. */
const ICON_LIGATURE = /^[a-z]+(?:_[a-z\d]+)+$/;

/** Matches a glyph beside words that says nothing: an arrow, an empty box, star or circle, a sign of mathematics, that of an icon font. */
const GLYPH =
  /^[\p{Sm}\p{Co}\p{Pi}\p{Pf}\p{Mn}•·\u2190-\u21ff\u25b2-\u25c5\u2794\u2798-\u27be\u27f0-\u27ff\u2900-\u297f\u2b00-\u2b11☐□▢◻◽○◯⬜⚪☆]+$/u;
/** Matches a glyph that draws a thing as chosen: a tick, a full star or circle. */
const TICK = /^[✓✔✅☑☒✗✘●◉★⬤■▣◼\p{Mn}]+$/u;
/** Matches the marks that style rules draw beside the label of a field. */
const MARK = /^[*:：]+$/;
/** Matches a sign before which a number has another meaning. */
const SIGN = /^[+\u2212±<>~≈≤≥]$/u;

/** Returns true for a glyph that a style rule draws beside the text of an element and that is no part of its name. */
function isBesideName(element: Element, glyph: string): boolean {
  if (SIGN.test(glyph)) return !/^\s*\p{Sc}?\d/u.test(textContent(element) ?? '');
  if (GLYPH.test(glyph) || MARK.test(glyph)) return true;
  if (!TICK.test(glyph)) return false;
  // The list has the state of a field and of a box to tick.
  const around = closest(element, 'label, [aria-checked]');
  return around !== null && (!(around instanceof HTMLLabelElement) || around.control !== null);
}

/** Returns the text that a style rule generates; of glyphs beside the name only if the element has no other text. */
function generatedText(element: Element, pseudo: '::before' | '::after', traversal: Traversal): string {
  const style = generatedStyleOf(element, pseudo);
  const { content } = style;
  // Most elements have `none` or `normal`.
  const text = content.charAt(0) === '"' ? /^"((?:[^"\\]|\\.)*)"/.exec(content)?.[1] : undefined;
  if (text === undefined || ICON_LIGATURE.test(text)) return '';
  // Each property read costs as much as the style: most elements generate no text.
  const { display, position } = style;
  const generated = text.replace(/\\(.)/g, '$1');
  if (!traversal.readsIcons && isBesideName(element, generated.trim())) {
    traversal.hasSkipped = true;
    return '';
  }
  const isApart = position === 'absolute' || position === 'fixed' || !INLINE_DISPLAY.test(display);
  return isApart ? ` ${generated} ` : generated;
}

/** The open list of a list of choices, which some keep inside of themselves. */
const POPUP = '[role=listbox], [role=dialog], [role=menu], [role=tree], [role=grid]';

/** Returns the text that a drawn list of choices shows as chosen: its text without its open list. */
export const comboboxText = (element: Element): string => contentText(element, false, popupIn(element));

/** Matches the arrow that a list of choices draws after what is chosen. */
const ARROW = /\s*[▾▿▼▽⌄˅⏷]$/u;

/** Returns what is chosen in a list of choices, without the controls in it and the arrow after it. One without a field can show it by a control. */
export function chosenText(list: Element): string {
  const chosen = readText(list, { except: popupIn(list), includesValues: true, skips: 'controls' });
  const isField = chosen !== '' || queryIn(list, FIELDS) !== null;
  return (isField ? chosen : comboboxText(list)).replace(ARROW, '');
}

/** Returns the open list inside; null if there is none. Some show what is chosen in a list too: that one stands before the open list. */
function popupIn(element: Element): Element | null {
  const popups = Array.from(queryAllIn(element, POPUP)).filter(
    popup => !isInPopup(parentElement(popup), element),
  );
  return popups.at(-1) ?? null;
}

function isInPopup(at: Element | null, list: Element): boolean {
  const around = at === null ? null : closest(at, POPUP);
  return around !== null && around !== list && contains(list, around);
}
