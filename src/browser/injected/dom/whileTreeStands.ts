/** Remembers what depends only on the tree of the document, so that the next list of an unchanged page does not search it again. */
import { documentState } from './lifetimes.ts';

const tree = documentState.value(() => ({ known: new Map<string, unknown>(), isWatched: false }));

/** Says that the tree of the document is watched from now on: each change of it calls `forgetTree`. */
export function treeIsWatched(): void {
  tree().isWatched = true;
}

export function forgetTree(): void {
  tree().known.clear();
}

/** The value of this key since the tree has changed last. `compute` reads no styles, no positions, and no states that have no attribute. */
export function whileTreeStands<T>(key: string, compute: () => T): T {
  const { known, isWatched } = tree();
  // Safe: each key has one kind of value.
  const before = known.get(key) as T | undefined;
  if (before !== undefined) return before;
  const value = compute();
  if (isWatched) known.set(key, value);
  return value;
}
