/** A tab → a space: every frame read, ids given, the list cut to the limits. */
import type { Action, ActionKind } from '../../domain/action.ts';
import type { PageObservation, TabInfo as TabRow } from '../../domain/page.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { redactUrl } from '../../domain/redactUrl.ts';
import { type Dialog, type ListingLimits, limitActions, type Space } from '../../domain/space.ts';
import { browserActions, SPECIAL_ACTIONS } from '../../domain/specialActions.ts';
import { raceDeadline, shortenDeadline } from '../cdp/cdpChannel.ts';
import { isDocumentGone, pageCrashedFailure } from '../cdp/errors.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { FrameObservation, ObservedElement, ObservedFrame } from '../injected/perceive/wireFormat.ts';
import { installObserver } from '../tab/settle.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import type { ElementRegistry } from './elementRegistry.ts';
import { ListenerCollector } from './listenerCollector.ts';
import { type DocumentCache, readFrame } from './readFrame.ts';

const KIND_BY_LETTER: Readonly<Record<ObservedElement['letter'], ActionKind>> = {
  L: 'link',
  B: 'button',
  I: 'input',
};
/** A frame that does not answer within this time (its script spins) is left out; the rest of the page is not. */
const FRAME_TIMEOUT_MS = 1_500;
/** A page that does not answer within this time has a script that spins. */
const SCRIPT_TIMEOUT_MS = 8_000;
const MAX_FRAME_DEPTH = 8;
/** Frames beyond this many are not read: no page for people has them. */
const MAX_FRAMES = 100;
/** It stands at each action of the frame. Characters. */
const MAX_FRAME_URL_LENGTH = 2_000;

/** What a tab's observations need to remember from one to the next. */
export interface ObservationState {
  readonly registry: ElementRegistry;
  /** Documents that the observer script lives in, by Chromium's unique id of their world. */
  readonly installed: Set<string>;
  readonly documents: Map<string, DocumentCache>;
}

/** @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
export async function observeTab(
  tab: Tab,
  state: ObservationState,
  tabs: () => readonly TabRow[],
  limits: ListingLimits,
  timestamp: () => number,
  deadline: Deadline,
): Promise<PageObservation> {
  if (tab.dialog !== null) return dialogObservation(tab, tab.dialog, tabs, timestamp);
  const read = await readAllFrames(tab, state, deadline);
  if (read === null) return observeTab(tab, state, tabs, limits, timestamp, deadline);
  const { actions } = read;
  const page = tab.network.unreachableUrl === null ? read.page : unreachablePage(read.page, tab.redactedUrl);
  tab.title = page.title;
  const rows = tabs();
  const listed = limitActions(actions, limits);
  const space: Space = {
    description: page.description,
    category: page.category,
    actions: listed,
    specialActions: SPECIAL_ACTIONS,
    browserActions: browserActions({
      scrollableDown: page.scrollableDown,
      scrollableUp: page.scrollableUp,
      tabs: rows,
      dialog: null,
      hasElements: actions.length > 0,
    }),
    totalActions: actions.length,
    truncated: listed.length < actions.length,
    dialog: null,
  };
  return { metadata: metadataOf(tab, page.url, page.title, rows, timestamp()), space };
}

/** @returns null when a dialog opened meanwhile */
async function readAllFrames(
  tab: Tab,
  state: ObservationState,
  deadline: Deadline,
): Promise<{ page: FrameObservation; actions: Action[] } | null> {
  let scriptDeadline = shortenDeadline(deadline, SCRIPT_TIMEOUT_MS);
  for (;;) {
    try {
      const world = await tab.world(scriptDeadline);
      const census = new ListenerCollector(scriptDeadline);
      const page = await installAndReadFrame(world, state, census, true, tab, scriptDeadline);
      state.registry.startObservation(world.context.uniqueId);
      dropOldDocuments(state, tab);
      const actions: Action[] = [];
      const top = { path: [], x: 0, y: 0, url: null, category: null };
      await collectActions(
        { tab, memory: state, census, deadline, actions, framesLeft: MAX_FRAMES },
        world,
        page,
        top,
      );
      return { page, actions };
    } catch (error) {
      if (deadline.signal.aborted) throw error;
      if (error instanceof Interrupted && tab.dialog !== null) return null;
      if (error instanceof Interrupted) throw pageCrashedFailure(error);
      if (scriptDeadline.signal.aborted) {
        // A script of the page spins and lets nobody in; ending it leaves a page that can be read.
        tab.target.channel.sendNoReply('Runtime.terminateExecution');
        scriptDeadline = deadline;
      } else if (!isDocumentGone(error)) throw error;
      // Else the page navigated while it was read: what counts is where it is now.
    }
  }
}

async function installAndReadFrame(
  world: IsolatedWorld,
  state: ObservationState,
  listenerCollector: ListenerCollector,
  top: boolean,
  tab: Tab,
  deadline: Deadline,
): Promise<FrameObservation> {
  const { uniqueId } = world.context;
  const known = state.documents.get(uniqueId) ?? { listenerOwners: new Map() };
  state.documents.set(uniqueId, known);
  const [listeners] = await tab.interruptible(
    Promise.all([listenerCollector.listenersOf(world), installObserver(world, state.installed)]),
  );
  return tab.interruptible(readFrame(world, known, listeners, top, deadline));
}

