import type { Action } from './action.ts';
import { textAfterId, toActionPhrase } from './actionPhrase.ts';
import type { PageMessage, SpaceState } from './space.ts';

/** The actions of one observation, the address of its page, and what the page said. */
export interface ObservedActions {
  readonly url: string;
  readonly actions: readonly Action[];
  readonly messages: readonly PageMessage[];
  /** Title of the page; absent for an observation that is compared without it. */
  readonly title?: string;
  /** Id of the active tab; absent for an observation that is compared without it. */
  readonly tab?: string | null;
  /** As in `Space`. */
  readonly unlistedChanges?: string | undefined;
}

/** The page of an observation that is not the page of the observation before. */
export interface OtherPage {
  readonly url: string;
  readonly title: string;
  /** Id of its tab, if that is another one too; otherwise null. */
  readonly tab: string | null;
}

/** An action as it is now, with what has changed since the earlier observation. */
export interface ChangedAction extends Action {
  /** True if the picture on the canvas has changed; absent or false if not. */
  readonly hasNewPicture?: boolean;
  readonly hasNewLook?: boolean;
  /** True if only its focus, caret or selection has changed; absent or false if more has. */
  readonly isOnlyFocus?: boolean;
  /** True if only the words and the number that tell it apart from others have changed; absent or false if more has. */
  readonly isOnlyPlace?: boolean;
  /** True if it is a tab or a radio button that is no longer chosen because another one is, and nothing else has changed; absent or false if not. */
  readonly isReplaced?: boolean;
  /** The title of its section, if only that is another one; absent if not. */
  readonly section?: string;
  /** The value before, if the value has changed; absent if not. */
  readonly valueBefore?: string;
}

export interface SpaceDiff {
  /** New actions, in their current state. */
  readonly added: readonly Action[];
  /** Actions that are gone, in their earlier state. */
  readonly removed: readonly Action[];
  /** In their current state. A change of position and the loss of the focus do not count. */
  readonly changed: readonly ChangedAction[];
  /** Number of actions that are only covered now, not in `changed`; absent for 0. Up to three are there if neither a dialog nor a veil covers them. */
  readonly covered?: number;
  /** The same for actions that nothing covers any longer. */
  readonly uncovered?: number;
  /** Ids of a section in their new order; absent if no order changed. Actions that came, went or changed their layer do not count. */
  readonly reordered?: readonly string[];
  /** The messages of the page: errors, invalid fields, and all messages that are new since the observation before. */
  readonly messages: readonly PageMessage[];
  /** The page, if another address is shown or another tab is active; absent if not. A change of the place in the page does not count. */
  readonly otherPage?: OtherPage;
  /** The title of the page, if it is another one at the same address; absent if not. */
  readonly newTitle?: string;
  /** The open dialog, what goes on, and the started downloads; absent for a difference of stored observations. */
  readonly state?: SpaceState;
}

/** Returns the actions that are new, gone or changed. At another URL an action is the same only if its fingerprint is equal too. */
export function spaceDiff(before: ObservedActions, now: ObservedActions): SpaceDiff {
  const isOtherTab = before.tab != null && now.tab != null && before.tab !== now.tab;
  const samePage = !isOtherTab && withoutFragment(before.url) === withoutFragment(now.url);
  const key = samePage ? ({ id }: Action) => id : ({ id, fingerprint }: Action) => `${id} ${fingerprint}`;
  const earlier = new Map(before.actions.map(action => [key(action), action]));
  const present = new Set(now.actions.map(key));
  const added: Action[] = [];
  const changed: ChangedAction[] = [];
  const { covered, uncovered } = coverChanges(earlier, now.actions, key);
  for (const action of now.actions) {
    const previous = earlier.get(key(action));
    if (previous === undefined) added.push(action);
    else if (covered.has(action) || uncovered.has(action)) continue;
    else if (comparableState(previous) !== comparableState(action))
      changed.push({
        ...action,
        ...(isOnlyPlaced(previous, action) && { isOnlyPlace: true, ...newSection(previous, action) }),
        ...(previous.value !== null && previous.value !== action.value && { valueBefore: previous.value }),
      });
    else if (
      hasNewFocus(previous, action) ||
      previous.picture !== action.picture ||
      hasNewLook(previous, action)
    )
      changed.push({
        ...action,
        hasNewPicture: previous.picture !== action.picture,
        hasNewLook: hasNewLook(previous, action),
        isOnlyFocus: previous.picture === action.picture && !hasNewLook(previous, action),
      });
  }
  const reordered = reorderedIds(before.actions, now.actions, key);
  const isOtherPage = isOtherTab || withoutPlace(before.url) !== withoutPlace(now.url);
  const isOtherTitle = before.title !== undefined && now.title !== undefined && before.title !== now.title;
  const removed = before.actions.filter(action => !present.has(key(action)));
  const messages = now.messages.filter(isReported);
  // The focus goes to whatever is pressed.
  const isTold =
    isOtherPage ||
    isOtherTitle ||
    covered.size + uncovered.size + reordered.length + added.length + removed.length > 0 ||
    messages.some(({ isNew }) => isNew) ||
    changed.some(({ isOnlyFocus = false }) => !isOnlyFocus);
  return {
    added,
    removed,
    changed: withReplaced(changed, action => earlier.get(key(action))),
    ...(covered.size > 0 && { covered: covered.size }),
    ...(uncovered.size > 0 && { uncovered: uncovered.size }),
    ...(reordered.length > 0 && { reordered }),
    messages:
      isTold || now.unlistedChanges === undefined
        ? messages
        : [{ kind: 'note', text: now.unlistedChanges, action: null, isNew: true }, ...messages],
    ...(isOtherPage && {
      otherPage: { url: now.url, title: now.title ?? '', tab: isOtherTab ? now.tab : null },
    }),
    ...(!isOtherPage && isOtherTitle && { newTitle: now.title }),
  };
}

