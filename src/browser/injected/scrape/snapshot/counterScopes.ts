/** Counts the counters of style sheets (`counter-increment`) as browsers do: https://drafts.csswg.org/css-lists-3/#auto-numbering */
import * as dom from '../../dom/domGetters.ts';

/** A counter in its scope: the children of `parent` from the element on that created it, and their descendants. */
interface Counter {
  readonly parent: Element | null;
  value: number;
}

/** The counters of a page while its elements are visited in document order. */
export class CounterScopes {
  readonly #counters = new Map<string, Counter[]>();

  /**
   * Applies the counter properties of an element or pseudo-element.
   * @param parent the parent of the element; for a pseudo-element, its element
   */
  count(parent: Element | null, style: CSSStyleDeclaration): void {
    for (const [name, value] of changesOf(style.counterReset)) {
      const stack = this.#inScope(name, parent);
      if (stack.at(-1)?.parent === parent && stack.length > 0) stack.pop();
      stack.push({ parent, value });
    }
    for (const [name, by] of changesOf(style.counterIncrement)) this.#counter(name, parent).value += by;
    for (const [name, value] of changesOf(style.counterSet)) this.#counter(name, parent).value = value;
  }

  /**
   * Returns the text of a counter in an element's pseudo-element; null for a bullet. A format that is not in `FORMATS` is read as decimal.
   * @param separator joins the values of the counter and of those around it; null for the innermost alone
   * @param format the name of a counter style; undefined for decimal
   */
  text(element: Element, name: string, separator: string | null, format = 'decimal'): string | null {
    // The browser itself counts the items of lists.
    if (BULLETS.test(format) || name === 'list-item') return null;
    const write = FORMATS[format] ?? String;
    const values = this.#inScope(name, element).map(({ value }) => write(value));
    return separator === null ? (values.at(-1) ?? write(0)) : values.join(separator);
  }

  #counter(name: string, parent: Element | null): Counter {
    const stack = this.#inScope(name, parent);
    const last = stack.at(-1);
    if (last !== undefined) return last;
    const counter = { parent, value: 0 };
    stack.push(counter);
    return counter;
  }

  #inScope(name: string, parent: Element | null): Counter[] {
    const stack = this.#counters.get(name) ?? [];
    this.#counters.set(name, stack);
    for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
      if (last.parent === null || (parent !== null && dom.contains(last.parent, parent))) break;
      stack.pop();
    }
    return stack;
  }
}

/** Returns the names and numbers of a computed counter property: `none`, `step 1 part 0`. */
const changesOf = (property: string): readonly (readonly [name: string, value: number])[] =>
  Array.from(property.matchAll(/([^\s()]+)\)? (-?\d+)/g), ([, name = '', value]) => [name, Number(value)]);

const letters = (value: number, first: string): string => {
  if (value < 1) return String(value);
  let text = '';
  for (let left = value; left > 0; left = Math.floor((left - 1) / 26))
    text = String.fromCharCode(first.charCodeAt(0) + ((left - 1) % 26)) + text;
  return text;
};

const ROMAN = 'm1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1'.split(' ');
const MAX_ROMAN = 3_999;

function roman(value: number): string {
  if (value < 1 || value > MAX_ROMAN) return String(value);
  let text = '';
  let left = value;
  for (const one of ROMAN) {
    const worth = Number(one.replace(/\D/g, ''));
    for (; left >= worth; left -= worth) text += one.replace(/\d/g, '');
  }
  return text;
}

const BULLETS = /^(?:none|disc|circle|square|disclosure-\w+)$/;
const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  'decimal-leading-zero': value => String(value).padStart(2, '0'),
  'lower-alpha': value => letters(value, 'a'),
  'lower-latin': value => letters(value, 'a'),
  'upper-alpha': value => letters(value, 'A'),
  'upper-latin': value => letters(value, 'A'),
  'lower-roman': roman,
  'upper-roman': value => roman(value).toUpperCase(),
};
