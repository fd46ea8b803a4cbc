/** Removes links that a person would count as one: same text, same target, same section. */
import { getAttribute } from '../dom/domGetters.ts';
import type { ListedCandidate } from './lastObservation.ts';

/** A link that occurs more often than this is not repeated for another look or size: it is a mark of many entries. */
const MAX_REPEATS = 8;
/** Addresses of links that only scripts handle: two of them can do different things. */
const SCRIPTED = /^(#|javascript:|$)/i;

/**
 * Returns the list with one link for each text, target and section; the picture of a card without a text of its own goes
 * if a link with a text has the same target. Of links that are repeated, one that can be pressed stays.
 */
export function withoutRepeatedLinks(listed: readonly ListedCandidate[]): ListedCandidate[] {
  const links = listed.filter(one => targetOf(one) !== null);
  const named = new Set(links.filter(({ name }) => !name.isHint).map(targetOf));
  const dropped = new Set<ListedCandidate>();
  for (const same of Map.groupBy(links, one => `${targetOf(one)} ${one.name.text}`).values()) {
    if (same.length < 2 || same.length > MAX_REPEATS) continue;
    const kept = same.find(isPressable) ?? same[0];
    for (const one of same) if (one !== kept) dropped.add(one);
  }
  const isRepeated = (one: ListedCandidate): boolean => {
    if (dropped.has(one)) return true;
    const target = one.name.isHint ? targetOf(one) : null;
    return target !== null && named.has(target);
  };
  return listed.filter(one => !isRepeated(one));
}

const isPressable = ({ reachability: { status } }: ListedCandidate): boolean => status === 'valid';

/** Returns the section and the target of a link; null for other elements and for links that scripts handle. */
function targetOf({ candidate, category }: ListedCandidate): string | null {
  if (candidate.letter !== 'L') return null;
  const address = getAttribute(candidate.element, 'href');
  return address === null || SCRIPTED.test(address) ? null : `${category} ${address}`;
}
