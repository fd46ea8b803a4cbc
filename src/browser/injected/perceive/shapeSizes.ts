/** `small` and `large` among drawn shapes, where the sizes fall into two classes. */

import { composedParent, localName } from '../dom/domGetters.ts';
import type { Candidate } from './candidate.ts';
import type { Reachability } from './reachability.ts';
import { isShape } from './svgShape.ts';

/** The largest must be this many times the smallest. */
const MIN_SIZE_RATIO = 1.4;

/** @returns the size word of each shape that has one */
export function shapeSizes(
  listed: ReadonlyArray<{ readonly found: Candidate; readonly placing: Reachability }>,
): ReadonlyMap<Candidate, string> {
  const words = new Map<Candidate, string>();
  const shapes = listed.filter(({ found }) => isShape(found.tag) && found.tag !== 'line');
  for (const drawn of Map.groupBy(shapes, ({ found }) => svgRoot(found.element)).values()) {
    const kinds = [
      drawn.filter(({ found }) => found.tag === 'text'),
      drawn.filter(({ found }) => found.tag !== 'text'),
    ];
    const middles = kinds.map(kind => sizeThreshold(kind.map(longerSide)));
    kinds.forEach((kind, index) => {
      // Where one kind has one size only, the other tells which of the two it is.
      const middle = middles[index] ?? middles[1 - index] ?? null;
      if (middle !== null)
        for (const one of kind) words.set(one.found, longerSide(one) < middle ? 'small' : 'large');
    });
  }
  return words;
}

/** Between the small and the large; null where the sizes do not fall apart. */
function sizeThreshold(sides: readonly number[]): number | null {
  const least = Math.min(...sides);
  const most = Math.max(...sides);
  return sides.length < 2 || most < least * MIN_SIZE_RATIO ? null : Math.sqrt(least * most);
}

const longerSide = ({ placing: { box } }: { readonly placing: Reachability }): number =>
  Math.max(box.right - box.left, box.bottom - box.top);

function svgRoot(element: Element): Element | null {
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (localName(at) === 'svg') return at;
  return null;
}
