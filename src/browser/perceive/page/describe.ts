/** The line that an agent chooses by: what it is, its name, its state, and what tells it from its like. */
import type { Found } from './found.ts';
import { hintFor, regionHint, shapeColor, shapeLook, signWords, textBeside } from './hint.ts';
import { accessibleName, visibleText } from './name.ts';
import { clientHeight, getAttribute, inputType, labelsOf, scrollHeight, scrollTop } from './native.ts';
import { ACTED_ON } from './roles.ts';
import { isShape } from './shape.ts';
import type { State } from './state.ts';
import { cut, fold, quoted } from './text.ts';
import { titleIn } from './titles.ts';

/** What an element is called. */
export interface Naming {
  /** Accessible name or text, verbatim; else the best hint. */
  readonly name: string;
  /** The name is a hint, not said by the page. */
  readonly hinted: boolean;
  /** What of the name belongs to the element's meaning. */
  readonly stem: string;
  /** The colour, which is named when nothing else tells it from its like. */
  readonly look: string;
  /** What it is, in a word or two. */
  readonly word: string;
  /** What a name without any letter (`+`, `×`, `▾`) stands for, as far as the markup says it. */
  readonly sense?: string;
}

const SIGNS_ONLY = /^[^\p{L}\p{N}]{1,3}$/u;

/** Names longer than this are cut: a whole card may be one link. */
const MOST_NAME = 160;
const MOST_BOX_NAME = 100;
const MOST_REGION_NAME = 40;

export function nameFound(found: Found, generated: boolean): Naming {
  const { element, tag } = found;
  const word = wordFor(found);
  const said = cut(saidName(found, generated), found.basis === 'control' ? MOST_NAME : MOST_BOX_NAME);
  if (said !== '') {
    const sense = SIGNS_ONLY.test(said) && found.letter !== 'I' && !isShape(tag) ? signWords(element) : '';
    return { name: said, hinted: false, stem: said, look: '', word, ...(sense !== '' && { sense }) };
  }
  if (isShape(tag)) {
    const words = cut(hintFor(found).stem, MOST_NAME);
    const look = cut(shapeLook(element, tag, found.style), MOST_NAME);
    return words === ''
      ? { name: look, hinted: true, stem: tag, look: '', word }
      : { name: words, hinted: false, stem: words, look: '', word };
  }
  const hint = found.basis === 'scroll' ? { stem: regionHint(element), look: '' } : hintFor(found);
  const stem = cut(hint.stem, MOST_NAME);
  const look = cut(hint.look, MOST_NAME);
  return { name: stem || look, hinted: true, stem, look, word };
}

function saidName(found: Found, generated: boolean): string {
  const { element, tag, basis } = found;
  if (basis === 'scroll') return regionName(element);
  const name = accessibleName(element, tag, generated);
  if (name !== '' || found.letter === 'I' || found.control === 'canvas') {
    const named = name !== '' && name !== fold(getAttribute(element, 'placeholder') ?? '');
    if (named || found.letter !== 'I' || found.control === 'slider') return name;
    return labelsOf(element).length > 0 || found.control === 'contenteditable'
      ? name
      : textBeside(element, found.control === 'checkbox' || found.control === 'radio', name !== '') || name;
  }
  return visibleText(element);
}

/** What a region is called; not the words in it, which belong to what can be pressed there. */
function regionName(element: Element): string {
  const label = fold(getAttribute(element, 'aria-label') ?? '');
  if (label !== '') return label;
  const title = titleIn(element);
  return title === null ? '' : cut(visibleText(title), MOST_REGION_NAME);
}

function wordFor(found: Found): string {
  const { element, tag, role, basis, control } = found;
  switch (control) {
    case 'canvas':
      return tag === 'svg' ? 'drawing' : 'canvas';
    case 'contenteditable':
      return 'text editor';
    case 'file':
    case 'color':
    case 'date':
    case 'time':
    case 'month':
    case 'week':
      return `${control} field`;
    case 'datetime':
      return 'date and time field';
    case 'number':
      return 'number field';
    case 'text':
      return element instanceof HTMLInputElement && inputType(element) === 'password'
        ? 'password field'
        : (role ?? 'textbox');
    case 'slider':
      return role === 'spinbutton' ? role : 'slider';
    default:
  }
  if (tag === 'video' || tag === 'audio') return `${tag} player`;
  if (role !== null && ACTED_ON.has(role)) return role === 'combobox' && tag !== 'select' ? 'combobox' : role;
  if (control === 'select') return role ?? 'combobox';
  if (basis === 'scroll') return 'scrollable region';
  if (basis === 'drag') return shapePart(found, 'draggable');
  if (basis === 'target') return shapePart(found, 'drop target');
  if (basis === 'hover') return shapePart(found, 'hoverable');
  return shapePart(found, 'clickable');
}

/** `clickable red circle`: for a drawn shape its look is what it is. */
function shapePart(found: Found, word: string): string {
  const { element, tag, style } = found;
  if (!isShape(tag)) return word;
  const color = shapeColor(element, tag, style);
  // Most texts of drawings are black because nothing was said of it.
  const unsaid = color === 'black' && getAttribute(element, 'fill') === null;
  if (tag === 'text') return color === null || unsaid ? `${word} text` : `${word} ${color} text`;
  return `${word} ${shapeLook(element, tag, style)}`;
}

/** @param distinction what tells it from its like, as far as that is needed; empty if nothing is */
export function describe(
  found: Found,
  naming: Naming,
  state: State,
  distinction: string,
  disabled: boolean,
): string {
  const { name, word } = naming;
  let line = word;
  if (name !== '' && !word.endsWith(name)) line += naming.hinted ? ` ${name}` : ` ${quoted(name)}`;
  if (naming.sense !== undefined) line += ` ${naming.sense}`;
  if (state.value !== null && state.value !== '') line += `, value ${quoted(cut(state.value, 60))}`;
  if (state.checked !== null) line += state.checked ? ', checked' : ', not checked';
  if (state.expanded !== null) line += state.expanded ? ', expanded' : ', collapsed';
  for (const extra of state.words) line += `, ${extra}`;
  if (found.tag === 'textarea') line += ', multiline';
  if (disabled) line += ', disabled';
  const placeholder = found.letter === 'I' ? fold(getAttribute(found.element, 'placeholder') ?? '') : '';
  if (placeholder !== '' && placeholder !== name && !state.value)
    line += `, placeholder ${quoted(cut(placeholder, 60))}`;
  if (found.basis === 'scroll' || found.tag === 'textarea') line += scrollState(found.element);
  return distinction === '' ? line : `${line}, ${distinction}`;
}

function scrollState(element: Element): string {
  const above = Math.round(scrollTop(element));
  const below = Math.round(scrollHeight(element) - clientHeight(element) - scrollTop(element));
  if (above <= 0 && below <= 0) return '';
  return above <= 0 ? ', at the top' : below <= 1 ? ', at the end' : ', part way';
}

/** What an element means, whatever its state: role, name, kind, target. Two elements may share it. */
export function fingerprintOf(found: Found, naming: Naming): string {
  const { element, tag } = found;
  const type = element instanceof HTMLInputElement ? inputType(element) : found.control;
  const target =
    found.letter === 'L' ? (getAttribute(element, 'href') ?? '') : (getAttribute(element, 'name') ?? '');
  return [found.role ?? '', naming.stem, tag, type, cut(target, 120)].join('|');
}
