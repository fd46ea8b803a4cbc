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
export function withoutRepeatedLinks(listed: readonly ListedCandidate[]): readonly ListedCandidate[] {
  const targets = listed.map(targetOf);
  const named = new Set<string>();
  const sameLinks = new Map<string, ListedCandidate[]>();
  let hints = 0;
  listed.forEach((one, index) => {
    const target = targets[index];
    if (target == null) return;
    if (one.name.isHint) hints++;
    else named.add(target);
    const key = `${target} ${one.name.text}`;
    const same = sameLinks.get(key);
    if (same === undefined) sameLinks.set(key, [one]);
    else same.push(one);
  });
  const dropped = new Set<ListedCandidate>();
  for (const same of sameLinks.values()) {
    if (same.length < 2 || same.length > MAX_REPEATS) continue;
    const kept = same.find(isPressable) ?? same[0];
    for (const one of same) if (one !== kept) dropped.add(one);
  }
  if (dropped.size + hints === 0) return listed;
  return listed.filter((one, index) => {
    const target = targets[index];
    return !dropped.has(one) && !(target != null && one.name.isHint && named.has(target));
  });
}

const isPressable = ({ reachability: { status } }: ListedCandidate): boolean => status === 'valid';

/** Returns the section and the target of a link; null for other elements and for links that scripts handle. */
function targetOf({ candidate, category }: ListedCandidate): string | null {
  if (candidate.letter !== 'L') return null;
  const address = getAttribute(candidate.element, 'href');
  return address === null || SCRIPTED.test(address) ? null : `${category} ${address}`;
}
