/** A tab → a space: every frame read, ids given, the list cut to the limits. */
import { type Action, type ActionKind, browserActions, SPECIAL_ACTIONS } from '../../domain/action.ts';
import type { PageObservation, Tab as TabRow } from '../../domain/page.ts';
import type { Deadline } from '../../domain/ports.ts';
import { type Dialog, type ListingLimits, listing, type Space } from '../../domain/space.ts';
import { atMost, within } from '../channel.ts';
import { isDocumentGone, pageCrashed } from '../errors.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import { ensureObserver } from '../settle.ts';
import { Interrupted, type Tab } from '../tab.ts';
import { told } from '../withoutCredentials.ts';
import { ListenerCensus } from './listenerCensus.ts';
import type { RawElement, RawFrame, RawFramePage } from './raw.ts';
import { type DocumentMemory, readFrame } from './readFrame.ts';
import type { Registry } from './registry.ts';

const KINDS: Readonly<Record<RawElement['letter'], ActionKind>> = { L: 'link', B: 'button', I: 'input' };
/** A frame that does not answer within this time (its script spins) is left out; the rest of the page is not. */
const PATIENCE_WITH_FRAME_MS = 1_500;
/** A page that does not answer within this time has a script that spins. */
const PATIENCE_WITH_SCRIPT_MS = 8_000;
const DEEPEST_FRAME = 8;
/** Frames beyond this many are not read: no page for people has them. */
const MOST_FRAMES = 100;
/** It stands at each action of the frame. Characters. */
const LONGEST_FRAME_ADDRESS = 2_000;

/** What a tab's observations need to remember from one to the next. */
export interface TabMemory {
  readonly registry: Registry;
  /** Documents that the observer script lives in, by Chromium's unique id of their world. */
  readonly installed: Set<string>;
  readonly documents: Map<string, DocumentMemory>;
}