interface FramePosition {
  readonly path: readonly number[];
  readonly x: number;
  readonly y: number;
  readonly url: string | null;
  readonly category: string | null;
}

interface ActionCollection {
  readonly tab: Tab;
  readonly memory: ObservationState;
  readonly census: ListenerCollector;
  readonly deadline: Deadline;
  readonly actions: Action[];
  framesLeft: number;
}

async function collectActions(
  collection: ActionCollection,
  world: IsolatedWorld,
  page: FrameObservation,
  place: FramePosition,
): Promise<void> {
  const reachable = page.frames.filter(frame => frame.usable && place.path.length < MAX_FRAME_DEPTH);
  const usable = reachable.slice(0, collection.framesLeft);
  collection.framesLeft -= usable.length;
  const children = await Promise.all(usable.map(frame => readChildFrame(collection, world, frame)));
  let next = 0;
  const push = (until: number) => {
    for (; next < until; next++) {
      const element = page.elements[next];
      if (element !== undefined)
        collection.actions.push(actionOf(collection.memory.registry, world, element, place));
    }
  };
  for (const [nth, frame] of usable.entries()) {
    push(frame.before);
    const child = children[nth];
    if (child == null) continue;
    await collectActions(collection, child.world, child.page, {
      path: [...place.path, frame.index],
      x: place.x + frame.x,
      y: place.y + frame.y,
      url: redactUrl(child.page.url, MAX_FRAME_URL_LENGTH),
      category: frame.name === '' ? frame.category : frame.name,
    });
  }
  push(page.elements.length);
}

async function readChildFrame(
  collection: ActionCollection,
  owner: IsolatedWorld,
  { index, key }: ObservedFrame,
): Promise<{ world: IsolatedWorld; page: FrameObservation } | null> {
  const deadline = shortenDeadline(collection.deadline, FRAME_TIMEOUT_MS);
  try {
    const find = () => owner.agentHandle('frameElement', index);
    const world = await raceDeadline(collection.tab.frameWorldByKey(owner, key, find, deadline), deadline);
    if (world === null) return null;
    return {
      world,
      page: await installAndReadFrame(
        world,
        collection.memory,
        collection.census,
        false,
        collection.tab,
        deadline,
      ),
    };
  } catch (error) {
    // A frame that is gone, broken or busy must not cost the rest of the page.
    if (collection.deadline.signal.aborted || error instanceof Interrupted) throw error;
    return null;
  }
}

function actionOf(
  registry: ElementRegistry,
  world: IsolatedWorld,
  raw: ObservedElement,
  place: FramePosition,
): Action {
  const [x, y, width, height] = raw.box;
  return {
    id: registry.idFor(world.context.uniqueId, place.path, raw),
    kind: KIND_BY_LETTER[raw.letter],
    description: raw.description,
    category: raw.category === '' || raw.category === 'Page' ? (place.category ?? 'Page') : raw.category,
    status: raw.status,
    params: raw.params,
    role: raw.role,
    name: raw.name,
    value: raw.value,
    checked: raw.checked,
    disabled: raw.disabled,
    expanded: raw.expanded,
    inViewport: raw.inViewport,
    bounds: { x: x + place.x, y: y + place.y, width, height },
    frame: place.url,
    fingerprint: raw.fingerprint,
  };
}

function dropOldDocuments(state: ObservationState, tab: Tab): void {
  if (state.documents.size < 64) return;
  for (const uniqueId of state.documents.keys())
    if (tab.target.worlds.find(tab.mainFrameId)?.uniqueId !== uniqueId) {
      state.documents.delete(uniqueId);
      state.installed.delete(uniqueId);
    }
}

function metadataOf(tab: Tab, url: string, title: string, tabs: readonly TabRow[], timestamp: number) {
  return { url: redactUrl(url), title, timestamp, httpStatus: tab.network.httpStatus, tabs };
}

/** The browser's own page about an address that could not be opened says nothing of use, and has an address of its own. */
const unreachablePage = (page: FrameObservation, url: string): FrameObservation => ({
  ...page,
  url,
  title: '',
  category: 'other',
  description: `The browser could not open ${url} and shows nothing. S1 opens another address, S4 goes back, S6 tries again.`,
});

function dialogObservation(
  tab: Tab,
  dialogHandle: NonNullable<Tab['dialog']>,
  tabs: () => readonly TabRow[],
  timestamp: () => number,
): PageObservation {
  const kind = dialogHandle.type() as Dialog['kind'];
  const dialog: Dialog = {
    kind,
    message: dialogHandle.message(),
    defaultValue: kind === 'prompt' ? dialogHandle.defaultValue() : null,
  };
  const situation = { scrollableDown: 0, scrollableUp: 0, tabs: [], dialog: kind, hasElements: false };
  const space: Space = {
    description: `The page shows ${kind === 'alert' ? 'an alert' : `a ${kind}`} dialog and stands still until it is answered: ${dialog.message}`,
    category: 'other',
    actions: [],
    specialActions: SPECIAL_ACTIONS,
    browserActions: browserActions(situation),
    totalActions: 0,
    truncated: false,
    dialog,
  };
  return { metadata: metadataOf(tab, tab.redactedUrl, tab.title, tabs(), timestamp()), space };
}
