/** How elements are displayed, remembered for one observation. */

interface DisplayState {
  readonly display: string;
  readonly shown: boolean;
}

/** One text is read for a name, for a context, for a box around it: how it is displayed is asked once an observation. */
let cache = new WeakMap<Element, DisplayState>();

/** Forgets what the last observation saw. */
export function clearDisplayCache(): void {
  cache = new WeakMap();
}

/** `shown` is false for what is not rendered, or hidden. */
export function displayOf(element: Element): DisplayState {
  const known = cache.get(element);
  if (known !== undefined) return known;
  const style = getComputedStyle(element);
  const { display } = style;
  const seen = { display, shown: display !== 'none' && display !== '' && style.visibility === 'visible' };
  cache.set(element, seen);
  return seen;
}
