/** A space: the list of actions on a page. */
import type { Action } from './action.ts';
import type { ConsoleErrors } from './consoleErrors.ts';
import type { PageMessage } from './pageMessage.ts';
import type { PageTextBlock } from './pageTextBlock.ts';
import type { Pending } from './pending.ts';
import type { StartedDownload } from './startedDownload.ts';

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

/** The parts of a space that every answer tells, also one that describes only a difference. */
export interface SpaceState {
  readonly dialog: Dialog | null;
  /** Unfinished work of the page. */
  readonly pending: Pending;
  /** The downloads that the last operation has started. */
  readonly downloads: readonly StartedDownload[];
  /** The errors of the console that the step has caused; absent for none, and after other operations. */
  readonly console?: ConsoleErrors;
}

/** A space: the list of actions on a page, with a short description of the page. */
export interface Space extends SpaceState {
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
  /** The limit on the size of the list, in estimated tokens; absent for none. */
  readonly maxTokens?: number;
  /** Number of actions below an open dialog or a veil that the request selects, listed or not; absent for 0. */
  readonly belowDialog?: number;
  /** The messages of the page, in the order of reading. */
  readonly messages: readonly PageMessage[];
  /** The text of the page between the actions, in document order; absent unless requested. */
  readonly textBlocks?: readonly PageTextBlock[];
}

/** Limits on the number of actions to list. */
export interface ListingLimits {
  /** Maximum number of actions to list. */
  readonly max: number;
  /** The list ends after the category in which it reaches this number of actions; null for no such limit. */
  readonly min: number | null;
  /** True to read the text of the page too. The actions are then in document order, not grouped by category. */
  readonly text?: boolean;
}

/**
 * Orders actions and applies the limits. The actions of an open dialog or menu stand first and those below a dialog last; within
 * each of the three, actions are grouped by category: groups are in the order of their first action, and actions of a group in
 * document order; see `sectionsOf`. When `max` cuts the list, the actions below a dialog go first, and those in fixed boxes stay longest.
 * @returns the listed actions
 */
export function limitActions(actions: readonly Action[], limits: ListingLimits): readonly Action[] {
  const ordered = untilEnoughCategories(orderActions(actions, limits.text === true), limits.min);
  return keptActions(ordered, limits.max);
}

/** Returns at most `max` actions in their order, without those that a limit cuts first. */
export function keptActions<One extends Action>(actions: readonly One[], max: number): readonly One[] {
  if (actions.length <= max) return actions;
  const kept = new Set(actions.toSorted((a, b) => keepingRank(a) - keepingRank(b)).slice(0, max));
  return actions.filter(action => kept.has(action));
}

/** The layers in the order in which their actions are kept. */
const KEEPING_ORDER: ReadonlyArray<Action['layer']> = ['top', 'fixed', undefined, 'below'];

/** Within a layer, what is in the window is kept before the rest: the buttons of a dialog below its scrolled list. */
const keepingRank = ({ layer, inViewport }: Action): number =>
  KEEPING_ORDER.indexOf(layer) * 2 + (inViewport ? 0 : 1);

const partOf = (layer: Action['layer']): number => (layer === 'top' ? 0 : layer === 'below' ? 2 : 1);

/** Actions grouped by category, by the list that they were made from: the list of a page that has not changed is ordered once. */
const grouped = new WeakMap<readonly Action[], readonly Action[]>();

function orderActions(actions: readonly Action[], keepsOrder: boolean): readonly Action[] {
  const known = keepsOrder ? undefined : grouped.get(actions);
  if (known !== undefined) return known;
  const isOrdered = actions.every(({ layer }) => partOf(layer) === 1);
  const sorted = isOrdered ? actions : actions.toSorted((a, b) => partOf(a.layer) - partOf(b.layer));
  if (keepsOrder) return sorted;
  const ordered = sectionsOf(sorted).flat();
  grouped.set(actions, ordered);
  // Ordered once more, an ordered list stays the same.
  grouped.set(ordered, ordered);
  return ordered;
}

/**
 * Returns actions by section: those of one layer and one category, in the order of their first action. What follows the fields of
 * another section in a form, such as its submit button after a group of fields, is a section of its own, so that it stands after them.
 */
export function sectionsOf(actions: readonly Action[]): readonly (readonly Action[])[] {
  const sections: Action[][] = [];
  const known = new Map<string, { readonly section: Action[]; fields: number }>();
  let fields = 0;
  for (const action of actions) {
    if (action.kind === 'input') fields++;
    const key = `${partOf(action.layer)} ${action.category}`;
    const last = known.get(key);
    const isAfterFields =
      action.category.startsWith('Form') &&
      last !== undefined &&
      last.fields < fields - (action.kind === 'input' ? 1 : 0);
    if (last === undefined || isAfterFields) {
      const section = [action];
      sections.push(section);
      known.set(key, { section, fields });
    } else {
      last.section.push(action);
      last.fields = fields;
    }
  }
  return sections;
}

/** Returns the actions up to the end of the category in which `min` is reached; all of them if `min` is null. */
function untilEnoughCategories(ordered: readonly Action[], min: number | null): readonly Action[] {
  if (min === null) return ordered;
  const groupOf = (action: Action | undefined) => `${partOf(action?.layer)} ${action?.category}`;
  const end = ordered.findIndex(
    (action, index) => index + 1 >= min && groupOf(ordered[index + 1]) !== groupOf(action),
  );
  return end < 0 ? ordered : ordered.slice(0, end + 1);
}
