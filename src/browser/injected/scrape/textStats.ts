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

/** Text length and link density of `root` and of each element in it. `remove` keeps them up to date. */
export class TextStats {
  readonly root: Element;
  readonly #stats = new Map<Element, ElementTextStats>();

  constructor(root: Element) {
    this.root = root;
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const order: Element[] = [root];
    this.#stats.set(root, { text: 0, link: 0 });
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.nodeType === 1) {
        order.push(node as Element);
        this.#stats.set(node as Element, { text: 0, link: 0 });
        continue;
      }
      const own = this.#stats.get(node.parentNode as Element);
      if (own !== undefined) own.text += collapsedLength((node as Text).data);
    }
    this.#accumulate(order);
  }

  /**
   * Adds the counts of children to their parents. Goes backwards: children are after their parent in `order`, so each
   * is complete before it is added.
   */
  #accumulate(order: readonly Element[]): void {
    for (let at = order.length - 1; at >= 0; at--) {
      const element = order[at];
      if (element === undefined) continue;
      const own = this.#statsOf(element);
      if (element.localName === 'a') own.link = own.text;
      if (element === this.root) break;
      const parent = this.#statsOf(element.parentNode as Element);
      parent.text += own.text;
      parent.link += own.link;
    }
  }

  #statsOf(element: Element): ElementTextStats {
    return this.#stats.get(element) ?? NO_TEXT;
  }

  /** Returns the number of characters of an element's text; a run of white space counts as one. */
  textLength(element: Element): number {
    return this.#statsOf(element).text;
  }

  /** Returns the number of characters of an element's text that are in links. */
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

function collapsedLength(data: string): number {
  if (!/\S/.test(data)) return 0;
  return /\s\s/.test(data) ? data.replace(WHITESPACE_RUN, ' ').length : data.length;
}
