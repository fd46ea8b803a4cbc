/** Caches the computed styles of elements for one observation, because several modules read the same ones. */
import { styleOf } from '../../dom/styleOf.ts';
import { clearSeen } from './isSeen.ts';

/** The computed style of an element, as far as names need it. Each part is read when it is asked for the first time. */
export class DisplayState {
  readonly #style: CSSStyleDeclaration;
  #display: string | undefined;
  #position: string | undefined;
  #shown: boolean | undefined;
  #showsText: boolean | undefined;
  #color: string | undefined;

  constructor(style: CSSStyleDeclaration) {
    this.#style = style;
  }

  get display(): string {
    this.#display ??= this.#style.display;
    return this.#display;
  }

  get position(): string {
    this.#position ??= this.#style.position;
    return this.#position;
  }

  /** False for an element that is hidden, transparent or not rendered. */
  get shown(): boolean {
    this.#shown ??=
      this.display !== 'none' &&
      this.display !== '' &&
      this.#style.visibility === 'visible' &&
      this.#style.opacity !== '0';
    return this.#shown;
  }

  /** False if the element's own text has the font size 0; the elements in it can have another. */
  get showsText(): boolean {
    this.#showsText ??= this.#style.fontSize !== '0px';
    return this.#showsText;
  }

  get color(): string {
    this.#color ??= this.#style.color;
    return this.#color;
  }

  /** True if the element is positioned out of the flow, so that it can be far from the elements around it. */
  get isOutOfFlow(): boolean {
    return this.position === 'absolute' || this.position === 'fixed';
  }
}

let cache = new WeakMap<Element, DisplayState>();

/** Empties the cache, and that of what people see. Call it at the start of an observation. */
export function clearDisplayCache(): void {
  cache = new WeakMap();
  clearSeen();
}

/** Returns the computed `display` of an element and whether it is shown, from the cache if possible. */
export function displayOf(element: Element): DisplayState {
  const known = cache.get(element);
  if (known !== undefined) return known;
  const state = new DisplayState(styleOf(element));
  cache.set(element, state);
  return state;
}
