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
  const texts = Map.groupBy(
    shapes.filter(({ found }) => found.tag === 'text'),
    ({ found }) => drawingOf(found.element),
  );
  const others = Map.groupBy(
    shapes.filter(({ found }) => found.tag !== 'text'),
    ({ found }) => drawingOf(found.element),
  );
  for (const drawn of [...texts.values(), ...others.values()]) {
    const sides = drawn.map(({ placing: { box } }) => Math.max(box.right - box.left, box.bottom - box.top));
    const least = Math.min(...sides);
    const most = Math.max(...sides);
    if (drawn.length < 2 || most < least * TELLING) continue;
    const middle = Math.sqrt(least * most);
    drawn.forEach(({ found }, index) => {
      words.set(found, (sides[index] ?? 0) < middle ? 'small' : 'large');
    });
  }
  return words;
}

function drawingOf(element: Element): Element | null {
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (localName(at) === 'svg') return at;
  return null;
}
