/** When an action is stale: what on the fresh list most likely is what was meant. */
import type { Action } from './action.ts';

/** What the stale action was. */
export interface Meant {
  readonly role: string | null;
  readonly name: string | null;
  readonly fingerprint: string;
}

/**
 * The actions with the likeliest first: the same meaning, then the same name, then a name that shares words in the same
 * role. All others keep their order behind them.
 */
export function candidatesFirst(actions: readonly Action[], meant: Meant): readonly Action[] {
  return actions
    .map((action, place) => ({ action, place, score: likeness(action, meant) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .map(({ action }) => action);
}

function likeness(action: Action, meant: Meant): number {
  if (action.fingerprint === meant.fingerprint) return 4;
  const sameRole = action.role === meant.role;
  const name = fold(meant.name);
  if (name !== '' && fold(action.name) === name) return sameRole ? 3 : 2;
  return sameRole ? sharedWords(fold(action.name), name) : 0;
}

const fold = (text: string | null): string => (text ?? '').toLowerCase().replace(/\s+/g, ' ').trim();

/** Share of words that two names have in common, from 0 to 1. */
function sharedWords(one: string, other: string): number {
  const words = new Set(one.split(' ').filter(word => word !== ''));
  const others = new Set(other.split(' ').filter(word => word !== ''));
  const shared = words.intersection(others).size;
  return shared === 0 ? 0 : shared / words.union(others).size;
}
