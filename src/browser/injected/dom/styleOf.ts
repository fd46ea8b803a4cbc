/** Computed styles, one live object for each element, also for later observations: making one takes longer than reading a property of it. */

/** Maximum number of styles of one kind that are kept; each takes about 150 bytes. */
const MAX_STYLES = 20_000;

type Generated = '::before' | '::after';

class StyleCache {
  readonly #pseudo: Generated | undefined;
  #styles = new WeakMap<Element, CSSStyleDeclaration>();
  #count = 0;

  constructor(pseudo?: Generated) {
    this.#pseudo = pseudo;
  }

  of(element: Element): CSSStyleDeclaration {
    const known = this.#styles.get(element);
    if (known !== undefined) return known;
    const style = getComputedStyle(element, this.#pseudo);
    if (++this.#count > MAX_STYLES) {
      // Elements that have left the document count as well: begin again.
      this.#styles = new WeakMap();
      this.#count = 1;
    }
    this.#styles.set(element, style);
    return style;
  }
}

const styles = new StyleCache();
const generated = { '::before': new StyleCache('::before'), '::after': new StyleCache('::after') };

export const styleOf = (element: Element): CSSStyleDeclaration => styles.of(element);

export const generatedStyleOf = (element: Element, pseudo: Generated): CSSStyleDeclaration =>
  generated[pseudo].of(element);
