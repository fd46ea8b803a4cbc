/** Finds the markers of list items, as the browser numbers them (HTML standard, 4.4.8). */

/** The markers of the items of a document's lists. Ask for the items in document order. */
export class ListMarkers {
  /** The number of the next item of each ordered list. */
  readonly #numbers = new Map<Element, number>();

  /** Returns the marker of the next item: `3. ` in an ordered list, otherwise `- `. */
  next(item: Element): string {
    const list = item.parentElement;
    if (list?.localName !== 'ol') return '- ';
    const isReversed = list.hasAttribute('reversed');
    const number =
      integerOf(item, 'value') ??
      this.#numbers.get(list) ??
      integerOf(list, 'start') ??
      (isReversed ? itemCount(list) : 1);
    this.#numbers.set(list, number + (isReversed ? -1 : 1));
    return `${number}. `;
  }
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
