import { ofClassName } from '../../dom/classNames.ts';
import {
  attributeText,
  checkVisibility,
  closest,
  composedParent,
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
import { reading, remembered } from '../../dom/lifetimes.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { statedTraits } from './customElement.ts';
import { normalizeText } from './plainText.ts';

export interface OptionText {
  /** Its name, after that of its group: `Monday: Evening`. */
  readonly name: string;
  /** The name and what is drawn beside it: `Cat (purrs)`. Lists of values contain it. */
  readonly listed: string;
  /** All texts that name the option: also without its group, and the label that the browser makes of its content. */
  readonly names: readonly string[];
}

export function optionText(option: HTMLOptionElement): OptionText {
  const label = normalizeText(option.label);
  const [own = label, ...beside] = drawnParts(option) ?? [label];
  const group = groupOf(option);
  const name = group === '' ? own : `${group}: ${own}`;
  const listed = beside.length === 0 ? name : `${name} (${beside.join(', ')})`;
  return { name, listed, names: [...new Set([listed, name, own, label])] };
}

function groupOf(option: Element): string {
  const group = closest(option, 'optgroup');
  if (group === null) return '';
  const label = attributeText(group, 'label');
  const legend = label === '' ? queryIn(group, 'legend') : null;
  return legend === null ? label : normalizeText(textContent(legend) ?? '');
}

/** Returns the texts of the parts that a customizable `select` draws apart in an option; null for an option that is one text. */
function drawnParts(option: Element): readonly string[] | null {
  if (getAttribute(option, 'label') || parentElement(option) === null) return null;
  const select = closest(option, 'select');
  if (select === null || styleOf(select).getPropertyValue('appearance') !== 'base-select') return null;
  const apart = /flex|grid/.test(styleOf(option).display);
  const parts: string[] = [];
  let continues = false;
  for (let node: Node | null = firstChild(option); node !== null; node = nextSibling(node)) {
    const part = isElement(node) ? node : null;
    if (part === null && nodeType(node) !== Node.TEXT_NODE) continue;
    const display = part === null ? 'inline' : styleOf(part).display;
    if (display === 'none' || (part !== null && getAttribute(part, 'aria-hidden') === 'true')) continue;
    const isInline = part === null || (!apart && /^(inline|contents)$/.test(display));
    const text = part === null ? (node as Text).data : partText(part);
    if (continues && isInline) parts.push(`${parts.pop() ?? ''}${text}`);
    else parts.push(text);
    continues = isInline;
  }
  const texts = parts.map(normalizeText).filter(text => text !== '');
  return texts.length === 0 ? null : texts;
}

const partText = (part: Element): string =>
  localName(part) === 'img' ? (getAttribute(part, 'alt') ?? '') : (textContent(part) ?? '');

/** A range input that takes no keys: a library writes into it, for screen readers, what the handle around it holds. */
const STATED = 'input[type=range][tabindex="-1"]';

/** Returns the element that states the value and the range of a slider: an input that its handle keeps for it, else the slider itself. */
export const sliderSource = (slider: Element): Element => queryIn(slider, STATED) ?? slider;

export const hasSliderSource = (slider: Element): boolean => queryIn(slider, STATED) !== null;

/** The getter of `HTMLElement.editContext` (W3C EditContext API); undefined in a browser without it. */
const editContext = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'editContext')?.get;

/** Returns true for an element with an `EditContext`: it gets keys as an editable element does, and a script draws its text. */
export const hasEditContext = (element: Element): boolean =>
  element instanceof HTMLElement && (editContext?.call(element) ?? null) !== null;

/** Returns the rendered elements in a box that match, in document order, as they were when asked for first in this reading. */
export const renderedIn = (box: Element, selector: string): readonly Element[] =>
  remembered(foundBy(rendered(), selector), box, () =>
    Array.from(queryAllIn(box, selector)).filter(element => checkVisibility(element)),
  );

/** Returns the number of elements in a box that match, as it was when it was asked for first in this reading. */
export const countIn = (box: Element, selector: string): number =>
  remembered(foundBy(counts(), selector), box, () => queryAllIn(box, selector).length);

const counts = reading.value(() => new Map<string, WeakMap<Element, number>>());
const rendered = reading.value(() => new Map<string, WeakMap<Element, readonly Element[]>>());

function foundBy<T>(found: Map<string, WeakMap<Element, T>>, selector: string): WeakMap<Element, T> {
  const known = found.get(selector) ?? new WeakMap<Element, T>();
  found.set(selector, known);
  return known;
}

/** Types of the inputs whose values a picker of the browser sets. */
export const PICKED = /^(?:color|date|datetime-local|month|time|week)$/;
/** Since Chromium 133. */
const knowsOpen = CSS.supports('selector(:open)');

/** Returns true for an input whose picker the page has opened (`showPicker`, `click()`); the input itself can be hidden. */
export const isOpenPicker = (element: Element): boolean =>
  element instanceof HTMLInputElement && PICKED.test(element.type) && knowsOpen && matches(element, ':open');

/** Returns true if the browser, ARIA, or a class of a widget library (with the cursor) says that an element is disabled. */
export function isDisabled(element: Element, tag: string): boolean {
  if (/^(button|input|select|textarea|option|fieldset)$/.test(tag) && matches(element, ':disabled'))
    return true;
  if (isMarkedDisabled(element) || (tag.includes('-') && statedTraits(element)?.disabled === true))
    return true;
  const parent = composedParent(element);
  return parent !== null && localName(parent) === 'li' && isMarkedDisabled(parent);
}

const marksDisabled = ofClassName(className => /(?:^|[\s_-])disabled(?:\s|$)/i.test(className));

function isMarkedDisabled(element: Element): boolean {
  if (getAttribute(element, 'aria-disabled') === 'true') return true;
  const classes = getAttribute(element, 'class');
  if (classes === null) return false;
  if (/(^|\s)(ui-state-disabled|ui-datepicker-unselectable)(\s|$)/.test(classes)) return true;
  // Libraries without ARIA say it by a class of their own (`t-is-disabled`); the cursor tells that it is meant for presses.
  return marksDisabled(classes) && /^(?:not-allowed|no-drop)$/.test(styleOf(element).cursor);
}
