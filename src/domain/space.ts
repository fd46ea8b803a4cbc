/** A space: the description of a page as a list of actions. */
import type { Action } from './action.ts';

/** All categories of pages. */
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
/** The category of a page. */
export type SpaceCategory = (typeof SPACE_CATEGORIES)[number];

/** An open JavaScript dialog. The page is blocked until the dialog is answered. */
export interface Dialog {
  readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  readonly defaultValue: string | null;
}

/** The actions on a page, with a short description of the page. */
export interface Space {
  /** One or two sentences about the page and its content. */
  readonly description: string;
  readonly category: SpaceCategory;
  readonly actions: readonly Action[];
  readonly specialActions: readonly Action[];
  readonly browserActions: readonly Action[];
  /** Number of actions on the page, listed or not. */
  readonly totalActions: number;
  /** True if a limit cut the list. */
  readonly truncated: boolean;
  readonly dialog: Dialog | null;
}

/** Limits on the number of actions to list. */
export interface ListingLimits {
  /** Maximum number of actions. */
  readonly max: number;
  /** Stop after the category in which this count is reached; null for no such limit. */
  readonly min: number | null;
}

/**
 * Groups actions by category and applies the limits. Groups are in the order of their first action, and actions of a group
 * in document order.
 * @returns the listed actions
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