/** Roles of which one of a group is chosen at a time. */
const EXCLUSIVE_ROLES = new Set(['radio', 'menuitemradio', 'tab', 'option']);
const CHOSEN = /, (?:selected|checked)(?=,|$)/;

/** Marks what is no longer chosen because another one of its section is. */
function withReplaced(
  changed: readonly ChangedAction[],
  previousOf: (action: Action) => Action | undefined,
): readonly ChangedAction[] {
  const groupOf = ({ role, category }: Action): string => `${role} ${category}`;
  const isChosen = ({ description }: Action): boolean => CHOSEN.test(description);
  const chosen = new Set(changed.filter(isChosen).map(groupOf));
  return changed.map(action => {
    const previous = previousOf(action);
    const isLeft =
      EXCLUSIVE_ROLES.has(action.role ?? '') &&
      chosen.has(groupOf(action)) &&
      previous !== undefined &&
      isChosen(previous) &&
      previous.description.replace(CHOSEN, '') === action.description.replace(/, not checked(?=,|$)/, '') &&
      !(hasNewFocus(previous, action) || hasNewLook(previous, action));
    return isLeft ? { ...action, isReplaced: true } : action;
  });
}

/** Returns a URL without its fragment, if that is a place in the page and no route of an application. */
const withoutPlace = (url: string): string => url.replace(/#(?![!/]).*$/s, '');

/** The ids of each section that are in another order, from the first that moved to the last. A list that fills the same elements anew moves none. */
function reorderedIds(
  before: readonly Action[],
  now: readonly Action[],
  key: (action: Action) => string,
): readonly string[] {
  const earlier = new Map(before.map((action, place) => [key(action), { action, place }]));
  const stayed = now.flatMap(action => {
    const previous = earlier.get(key(action));
    const isSame =
      previous !== undefined &&
      previous.action.category === action.category &&
      previous.action.fingerprint === action.fingerprint &&
      previous.action.layer === action.layer;
    return isSame ? [{ action, place: previous.place }] : [];
  });
  return [...Map.groupBy(stayed, ({ action }) => action.category).values()].flatMap(section => {
    const sorted = section.toSorted((one, other) => one.place - other.place);
    const hasMoved = (one: (typeof section)[number], nth: number): boolean => one !== sorted[nth];
    const [first, last] = [section.findIndex(hasMoved), section.findLastIndex(hasMoved)];
    return first < 0 ? [] : section.slice(first, last + 1).map(({ action }) => action.id);
  });
}

/** Up to this many actions that something covers are listed one by one, unless a dialog or a veil covers them. */
const MAX_LISTED_COVERS = 3;

function coverChanges(
  earlier: ReadonlyMap<string, Action>,
  now: readonly Action[],
  key: (action: Action) => string,
): { readonly covered: ReadonlySet<Action>; readonly uncovered: ReadonlySet<Action> } {
  const sets = { covered: new Set<Action>(), uncovered: new Set<Action>() };
  for (const action of now) {
    const previous = earlier.get(key(action));
    if (previous === undefined) continue;
    if (isOnlyCovered(previous, action)) sets.covered.add(action);
    else if (isOnlyCovered(action, previous)) sets.uncovered.add(action);
  }
  for (const set of [sets.covered, sets.uncovered]) {
    const single = [...set].filter(
      action => action.layer !== 'below' && earlier.get(key(action))?.layer !== 'below',
    );
    if (single.length <= MAX_LISTED_COVERS) for (const action of single) set.delete(action);
  }
  return sets;
}

const isOnlyCovered = (above: Action, below: Action): boolean =>
  ((below.layer === 'below' && above.layer !== 'below') ||
    (below.status === 'covered' && above.status === 'valid')) &&
  comparableState({ ...above, status: below.status }) === comparableState(below);

/** Returns true if two states of an action differ only in what tells it apart from others: its place, its category. */
const isOnlyPlaced = (before: Action, now: Action): boolean =>
  visibleState(before) === visibleState(now) && comparableValues(before) === comparableValues(now);

const TITLE = /"([^"]+)"$/;

/** Returns the title of the section to which an action has moved; nothing for one that has not, or to a section without a title. */
function newSection(before: Action, now: Action): { readonly section?: string } {
  const title = before.category === now.category ? undefined : TITLE.exec(now.category)?.[1];
  return title === undefined ? {} : { section: title };
}

const visibleState = (action: Action): string => {
  const phrase = toActionPhrase(action);
  return JSON.stringify([phrase.role, phrase.name, textAfterId(phrase)]);
};

const comparableValues = ({ value, checked, disabled, expanded, status, params }: Action): string =>
  JSON.stringify([value, checked, disabled, expanded, status, params]);

/** Errors are told as long as they stand, so that a second attempt with the same error does not look like a success. */
const isReported = ({ kind, isNew }: PageMessage): boolean =>
  isNew || kind === 'alert' || kind === 'validation';

/** Returns true if an action has got the focus, or its caret or selection has changed. Losing the focus is not told apart. */
const hasNewFocus = (before: Action, now: Action): boolean =>
  now.focus !== undefined && JSON.stringify(before.focus) !== JSON.stringify(now.focus);

const hasNewLook = ({ look: before }: Action, { look: now }: Action): boolean =>
  (now?.number ?? 0) !== (before?.number ?? 0);

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
