/** Removes links that a person would count as one: same text, same target, same section. */
import { getAttribute } from '../../dom/domGetters.ts';
import type { ListedCandidate } from '../lastObservation.ts';

/** A link that occurs more often than this is not repeated for another look or size: it is a mark of many entries. */
const MAX_REPEATS = 8;
/** Addresses of links that only scripts handle: two of them can do different things. */
const SCRIPTED = /^(#|javascript:|$)/i;

/**
 * Returns the list with one link for each text, target and section; the picture of a card without a text of its own goes
 * if a link with a text has the same target. Of links that are repeated, one that can be pressed stays.
 */
export function withoutRepeatedLinks(listed: readonly ListedCandidate[]): readonly ListedCandidate[] {
  const byTarget = new Map<string, ListedCandidate[]>();
  for (const one of listed) {
    const target = targetOf(one);
    if (target === null) continue;
    const same = byTarget.get(target);
    if (same === undefined) byTarget.set(target, [one]);
    else same.push(one);
  }
  const dropped = new Set<ListedCandidate>();
  for (const links of byTarget.values())
    if (links.length > 1)
      for (const same of Map.groupBy(links, ({ category }) => category).values()) dropRepeats(same, dropped);
  return dropped.size === 0 ? listed : listed.filter(one => !dropped.has(one));
}

/** Adds to `dropped` what is repeated among the links of one section with one target. */
function dropRepeats(links: readonly ListedCandidate[], dropped: Set<ListedCandidate>): void {
  if (links.length < 2) return;
  for (const same of Map.groupBy(links, ({ name }) => name.text).values()) {
    if (same.length < 2 || same.length > MAX_REPEATS) continue;
    const kept = same.find(isPressable) ?? same[0];
    for (const one of same) if (one !== kept) dropped.add(one);
  }
  if (links.some(({ name }) => !name.isHint)) for (const one of links) if (one.name.isHint) dropped.add(one);
}

const isPressable = ({ reachability: { status } }: ListedCandidate): boolean => status === 'valid';

/** Returns the target of a link; null for other elements and for links that scripts handle. */
function targetOf({ candidate }: ListedCandidate): string | null {
  if (candidate.letter !== 'L') return null;
  const address = getAttribute(candidate.element, 'href');
  return address === null || SCRIPTED.test(address) ? null : address;
}
