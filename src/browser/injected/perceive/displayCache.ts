/** Caches the computed `display` and visibility of elements for one observation, because several modules read the same text. */

interface DisplayState {
  readonly display: string;
  /** False for an element that is hidden or not rendered. */
  readonly shown: boolean;
}

let cache = new WeakMap<Element, DisplayState>();

/** Empties the cache. Call it at the start of an observation. */
export function clearDisplayCache(): void {
  cache = new WeakMap();
}

/** Returns the computed `display` of an element and whether it is shown, from the cache if possible. */
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
