/** Distinguishes SVG shapes by `small` and `large`, if their sizes fall into two classes. */

import { composedParent, localName } from '../../dom/domGetters.ts';
import type { Candidate } from '../candidate.ts';
import { isShape } from '../element/svgShape.ts';
import type { Reachability } from './reachability.ts';

/** Minimum ratio between the largest and the smallest shape of a drawing; below it, all count as one size. */
const MIN_SIZE_RATIO = 1.4;

/** Returns `small` or `large` for each shape of a drawing with two sizes; other candidates are not in the map. */
export function shapeSizes(
  listed: ReadonlyArray<{ readonly candidate: Candidate; readonly reachability: Reachability }>,
): ReadonlyMap<Candidate, string> {
  const sizes = new Map<Candidate, string>();
  const shapes = listed.filter(({ candidate }) => isShape(candidate.tag) && candidate.tag !== 'line');
  for (const drawing of Map.groupBy(shapes, ({ candidate }) => svgRoot(candidate.element)).values()) {
    const kinds = [
      drawing.filter(({ candidate }) => candidate.tag === 'text'),
      drawing.filter(({ candidate }) => candidate.tag !== 'text'),
    ];
    const thresholds = kinds.map(kind => sizeThreshold(kind.map(longerSide)));
    kinds.forEach((kind, index) => {
      // A kind with a single size is compared with the threshold of the other kind.
      const threshold = thresholds[index] ?? thresholds[1 - index] ?? null;
      if (threshold !== null)
        for (const one of kind) sizes.set(one.candidate, longerSide(one) < threshold ? 'small' : 'large');
    });
  }
  return sizes;
}

/**
 * Returns the size that separates small from large: the geometric mean of the smallest and the largest size. Null when
 * the sizes do not fall into two classes.
 */
function sizeThreshold(sides: readonly number[]): number | null {
  const min = Math.min(...sides);
  const max = Math.max(...sides);
  return sides.length < 2 || max < min * MIN_SIZE_RATIO ? null : Math.sqrt(min * max);
}

const longerSide = ({ reachability: { box } }: { readonly reachability: Reachability }): number =>
  Math.max(box.right - box.left, box.bottom - box.top);

function svgRoot(element: Element): Element | null {
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (localName(at) === 'svg') return at;
  return null;
}
