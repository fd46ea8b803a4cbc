/** Computed `display` and visibility of elements, cached for one observation: one text is read for several purposes. */

interface DisplayState {
  readonly display: string;
  /** False for an element that is not rendered, or hidden. */
  readonly shown: boolean;
}

let cache = new WeakMap<Element, DisplayState>();

/** Call it at the start of an observation. */
export function clearDisplayCache(): void {
  cache = new WeakMap();
}

/** The computed display of an element, from the cache if it was read in this observation. */
export function displayOf(element: Element): DisplayState {
  const known = cache.get(element);
  if (known !== undefined) return known;
  const style = getComputedStyle(element);
  const { display } = style;
  const shown = display !== 'none' && display !== '' && style.visibility === 'visible';
  const state = { display, shown };
  cache.set(element, state);
  return state;
}
