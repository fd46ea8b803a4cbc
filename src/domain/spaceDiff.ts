/** What has changed on a page between two observations of it. */
import type { Action } from './action.ts';

/** The actions of one observation, and the page they were on. */
export interface ObservedActions {
  readonly url: string;
  readonly actions: readonly Action[];
}

export interface SpaceDiff {
  /** As they are now. */
  readonly added: readonly Action[];
  /** As they were. */
  readonly removed: readonly Action[];
  /** Those that say, hold or allow something else now; as they are now. Where they stand does not count. */
  readonly changed: readonly Action[];
}

/**
 * An id belongs to one element for as long as its document lives, so on the same address it tells twins apart. On another
 * address the same id may be another element: only one that means the same counts as still there.
 */
export function spaceDiff(before: ObservedActions, now: ObservedActions): SpaceDiff {
  const samePage = withoutFragment(before.url) === withoutFragment(now.url);
  const key = samePage ? ({ id }: Action) => id : ({ id, fingerprint }: Action) => `${id} ${fingerprint}`;
  const old = new Map(before.actions.map(action => [key(action), action]));
  const present = new Set(now.actions.map(key));
  const added: Action[] = [];
  const changed: Action[] = [];
  for (const action of now.actions) {
    const was = old.get(key(action));
    if (was === undefined) added.push(action);
    else if (comparableState(was) !== comparableState(action)) changed.push(action);
  }
  return { added, removed: before.actions.filter(action => !present.has(key(action))), changed };
}

/** What of an action counts. */
const comparableState = (action: Action): string =>
  JSON.stringify([
    action.description,
    action.category,
    action.status,
    action.value,
    action.checked,
    action.disabled,
    action.expanded,
    action.fingerprint,
    action.params,
  ]);

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? '';
