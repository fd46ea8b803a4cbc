/** Finds the markers of list items, as the browser numbers them (HTML standard, 4.4.8). */

/** The markers of the items of a document's lists. Ask for the items in document order. */
export class ListMarkers {
  /** The number of the next item of each ordered list. */
  readonly #numbers = new Map<Element, number>();

  /** Returns the marker of the next item: `3. ` in an ordered list, otherwise `- `. */
  next(item: Element): string {
    const list = item.parentElement;
    if (list?.localName !== 'ol') return '- ';
    const number = integerOf(item, 'value') ?? this.#numbers.get(list) ?? firstNumber(list);
    this.#numbers.set(list, number + (list.hasAttribute('reversed') ? -1 : 1));
    return `${number}. `;
  }
}

/** Returns the number with which an ordered list begins, unless its first item has a value. */
const firstNumber = (list: Element): number =>
  integerOf(list, 'start') ?? (list.hasAttribute('reversed') ? itemCount(list) : 1);

/** Returns the number of the first item of an ordered list. */
export function startOf(list: Element): number {
  const first = list.querySelector(':scope > li');
  return (first === null ? null : integerOf(first, 'value')) ?? firstNumber(list);
}

/** Returns the integer in an attribute; null if there is none. */
function integerOf(element: Element, attribute: string): number | null {
  const number = Number.parseInt(element.getAttribute(attribute) ?? '', 10);
  return Number.isNaN(number) ? null : number;
}

function itemCount(list: Element): number {
  let count = 0;
  for (let child = list.firstElementChild; child !== null; child = child.nextElementSibling)
    if (child.localName === 'li') count++;
  return count;
}
