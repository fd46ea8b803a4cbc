/** A page as a short list of actions. */
import type { Action } from './action.ts';

export const SPACE_CATEGORIES = [
  'homepage',
  'search-results',
  'data-feed',
  'item',
  'auth',
  'form',
  'manage-cookies',
  'payment',
  'captcha',
  'other',
] as const;
export type SpaceCategory = (typeof SPACE_CATEGORIES)[number];

/** A dialog that the page has open (alert, confirm, prompt, beforeunload). The page stands still until it is answered. */
export interface Dialog {
  readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  readonly defaultValue: string | null;
}

export interface Space {
  /** A sentence or two on what the page is and holds. */
  readonly description: string;
  readonly category: SpaceCategory;
  readonly actions: readonly Action[];
  readonly specialActions: readonly Action[];
  readonly browserActions: readonly Action[];
  /** How many actions the page has, listed or not. */
  readonly totalActions: number;
  readonly truncated: boolean;
  readonly dialog: Dialog | null;
}

/** How much to list. */
export interface ListingLimits {
  /** Hard cap. */
  readonly max: number;
  /** If given, listing stops at the first end of a category at or past this count. */
  readonly min: number | null;
}

/**
 * Groups actions by category (groups in order of their first member, members in document order) and cuts the list.
 * @returns the listed actions; fewer than given where a limit cut
 */
export function limitActions(actions: readonly Action[], limits: ListingLimits): readonly Action[] {
  const groups = Map.groupBy(actions, action => action.category);
  const listed: Action[] = [];
  for (const group of groups.values()) {
    for (const action of group) {
      if (listed.length >= limits.max) return listed;
      listed.push(action);
    }
    if (limits.min !== null && listed.length >= limits.min) return listed;
  }
  return listed;
}
