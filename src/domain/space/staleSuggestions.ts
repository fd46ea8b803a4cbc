import type { Action } from './action.ts';

/** Role, name and fingerprint of the element of a stale action, as it was last listed. */
export interface StaleTarget {
  readonly role: string | null;
  readonly name: string | null;
  readonly fingerprint: string;
}

/** Same fingerprint, then same name, then a name that shares words in the same role, then the others in their order. */
export function suggestionsFirst(actions: readonly Action[], target: StaleTarget): readonly Action[] {
  return actions
    .map((action, position) => ({ action, place: position, score: similarity(action, target) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .map(({ action }) => action);
}

function similarity(action: Action, target: StaleTarget): number {
  if (action.fingerprint === target.fingerprint) return 4;
  const sameRole = action.role === target.role;
  const name = normalizeName(target.name);
  if (name !== '' && normalizeName(action.name) === name) return sameRole ? 3 : 2;
  return sameRole ? sharedWordRatio(normalizeName(action.name), name) : 0;
}

const normalizeName = (text: string | null): string => (text ?? '').toLowerCase().replace(/\s+/g, ' ').trim();

/** Returns the number of words that two names share, divided by the number of all their words: 0 to 1. */
function sharedWordRatio(one: string, other: string): number {
  const words = new Set(one.split(' ').filter(word => word !== ''));
  const others = new Set(other.split(' ').filter(word => word !== ''));
  const shared = words.intersection(others).size;
  return shared === 0 ? 0 : shared / words.union(others).size;
}
