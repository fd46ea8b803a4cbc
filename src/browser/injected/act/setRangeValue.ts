/** Sets an input of type range without focusing it, after a press on its thumb. */
import { elementByKey } from '../perceive/elementKeys.ts';

/** Sets the value and reports it to the page, as the end of a drag does. Does nothing if the input has left the document. */
export function setRangeValue(key: number, value: string): void {
  const input = elementByKey(key);
  if (!(input instanceof HTMLInputElement)) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  for (const type of ['input', 'change'])
    EventTarget.prototype.dispatchEvent.call(input, new Event(type, { bubbles: true, composed: true }));
}