/** @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
export async function observeTab(
  tab: Tab,
  memory: TabMemory,
  tabs: () => readonly TabRow[],
  limits: ListingLimits,
  timestamp: () => number,
  deadline: Deadline,
): Promise<PageObservation> {
  if (tab.dialog !== null) return behindDialog(tab, tab.dialog, tabs, timestamp);
  const read = await readTop(tab, memory, deadline);
  if (read === null) return observeTab(tab, memory, tabs, limits, timestamp, deadline);
  const { actions } = read;
  const page = tab.activity.unreachable === null ? read.page : asUnreachable(read.page, tab.address);
  tab.title = page.title;
  const rows = tabs();
  const listed = listing(actions, limits);
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
async function readTop(
  tab: Tab,
  memory: TabMemory,
  deadline: Deadline,
): Promise<{ page: RawFramePage; actions: Action[] } | null> {
  let patience = atMost(deadline, PATIENCE_WITH_SCRIPT_MS);
  for (;;) {
    try {
      const world = await tab.world(patience);
      const census = new ListenerCensus(patience);
      const page = await readDocument(world, memory, census, true, tab, patience);
      memory.registry.begin(world.context.uniqueId);
      forgetDocuments(memory, tab);
      const actions: Action[] = [];
      const top = { path: [], x: 0, y: 0, url: null, category: null };
      await collect({ tab, memory, census, deadline, actions, framesLeft: MOST_FRAMES }, world, page, top);
      return { page, actions };
    } catch (error) {
      if (deadline.signal.aborted) throw error;
      if (error instanceof Interrupted && tab.dialog !== null) return null;
      if (error instanceof Interrupted) throw pageCrashed(error);
      if (patience.signal.aborted) {
        // A script of the page spins and lets nobody in; ending it leaves a page that can be read.
        tab.target.channel.tell('Runtime.terminateExecution');
        patience = deadline;
      } else if (!isDocumentGone(error)) throw error;
      // Else the page navigated while it was read: what counts is where it is now.
    }
  }
}

async function readDocument(
  world: IsolatedWorld,
  memory: TabMemory,
  census: ListenerCensus,
  top: boolean,
  tab: Tab,
  deadline: Deadline,
): Promise<RawFramePage> {
  const { uniqueId } = world.context;
  const known = memory.documents.get(uniqueId) ?? { owners: new Map() };
  memory.documents.set(uniqueId, known);
  const [listeners] = await tab.interruptible(
    Promise.all([census.of(world), ensureObserver(world, memory.installed)]),
  );
  return tab.interruptible(readFrame(world, known, listeners, top, deadline));
}

interface Place {
  readonly path: readonly number[];
  readonly x: number;
  readonly y: number;
  readonly url: string | null;
  readonly category: string | null;
}

interface Collecting {
  readonly tab: Tab;
  readonly memory: TabMemory;
  readonly census: ListenerCensus;
  readonly deadline: Deadline;
  readonly actions: Action[];
  framesLeft: number;
}

async function collect(
  into: Collecting,
  world: IsolatedWorld,
  page: RawFramePage,
  place: Place,
): Promise<void> {
  const reachable = page.frames.filter(frame => frame.usable && place.path.length < DEEPEST_FRAME);
  const usable = reachable.slice(0, into.framesLeft);
  into.framesLeft -= usable.length;
  const children = await Promise.all(usable.map(frame => readChild(into, world, frame)));
  let next = 0;
  const push = (until: number) => {
    for (; next < until; next++) {
      const element = page.elements[next];
      if (element !== undefined) into.actions.push(actionOf(into.memory.registry, world, element, place));
    }
  };
  for (const [nth, frame] of usable.entries()) {
    push(frame.before);
    const child = children[nth];
    if (child == null) continue;
    await collect(into, child.world, child.page, {
      path: [...place.path, frame.index],
      x: place.x + frame.x,
      y: place.y + frame.y,
      url: told(child.page.url, LONGEST_FRAME_ADDRESS),
      category: frame.name === '' ? frame.category : frame.name,
    });
  }
  push(page.elements.length);
}

async function readChild(
  into: Collecting,
  owner: IsolatedWorld,
  { index, key }: RawFrame,
): Promise<{ world: IsolatedWorld; page: RawFramePage } | null> {
  const deadline = atMost(into.deadline, PATIENCE_WITH_FRAME_MS);
  try {
    const find = () => owner.handle(`__pagespace.frameElement(${index})`);
    const world = await within(into.tab.frameSeen(owner, key, find, deadline), deadline);
    if (world === null) return null;
    return { world, page: await readDocument(world, into.memory, into.census, false, into.tab, deadline) };
  } catch (error) {
    // A frame that is gone, broken or busy must not cost the rest of the page.
    if (into.deadline.signal.aborted || error instanceof Interrupted) throw error;
    return null;
  }
}

function actionOf(registry: Registry, world: IsolatedWorld, raw: RawElement, place: Place): Action {
  const [x, y, width, height] = raw.box;
  return {
    id: registry.id(world.context.uniqueId, place.path, raw),
    kind: KINDS[raw.letter],
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

function forgetDocuments(memory: TabMemory, tab: Tab): void {
  if (memory.documents.size < 64) return;
  for (const uniqueId of memory.documents.keys())
    if (tab.target.worlds.peek(tab.mainFrameId)?.uniqueId !== uniqueId) {
      memory.documents.delete(uniqueId);
      memory.installed.delete(uniqueId);
    }
}

function metadataOf(tab: Tab, url: string, title: string, tabs: readonly TabRow[], timestamp: number) {
  return { url: told(url), title, timestamp, httpStatus: tab.activity.httpStatus, tabs };
}

/** The browser's own page about an address that could not be opened says nothing of use, and has an address of its own. */
const asUnreachable = (page: RawFramePage, url: string): RawFramePage => ({
  ...page,
  url,
  title: '',
  category: 'other',
  description: `The browser could not open ${url} and shows nothing. S1 opens another address, S4 goes back, S6 tries again.`,
});

function behindDialog(
  tab: Tab,
  open: NonNullable<Tab['dialog']>,
  tabs: () => readonly TabRow[],
  timestamp: () => number,
): PageObservation {
  const kind = open.type() as Dialog['kind'];
  const dialog: Dialog = {
    kind,
    message: open.message(),
    defaultValue: kind === 'prompt' ? open.defaultValue() : null,
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
  return { metadata: metadataOf(tab, tab.address, tab.title, tabs(), timestamp()), space };
}
