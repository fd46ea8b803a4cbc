/** Text length and link density of the elements of a copy. One walk computes them; `remove` keeps them up to date. */
interface ElementTextStats {
  text: number;
  link: number;
}

const NO_TEXT: ElementTextStats = { text: 0, link: 0 };

/** Replaces each run of white space by one space and trims the text. */
export const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns the text of an element in one line. */
export const singleLineText = (element: Element): string => collapseWhitespace(element.textContent ?? '');

/** Text length and link density of `root` and of each element in it. The first question measures all; `remove` keeps them up to date. */
export class TextStats {
  readonly root: Element;
  readonly #stats = new Map<Element, ElementTextStats>();

  constructor(root: Element) {
    this.root = root;
  }

  #measure(element: Element): ElementTextStats {
    const own = { text: 0, link: 0 };
    for (let child = element.firstChild; child !== null; child = child.nextSibling) {
      const type = child.nodeType;
      if (type === 3) own.text += collapsedLength((child as Text).data);
      else if (type === 1) {
        const inner = this.#measure(child as Element);
        own.text += inner.text;
        own.link += inner.link;
      }
    }
    if (element.localName === 'a') own.link = own.text;
    this.#stats.set(element, own);
    return own;
  }

  #statsOf(element: Element): ElementTextStats {
    if (this.#stats.size === 0) this.#measure(this.root);
    return this.#stats.get(element) ?? NO_TEXT;
  }

  /** Returns the number of characters of an element's text; a run of white space counts as one. */
  textLength(element: Element): number {
    return this.#statsOf(element).text;
  }

  linkTextLength(element: Element): number {
    return this.#statsOf(element).link;
  }

  /** Returns the share of an element's text that is in links, from 0 to 1; 0 without text. */
  linkDensity(element: Element): number {
    const { text, link } = this.#statsOf(element);
    return text === 0 ? 0 : link / text;
  }

  /** Returns true if an element is `root` or is still inside it. */
  contains(element: Element): boolean {
    return this.root.contains(element);
  }

  /** Removes an element from the tree and its text from the statistics, unless it is the root or already removed. */
  remove(element: Element): void {
    if (element === this.root || !this.contains(element)) return;
    const removed = this.#statsOf(element);
    for (let at = element.parentNode; at !== null; at = at.parentNode) {
      const own = this.#stats.get(at as Element);
      if (own !== undefined) {
        own.text -= removed.text;
        own.link -= removed.link;
      }
      if (at === this.root) break;
    }
    element.remove();
  }
}

const WHITESPACE_RUN = /\s{2,}/g;

/** Returns the length of a text in which a run of white space counts as one character; 0 if it is nothing else. */
export function collapsedLength(data: string): number {
  if (!/\S/.test(data)) return 0;
  return /\s\s/.test(data) ? data.replace(WHITESPACE_RUN, ' ').length : data.length;
}
