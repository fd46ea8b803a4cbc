/** The texts of an option of a `select`: as lists tell it, and as a step may name it. */
import {
  characterData,
  closest,
  firstChild,
  getAttribute,
  isElement,
  localName,
  nextSibling,
  nodeType,
  optionLabel,
  parentElement,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { normalizeText } from './plainText.ts';

/** The texts of one option. */
export interface OptionText {
  /** Its name, after that of its group: `Monday: Evening`. */
  readonly name: string;
  /** The name and what is drawn beside it: `Cat (purrs)`. Lists of values contain it. */
  readonly listed: string;
  /** All texts that name the option: also without its group, and the label that the browser makes of its content. */
  readonly names: readonly string[];
}

/** Returns the texts of an option. */
export function optionText(option: HTMLOptionElement): OptionText {
  const label = normalizeText(optionLabel(option));
  const [own = label, ...beside] = drawnParts(option) ?? [label];
  const group = groupOf(option);
  const name = group === '' ? own : `${group}: ${own}`;
  const listed = beside.length === 0 ? name : `${name} (${beside.join(', ')})`;
  return { name, listed, names: [...new Set([listed, name, own, label])] };
}

/** Returns the name of the group of an option; empty if it is in none. */
function groupOf(option: Element): string {
  const group = closest(option, 'optgroup');
  if (group === null) return '';
  const label = normalizeText(getAttribute(group, 'label') ?? '');
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
    const text = part === null ? characterData(node as Text) : partText(part);
    if (continues && isInline) parts.push(`${parts.pop() ?? ''}${text}`);
    else parts.push(text);
    continues = isInline;
  }
  const texts = parts.map(normalizeText).filter(text => text !== '');
  return texts.length === 0 ? null : texts;
}

const partText = (part: Element): string =>
  localName(part) === 'img' ? (getAttribute(part, 'alt') ?? '') : (textContent(part) ?? '');
