/** The line that an agent chooses by: what it is, its name, its state, and what tells it from its like. */

import {
  clientHeight,
  getAttribute,
  inputType,
  labelsOf,
  scrollHeight,
  scrollTop,
} from '../dom/domGetters.ts';
import { accessibleName, visibleText } from './accessibleName.ts';
import { INTERACTIVE_ROLES } from './ariaRole.ts';
import type { Candidate } from './candidate.ts';
import type { ElementState } from './elementState.ts';
import { adjacentText, nameHint, regionHint, shapeColor, shapeDescription, symbolHint } from './nameHint.ts';
import { normalizeText, quote, truncate } from './plainText.ts';
import { isShape } from './svgShape.ts';
import { firstTitleIn } from './titleIndex.ts';

/** What an element is called. */
export interface ElementNaming {
  /** Accessible name or text, verbatim; else the best hint. */
  readonly name: string;
  /** The name is a hint, not said by the page. */
  readonly isHint: boolean;
  /** What of the name belongs to the element's meaning. */
  readonly stem: string;
  /** The colour, which is named when nothing else tells it from its like. */
  readonly color: string;
  /** What it is, in a word or two. */
  readonly word: string;
  /** What a name without any letter (`+`, `×`, `▾`) stands for, as far as the markup says it. */
  readonly symbolMeaning?: string;
}

const SYMBOLS_ONLY = /^[^\p{L}\p{N}]{1,3}$/u;

/** Names longer than this are cut: a whole card may be one link. */
const MAX_NAME_LENGTH = 160;
const MAX_BOX_NAME_LENGTH = 100;
const MAX_REGION_NAME_LENGTH = 40;

export function nameCandidate(found: Candidate, generated: boolean): ElementNaming {
  const { element, tag } = found;
  const word = kindNoun(found);
  const said = truncate(
    pageGivenName(found, generated),
    found.basis === 'control' ? MAX_NAME_LENGTH : MAX_BOX_NAME_LENGTH,
  );
  if (said !== '') {
    const sense = SYMBOLS_ONLY.test(said) && found.letter !== 'I' && !isShape(tag) ? symbolHint(element) : '';
    return {
      name: said,
      isHint: false,
      stem: said,
      color: '',
      word,
      ...(sense !== '' && { symbolMeaning: sense }),
    };
  }
  if (isShape(tag)) {
    const words = truncate(nameHint(found).stem, MAX_NAME_LENGTH);
    const look = truncate(shapeDescription(element, tag, found.style), MAX_NAME_LENGTH);
    return words === ''
      ? { name: look, isHint: true, stem: tag, color: '', word }
      : { name: words, isHint: false, stem: words, color: '', word };
  }
  const hint = found.basis === 'scroll' ? { stem: regionHint(element), look: '' } : nameHint(found);
  const stem = truncate(hint.stem, MAX_NAME_LENGTH);
  const look = truncate(hint.look, MAX_NAME_LENGTH);
  return { name: stem || look, isHint: true, stem, color: look, word };
}

function pageGivenName(found: Candidate, generated: boolean): string {
  const { element, tag, basis } = found;
  if (basis === 'scroll') return regionName(element);
  const name = accessibleName(element, tag, generated);
  if (name !== '' || found.letter === 'I' || found.control === 'canvas') {
    const named = name !== '' && name !== normalizeText(getAttribute(element, 'placeholder') ?? '');
    if (named || found.letter !== 'I' || found.control === 'slider') return name;
    return labelsOf(element).length > 0 || found.control === 'contenteditable'
      ? name
      : adjacentText(element, found.control === 'checkbox' || found.control === 'radio', name !== '') || name;
  }
  return visibleText(element);
}

/** What a region is called; not the words in it, which belong to what can be pressed there. */
function regionName(element: Element): string {
  const label = normalizeText(getAttribute(element, 'aria-label') ?? '');
  if (label !== '') return label;
  const title = firstTitleIn(element);
  return title === null ? '' : truncate(visibleText(title), MAX_REGION_NAME_LENGTH);
}

function kindNoun(found: Candidate): string {
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
  if (role !== null && INTERACTIVE_ROLES.has(role))
    return role === 'combobox' && tag !== 'select' ? 'combobox' : role;
  if (control === 'select') return role ?? 'combobox';
  if (basis === 'scroll') return 'scrollable region';
  if (basis === 'drag') return kindNounOfShape(found, 'draggable');
  if (basis === 'target') return kindNounOfShape(found, 'drop target');
  if (basis === 'hover') return kindNounOfShape(found, 'hoverable');
  return kindNounOfShape(found, 'clickable');
}

/** `clickable red circle`: for a drawn shape its look is what it is. */
function kindNounOfShape(found: Candidate, word: string): string {
  const { element, tag, style } = found;
  if (!isShape(tag)) return word;
  const color = shapeColor(element, tag, style);
  // Most texts of drawings are black because nothing was said of it.
  const unsaid = color === 'black' && getAttribute(element, 'fill') === null;
  if (tag === 'text') return color === null || unsaid ? `${word} text` : `${word} ${color} text`;
  return `${word} ${shapeDescription(element, tag, style)}`;
}

/** @param distinction what tells it from its like, as far as that is needed; empty if nothing is */
export function describeElement(
  found: Candidate,
  naming: ElementNaming,
  state: ElementState,
  distinction: string,
  disabled: boolean,
): string {
  const { name, word } = naming;
  let line = word;
  if (name !== '' && !word.endsWith(name)) line += naming.isHint ? ` ${name}` : ` ${quote(name)}`;
  if (naming.symbolMeaning !== undefined) line += ` ${naming.symbolMeaning}`;
  if (state.value !== null && state.value !== '') line += `, value ${quote(truncate(state.value, 60))}`;
  if (state.checked !== null) line += state.checked ? ', checked' : ', not checked';
  if (state.expanded !== null) line += state.expanded ? ', expanded' : ', collapsed';
  for (const extra of state.words) line += `, ${extra}`;
  if (found.tag === 'textarea') line += ', multiline';
  if (disabled) line += ', disabled';
  const placeholder =
    found.letter === 'I' ? normalizeText(getAttribute(found.element, 'placeholder') ?? '') : '';
  if (placeholder !== '' && placeholder !== name && !state.value)
    line += `, placeholder ${quote(truncate(placeholder, 60))}`;
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
export function fingerprintOf(found: Candidate, naming: ElementNaming): string {
  const { element, tag } = found;
  const type = element instanceof HTMLInputElement ? inputType(element) : found.control;
  const target =
    found.letter === 'L' ? (getAttribute(element, 'href') ?? '') : (getAttribute(element, 'name') ?? '');
  return [found.role ?? '', naming.stem, tag, type, truncate(target, 120)].join('|');
}
