/** The difference between two observations of a page. */
import type { Action } from './action.ts';

/** The actions of one observation and the address of its page. */
export interface ObservedActions {
  readonly url: string;
  readonly actions: readonly Action[];
}

/** The actions that differ between two observations of a page. */
export interface SpaceDiff {
  /** New actions, in their current state. */
  readonly added: readonly Action[];
  /** Actions that are gone, in their earlier state. */
  readonly removed: readonly Action[];
  /** Actions whose text, value, state or parameters changed, in their current state. A change of position does not count. */
  readonly changed: readonly Action[];
}

/**
 * Returns the actions that are new, gone or changed in `now`, compared with `before`. At the same URL, an id belongs to the same element in both. At another URL the same id can
 * belong to another element, so an action counts as the same only if its fingerprint is equal too.
 */
export function spaceDiff(before: ObservedActions, now: ObservedActions): SpaceDiff {
  const samePage = withoutFragment(before.url) === withoutFragment(now.url);
  const key = samePage ? ({ id }: Action) => id : ({ id, fingerprint }: Action) => `${id} ${fingerprint}`;
  const earlier = new Map(before.actions.map(action => [key(action), action]));
  const present = new Set(now.actions.map(key));
  const added: Action[] = [];
  const changed: Action[] = [];
  for (const action of now.actions) {
    const previous = earlier.get(key(action));
    if (previous === undefined) added.push(action);
    else if (comparableState(previous) !== comparableState(action)) changed.push(action);
  }
  return { added, removed: before.actions.filter(action => !present.has(key(action))), changed };
}

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
