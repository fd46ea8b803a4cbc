/** `small` and `large` among drawn shapes, where the sizes fall into two classes. */
import type { Found } from './found.ts';
import { composedParent, localName } from './native.ts';
import type { Placing } from './placing.ts';
import { isShape } from './shape.ts';

/** The largest must be this many times the smallest. */
const TELLING = 1.4;

/** @returns the size word of each shape that has one */
export function markSizes(
  listed: ReadonlyArray<{ readonly found: Found; readonly placing: Placing }>,
): ReadonlyMap<Found, string> {
  const words = new Map<Found, string>();
  const shapes = listed.filter(({ found }) => isShape(found.tag) && found.tag !== 'line');
  for (const drawn of Map.groupBy(shapes, ({ found }) => drawingOf(found.element)).values()) {
    const kinds = [
      drawn.filter(({ found }) => found.tag === 'text'),
      drawn.filter(({ found }) => found.tag !== 'text'),
    ];
    const middles = kinds.map(kind => middleOf(kind.map(sideOf)));
    kinds.forEach((kind, index) => {
      // Where one kind has one size only, the other tells which of the two it is.
      const middle = middles[index] ?? middles[1 - index] ?? null;
      if (middle !== null)
        for (const one of kind) words.set(one.found, sideOf(one) < middle ? 'small' : 'large');
    });
  }
  return words;
}

/** Between the small and the large; null where the sizes do not fall apart. */
function middleOf(sides: readonly number[]): number | null {
  const least = Math.min(...sides);
  const most = Math.max(...sides);
  return sides.length < 2 || most < least * TELLING ? null : Math.sqrt(least * most);
}

const sideOf = ({ placing: { box } }: { readonly placing: Placing }): number =>
  Math.max(box.right - box.left, box.bottom - box.top);

function drawingOf(element: Element): Element | null {
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (localName(at) === 'svg') return at;
  return null;
}
