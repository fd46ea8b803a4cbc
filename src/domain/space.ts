/** A space: the list of actions on a page. */
import type { Action } from './action.ts';
import type { PageMessage } from './pageMessage.ts';

/** All categories into which the service sorts pages. */
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
/** The category of a page: what the page is for. */
export type SpaceCategory = (typeof SPACE_CATEGORIES)[number];

/** An open JavaScript dialog. The page is blocked until the dialog is answered. */
export interface Dialog {
  readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  readonly defaultValue: string | null;
}

/** A space: the list of actions on a page, with a short description of the page. */
export interface Space {
  /** One or two sentences about the page and its content. */
  readonly description: string;
  readonly category: SpaceCategory;
  /** Actions on elements of the page: links, buttons, inputs. */
  readonly actions: readonly Action[];
  /** Actions that are the same on every page, such as going to an address or back. */
  readonly specialActions: readonly Action[];
  /** Actions of the browser that apply now, such as scrolling or switching tabs. */
  readonly browserActions: readonly Action[];
  /** Number of actions on elements of the page, listed or not. */
  readonly totalActions: number;
  /** True if `actions` leaves out actions because of a limit. */
  readonly truncated: boolean;
  readonly dialog: Dialog | null;
  /** What the page says, in the order of reading. */
  readonly messages: readonly PageMessage[];
}

/** Limits on the number of actions to list. */
export interface ListingLimits {
  /** Maximum number of actions to list. */
  readonly max: number;
  /** The list ends after the category in which it reaches this number of actions; null for no such limit. */
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
