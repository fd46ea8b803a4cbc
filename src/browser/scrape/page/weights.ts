/** How much text, and how much of it in links, each element of a copy holds: one walk, then kept while parts are dropped. */

interface Weight {
  text: number;
  link: number;
}

const NONE: Weight = { text: 0, link: 0 };

/** Runs of white space as one space, none around. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Text of an element in one line. */
export const lineOf = (element: Element): string => oneLine(element.textContent ?? '');

export class Weights {
  readonly root: Element;
  readonly #weights = new Map<Element, Weight>();

  constructor(root: Element) {
    this.root = root;
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const order: Element[] = [root];
    this.#weights.set(root, { text: 0, link: 0 });
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.nodeType === 1) {
        order.push(node as Element);
        this.#weights.set(node as Element, { text: 0, link: 0 });
        continue;
      }
      const own = this.#weights.get(node.parentNode as Element);
      if (own !== undefined) own.text += visibleLength((node as Text).data);
    }
    this.#sumUp(order);
  }

  /** Children come after their parent in `order`: from behind, each is complete when it is added. */
  #sumUp(order: readonly Element[]): void {
    for (let at = order.length - 1; at >= 0; at--) {
      const element = order[at];
      if (element === undefined) continue;
      const own = this.#of(element);
      if (element.localName === 'a') own.link = own.text;
      if (element === this.root) break;
      const parent = this.#of(element.parentNode as Element);
      parent.text += own.text;
      parent.link += own.link;
    }
  }

  #of(element: Element): Weight {
    return this.#weights.get(element) ?? NONE;
  }

  /** Characters of text, runs of white space counted as one. */
  text(element: Element): number {
    return this.#of(element).text;
  }

  /** Characters of text inside links. */
  link(element: Element): number {
    return this.#of(element).link;
  }

  /** Share of the text that is in links, 0 to 1. */
  linkShare(element: Element): number {
    const { text, link } = this.#of(element);
    return text === 0 ? 0 : link / text;
  }

  /** Whether an element is still below the root. */
  has(element: Element): boolean {
    return this.root.contains(element);
  }

  /** Removes an element, unless it is the root or gone already. */
  drop(element: Element): void {
    if (element === this.root || !this.has(element)) return;
    const gone = this.#of(element);
    for (let at = element.parentNode; at !== null; at = at.parentNode) {
      const weight = this.#weights.get(at as Element);
      if (weight !== undefined) {
        weight.text -= gone.text;
        weight.link -= gone.link;
      }
      if (at === this.root) break;
    }
    element.remove();
  }
}

const SPACES = /\s{2,}/g;

function visibleLength(data: string): number {
  if (!/\S/.test(data)) return 0;
  return /\s\s/.test(data) ? data.replace(SPACES, ' ').length : data.length;
}
