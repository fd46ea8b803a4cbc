/** Makes the line by which an agent selects an element: kind, name, state, and text that distinguishes it from similar elements. */
import { clientHeight, getAttribute, scrollHeight, scrollTop, selectOptions } from '../../dom/domGetters.ts';
import type { Candidate } from '../candidate.ts';
import { optionText } from '../element/optionText.ts';
import { normalizeText, quote, tellingTexts, truncate } from '../element/plainText.ts';
import type { ElementState } from '../elementState.ts';
import type { ElementName } from './elementName.ts';

/** Maximum length of a value or a placeholder in the description of an element. Characters. */
const MAX_QUOTED_LENGTH = 60;

/**
 * Returns the description by which an agent selects an element: its kind, name and state, and the distinction.
 * @param distinction text that distinguishes the element from elements with the same description; empty if none is needed
 * @example `textbox "Name", value "Ada", required, in "Billing address"`
 */
export function describeElement(
  candidate: Candidate,
  name: ElementName,
  state: ElementState,
  distinction: string,
  disabled: boolean,
): string {
  const { text, kindNoun } = name;
  let line = kindNoun;
  if (text !== '' && !kindNoun.endsWith(text))
    line += name.isHint && text === name.color ? ` ${text}` : ` ${quote(text)}`;
  if (name.symbolMeaning !== undefined) line += ` ${quote(name.symbolMeaning)}`;
  if (state.value !== null && state.value !== '')
    line += `, value ${quote(shownValue(candidate.element, state.value))}`;
  if (state.checked !== null) line += state.checked ? ', checked' : ', not checked';
  if (state.expanded !== null) line += state.expanded ? ', expanded' : ', collapsed';
  for (const word of state.words) line += `, ${word}`;
  if (candidate.gesture !== null) line += `, ${candidate.gesture}`;
  if (candidate.tag === 'textarea') line += ', multiline';
  if (disabled) line += ', disabled';
  const placeholder =
    candidate.letter === 'I' ? normalizeText(getAttribute(candidate.element, 'placeholder') ?? '') : '';
  if (placeholder !== '' && placeholder !== text && !state.value)
    line += `, placeholder ${quote(truncate(placeholder, MAX_QUOTED_LENGTH))}`;
  if (candidate.basis === 'scroll' || candidate.tag === 'textarea') line += scrollState(candidate.element);
  return distinction === '' ? line : `${line}, ${distinction}`;
}

/** Returns a value as the line shows it. That of a list of choices that begin alike keeps the part in which it differs from the others. */
function shownValue(element: Element, value: string): string {
  if (value.length <= MAX_QUOTED_LENGTH) return value;
  const choices =
    element instanceof HTMLSelectElement
      ? Array.from(selectOptions(element), option => optionText(option).name)
      : [];
  const shown = tellingTexts(choices, MAX_QUOTED_LENGTH, MAX_QUOTED_LENGTH);
  return shown.get(value) ?? truncate(value, MAX_QUOTED_LENGTH);
}

function scrollState(element: Element): string {
  const above = Math.round(scrollTop(element));
  const below = Math.round(scrollHeight(element) - clientHeight(element) - scrollTop(element));
  if (above <= 0 && below <= 0) return '';
  return above <= 0 ? ', at the top' : below <= 1 ? ', at the end' : ', part way';
}
