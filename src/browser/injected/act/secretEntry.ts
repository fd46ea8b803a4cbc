/** Remembers what is entered into secret fields, and which other fields receive it. */
import { activeElementOf, isElement, shadowActiveElement } from '../dom/domGetters.ts';
import { isSecretField, markSecretField, noteSecretValue } from '../dom/secretFields.ts';
import { stepNumber } from '../settle/stepInput.ts';

/** The step that enters a secret; -1 before the first. */
let secretStep = -1;

/** Starts to remember. Call it once for each document. */
export function watchSecretEntry(): void {
  const note = (event: Event): void => {
    const [element] = event.composedPath();
    if (!(element instanceof Node) || !isElement(element)) return;
    // The page has moved the focus to another field while a secret was typed.
    const receivesSecret = event.type === 'input' && event.isTrusted && secretStep === stepNumber();
    if (receivesSecret && !isSecretField(element)) markSecretField(element);
    if (isSecretField(element)) noteSecretValue(element);
  };
  // Before the page reacts: it may change the type of the field then.
  for (const type of ['focusin', 'input', 'focusout'])
    addEventListener(type, note, { capture: true, passive: true });
}

/** Says that the present step enters text into this field. Returns true if that is a secret. */
export function beginSecretEntry(field: Element): boolean {
  const isSecret = isSecretField(field);
  if (isSecret) secretStep = stepNumber();
  return isSecret;
}

/** Returns true if the text that the present step types goes into a secret field, also in a frame of this site. */
export function beginSecretTyping(): boolean {
  let active = activeElementOf(document);
  for (let inner = active; inner !== null; inner = innerFocus(inner)) active = inner;
  return active !== null && beginSecretEntry(active);
}

function innerFocus(element: Element): Element | null {
  const frame = element instanceof HTMLIFrameElement ? element.contentDocument : null;
  return frame === null ? shadowActiveElement(element) : activeElementOf(frame);
}
