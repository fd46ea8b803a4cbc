/** Finds fields that the page or the browser calls invalid, and what they say about it. */
import { elementById, getAttribute, matches } from '../dom/domGetters.ts';
import { normalizeText } from '../perceive/element/plainText.ts';
import { contentText } from '../perceive/element/renderedText.ts';
import { stepInput } from '../settle/stepInput.ts';

/** An invalid field and the text that says why. */
export interface InvalidField {
  readonly element: Element;
  readonly text: string;
}

/** Maximum number of ids that are read from one attribute. */
const MAX_IDS = 5;

/** Fields for which the browser has shown its own message, because the page or the user tried to submit them. */
const reported = new WeakSet<Element>();

/** Remembers the fields for which the browser shows its own message. Call it once for each document. */
export function watchInvalidFields(): void {
  addEventListener(
    'invalid',
    event => {
      if (event.target instanceof Element) reported.add(event.target);
    },
    { capture: true },
  );
}

/** Returns the fields among these elements that are invalid and say why, in their order. */
export const readInvalidFields = (fields: readonly Element[]): InvalidField[] =>
  fields.map(element => ({ element, text: invalidText(element) })).filter(({ text }) => text !== '');

function invalidText(element: Element): string {
  const state = getAttribute(element, 'aria-invalid');
  const isMarked = state !== null && state !== '' && state !== 'false';
  const own = ownMessage(element);
  if (!isMarked && own === '') return '';
  return referencedText(element, 'aria-errormessage') || referencedText(element, 'aria-describedby') || own;
}

/** Returns the message of the browser for an invalid field; empty while the browser does not show it. */
function ownMessage(element: Element): string {
  if (!('validity' in element && 'validationMessage' in element)) return '';
  const { validity, validationMessage } = element as HTMLInputElement;
  if (validity.valid) {
    reported.delete(element);
    return '';
  }
  // The value that a step has entered is complete, though the focus has not left the field.
  const isEntered = stepInput()?.kind === 'text' && stepInput()?.element === element;
  return isEntered || reported.has(element) || matches(element, ':user-invalid')
    ? normalizeText(validationMessage)
    : '';
}

function referencedText(element: Element, attribute: string): string {
  const ids = (getAttribute(element, attribute) ?? '').split(/\s+/).filter(id => id !== '');
  const texts = ids.slice(0, MAX_IDS).map(id => {
    const other = elementById(element, id);
    return other === null ? '' : contentText(other, false);
  });
  return normalizeText(texts.join(' '));
}
