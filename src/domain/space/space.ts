import type { Action } from './action.ts';

/**
 * The kinds of messages. `alert`: an error or a warning. `status`: a status, log or toast. `validation`: why a field is invalid.
 * `note`: what the service noticed about the step, in its own words, such as a drag after which nothing moved.
 * `appeared`, `disappeared`: other text that was not there, or is not there any more, since the observation before.
 */
export const MESSAGE_KINDS = ['note', 'alert', 'status', 'validation', 'appeared', 'disappeared'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Something that the page says, in its own words; or a note of the service. */
export interface PageMessage {
  readonly kind: MessageKind;
  /** The words of the page on one line; those of the service for a note. */
  readonly text: string;
  /** Id of the action that the message belongs to, such as the field with the error; null if it belongs to none. */
  readonly action: string | null;
  /** True if the observation before did not have this message. */
  readonly isNew: boolean;
  /** URL of the page that said it just before the step left it; absent for the present page. */
  readonly page?: string;
}

export interface Pending {
  /** Method, host and path of each request that the page waits for: `GET api.example/items`. */
  readonly requests: readonly string[];
  readonly timers: readonly number[];
  /** The signs by which the page shows that it is busy: a text such as `"Loading…"`, `spinner`, `progressbar "Upload" 40 %`. */
  readonly busy: readonly string[];
  /** Host and path of the document for which the page is to be left; null if it stays. */
  readonly navigation: string | null;
}

export const NOTHING_PENDING: Pending = { requests: [], timers: [], busy: [], navigation: null };

/** The states of a download at the time of an answer. `refused`: above a limit, or it failed. */
const DOWNLOAD_STATES = ['running', 'stored', 'refused'] as const;
export type DownloadState = (typeof DOWNLOAD_STATES)[number];

/** A download that the last operation has started. */
export interface StartedDownload {
  /** Id of the stored file, such as `D1`; null while it is not stored. */
  readonly id: string | null;
  readonly name: string;
  readonly state: DownloadState;
}

/** The errors of a step that the console of the page would show: logged errors, exceptions that no script caught, requests that failed. */
export interface ConsoleErrors {
  readonly errors: number;
  /** The first of them, on one line. */
  readonly first: string;
}

/** The kinds of blocks of text: a heading, a row of a table or grid (its cells separated by ` | `), and all other text. */
const TEXT_BLOCK_KINDS = ['heading', 'row', 'text'] as const;
export type TextBlockKind = (typeof TEXT_BLOCK_KINDS)[number];

export interface PageTextBlock {
  readonly kind: TextBlockKind;
  /** The words of the page on one line. */
  readonly text: string;
  /** Id of the next listed action after the text; null if no listed action follows. */
  readonly before: string | null;
}

/** Makes `before` of each block refer to one of the `listed` actions; `order` has the ids of all, in document order. */
export function placeBeforeListed(
  blocks: readonly PageTextBlock[],
  order: readonly string[],
  listed: ReadonlySet<string>,
): readonly PageTextBlock[] {
  const nextListed = new Map<string, string | null>();
  let next: string | null = null;
  for (const id of order.toReversed()) {
    if (listed.has(id)) next = id;
    nextListed.set(id, next);
  }
  return blocks.map(block => ({
    ...block,
    before: block.before === null ? null : (nextListed.get(block.before) ?? null),
  }));
}

export interface TabInfo {
  /** `T1`, `T2`, …; never reused within the session. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly active: boolean;
}

export interface PageMetadata {
  readonly url: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Status of the page's own HTTP response; null when it had none (about:blank, a page from cache or history). */
  readonly httpStatus: number | null;
  readonly tabs: readonly TabInfo[];
}

/** One observation of a page: its metadata, and its space (the list of actions on the page). */
export interface PageObservation {
  readonly metadata: PageMetadata;
  readonly space: Space;
}

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

/** An open JavaScript dialog. The page is blocked until the dialog is answered. */
export interface Dialog {
  readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  readonly defaultValue: string | null;
}

/** The parts of a space that every answer tells, also one that describes only a difference. */
export interface SpaceState {
  readonly dialog: Dialog | null;
  readonly pending: Pending;
  /** The downloads that the last operation has started. */
  readonly downloads: readonly StartedDownload[];
  /** The errors of the console that the step has caused; absent for none, and after other operations. */
  readonly console?: ConsoleErrors;
}

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
  readonly truncated: boolean;
  /** The limit on the size of the list, in estimated tokens; absent for none. */
  readonly maxTokens?: number;
  /** Number of actions below an open dialog or a veil that the request selects, listed or not; absent for 0. */
  readonly belowDialog?: number;
  /** Number of blocks of text that the limit on the size has left out. */
  readonly omittedTexts?: number;
  readonly messages: readonly PageMessage[];
  /** The text of the page between the actions, in document order; absent unless requested. */
  readonly textBlocks?: readonly PageTextBlock[];
  /** A sentence about the attributes, pictures and style sheets that the step has changed; absent for none. A difference has it as a note if it has nothing else. */
  readonly unlistedChanges?: string;
}

export interface ListingLimits {
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

const KEEPING_ORDER: ReadonlyArray<Action['layer']> = ['top', 'fixed', undefined, 'below'];

/** Within a layer, what is in the window is kept before the rest: the buttons of a dialog below its scrolled list. */
export const keepingRank = ({ layer, inViewport }: Pick<Action, 'layer' | 'inViewport'>): number =>
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
