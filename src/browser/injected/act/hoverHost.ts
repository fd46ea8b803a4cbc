import { elementByKey } from '../perceive/elementKeys.ts';
import { listedCandidate } from '../perceive/lastObservation.ts';
import { hoverHostOf, pointOver } from '../perceive/reach/shownOnHover.ts';
import { expectOwnScroll } from '../settle/quiet.ts';

/**
 * Returns the point of the viewport where the pointer must be for the element with this key to be rendered; scrolls there if
 * needed. Null if the element is rendered, or gone.
 */
export function hoverHostPoint(key: number): readonly [number, number] | null {
  const element = elementByKey(key);
  const listed = element === null ? null : listedCandidate(element);
  const host = listed === null ? null : hoverHostOf(listed.candidate);
  if (host === null) return null;
  const point = pointOver(host);
  if (point !== null) return point;
  expectOwnScroll();
  Element.prototype.scrollIntoView.call(host, { block: 'center', inline: 'nearest', behavior: 'instant' });
  return pointOver(host);
}
