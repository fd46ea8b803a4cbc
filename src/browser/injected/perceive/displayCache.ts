/** Caches the computed `display` and visibility of elements for one observation, because several modules read the same text. */

export interface DisplayState {
  readonly display: string;
  /** False for an element that is hidden, transparent, of font size 0 or not rendered. */
  readonly shown: boolean;
  readonly color: string;
  /** True if the element is positioned out of the flow, so that it can be far from the elements around it. */
  readonly isOutOfFlow: boolean;
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
  const { display, color, position } = style;
  const shown =
    display !== 'none' &&
    display !== '' &&
    style.visibility === 'visible' &&
    style.opacity !== '0' &&
    style.fontSize !== '0px';
  const isOutOfFlow = position === 'absolute' || position === 'fixed';
  const state = { display, shown, color, isOutOfFlow };
  cache.set(element, state);
  return state;
}
