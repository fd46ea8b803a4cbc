/** Reads all frames of a tab, in document order, into one list of actions. */

import { eachInTurns } from '../../async/fairTurns.ts';
import { afterPageMs, race, whenSilent } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { Action, ActionKind, ActionLayer, Rect } from '../../domain/space/action.ts';
import { normalizeText, quote } from '../../domain/space/pageText.ts';
import { boxOnPage, ON_TOP, type Placement, placedIn } from '../../domain/space/placement.ts';
import type { PageMessage, PageTextBlock } from '../../domain/space/space.ts';
import { redactUrl } from '../../domain/webAddress.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { FrameObservation, ObservedElement, ObservedFrame } from '../injected/perceive/wireFormat.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import type { ElementRegistry } from './elementRegistry.ts';
import type { EnteredValues } from './enteredValues.ts';
import { ListenerCollector } from './listenerCollector.ts';
import { type DocumentCache, newDocumentCache, readFrame } from './readFrame.ts';
import { readPage } from './readPage.ts';

type UnplacedBlock = Omit<PageTextBlock, 'before'> & { before: string | null };

/** A child frame that was read, and where its blocks of text are in the collection. */
interface ReadFrame {
  readonly index: number;
  readonly before: number;
  readonly start: number;
  readonly end: number;
  /** Id of the first action in the frame; null if it has none. */
  readonly firstAction: string | null;
  /** The blocks of the document that stand before the frame. */
  readonly textBefore: UnplacedBlock[];
}

/** Adds the blocks of a document to those of its child frames, which were read before. */
function addTextBlocks(
  blocks: UnplacedBlock[],
  { elements, textBlocks }: Pick<FrameObservation, 'elements' | 'textBlocks'>,
  frames: readonly ReadFrame[],
  idOf: (key: number | null | undefined) => string | null,
): void {
  // The text after the last action of a frame stands before the next action of this document.
  for (const { start, end, before } of frames)
    for (const block of blocks.slice(start, end)) block.before ??= idOf(elements[before]?.key);
  for (const { kind, text, frame, before } of textBlocks) {
    const inner = frames.find(({ index }) => index === frame);
    const block = { kind, text: normalizeText(text), before: inner?.firstAction ?? idOf(before) };
    if (inner === undefined) blocks.push(block);
    else inner.textBefore.push(block);
  }
  for (const { start, textBefore } of frames.toReversed()) blocks.splice(start, 0, ...textBefore);
}

function inActionOrder(blocks: PageTextBlock[], actions: readonly Action[]): PageTextBlock[] {
  const positions = new Map(actions.map(({ id }, index) => [id, index] as const));
  const positionOf = ({ before }: PageTextBlock): number =>
    before === null ? actions.length : (positions.get(before) ?? actions.length);
  return blocks.sort((one, other) => positionOf(one) - positionOf(other));
}

const KIND_BY_LETTER: Readonly<Record<ObservedElement['letter'], ActionKind>> = {
  L: 'link',
  B: 'button',
  I: 'input',
};
/** The place of a frame in the page: the iframes around it, its offset and layer, and the category that its elements get. */
interface FramePosition {
  readonly path: readonly number[];
  readonly placement: Placement;
  readonly url: string | null;
  readonly layer: ActionLayer | null;
  /** The category for elements of the frame that are in no section of their own; null for the top frame, which uses `Page`. */
  readonly category: string | null;
}

/** Converts a box in a document to one of the page. Rounds to tenths of pixels. */
function onPage(box: ObservedElement['box'], placement: Placement): Rect {
  const { x, y, width, height } = boxOnPage(placement, box);
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

function toAction(
  registry: ElementRegistry,
  world: IsolatedWorld,
  element: ObservedElement,
  position: FramePosition,
): Action {
  const layer = position.layer ?? element.layer;
  const isBelow = layer === 'below' && element.status === 'valid';
  const hasOwnCategory = element.category !== '' && element.category !== 'Page';
  return {
    id: registry.idFor(world.context.uniqueId, position.path, element),
    kind: KIND_BY_LETTER[element.letter],
    description: element.description,
    category: hasOwnCategory ? element.category : (position.category ?? 'Page'),
    status: isBelow ? 'covered' : element.status,
    params: element.params,
    role: element.role,
    name: element.name,
    value: element.value,
    checked: element.checked,
    disabled: element.disabled,
    expanded: element.expanded,
    inViewport: element.inViewport,
    bounds: onPage(element.box, position.placement),
    frame: position.url,
    fingerprint: normalizeText(element.fingerprint),
    ...(element.focus !== undefined && { focus: element.focus }),
    ...(element.picture !== undefined && { picture: element.picture }),
    ...(element.look !== undefined && {
      look: {
        ...element.look,
        words: normalizeText(element.look.words),
        ...(element.look.lost !== undefined && { lost: normalizeText(element.look.lost) }),
      },
    }),
    ...(layer !== null && { layer }),
  };
}

/** Maximum silence of a child frame in which the page answers; one that is silent for longer, as in an endless loop, is skipped. */
const FRAME_TIMEOUT_MS = 1_500;
/** Maximum time to read one child frame of another process, in which the page answers. Milliseconds. */
const MAX_FRAME_MS = 4_000;
/** Part of the time until the deadline in which the child frames are read; the frames that take longer are skipped. */
const FRAMES_PART = 0.7;
/** Maximum number of frames around a frame: frames that are nested deeper are not read. */
const MAX_FRAME_DEPTH = 8;
/** Maximum number of child frames of a page to read; the others are skipped. No real page has more. */
const MAX_FRAMES = 100;
/** Maximum length of a frame's URL, which is repeated at each action of the frame. Characters. */
const MAX_FRAME_URL_LENGTH = 2_000;
/** Elements that become actions in one turn of the event loop: some milliseconds of work. */
const ELEMENTS_PER_TURN = 1_000;
/** Number of remembered documents at which all but the top document are forgotten. */
const MAX_DOCUMENTS = 64;

export interface ObservationState {
  readonly registry: ElementRegistry;
  readonly entered: EnteredValues;
  /** Called if exceptions of the injected scripts have left parts of a page out; see `FrameObservation.skipped`. */
  readonly onSkipped: (skipped: NonNullable<FrameObservation['skipped']>) => void;
  readonly documents: Map<string, DocumentCache>;
  /** The hashes of the texts of the last top document; see `FrameObservation.textHashes`. */
  textHashes: string;
  lastRead: PageRead | null;
  /** True for a reading that the caller does not see: the next one tells what this one would. */
  readonly isUntold?: boolean;
}

export interface PageRead {
  readonly page: FrameObservation;
  /** The actions of all frames, in document order. */
  readonly actions: readonly Action[];
  readonly frameCount: number;
  readonly messages: readonly PageMessage[];
  /** The text of all frames, in document order; empty unless requested. */
  readonly textBlocks: readonly PageTextBlock[];
  /** Changes of the step beside texts and actions, in each frame with such changes. */
  readonly unlistedChanges: readonly string[];
}

/** Reads all frames, again if the page navigates; null when a dialog has opened. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
export async function readAllFrames(
  tab: Tab,
  state: ObservationState,
  readsText: boolean,
  deadline: Deadline,
): Promise<PageRead | null> {
  return readPage(tab, deadline, async (world, attemptDeadline) => {
    const listenerCollector = new ListenerCollector(attemptDeadline);
    const context = { tab, state, listenerCollector, readsText };
    const page = await installAndReadFrame(context, world, true, attemptDeadline);
    // The same answer of the same document means the same ids and actions. Frames are read anew: they can change by themselves.
    if (page === state.lastRead?.page && page.frames.length === 0) return state.lastRead;
    state.registry.startObservation(world.context.uniqueId);
    dropOldDocuments(state, tab);
    state.textHashes = page.textHashes ?? state.textHashes;
    const actions: Action[] = [];
    const messages: PageMessage[] = [];
    const textBlocks: UnplacedBlock[] = [];
    const unlistedChanges: string[] = [];
    const top = { path: [], placement: ON_TOP, url: null, layer: null, category: null };
    using framesDeadline = shortenDeadline(deadline, deadline.remainingMs() * FRAMES_PART);
    const collection = {
      ...context,
      deadline,
      framesDeadline,
      actions,
      messages,
      textBlocks,
      unlistedChanges,
      framesLeft: MAX_FRAMES,
      frameCount: 0,
    };
    await collectActions(collection, world, page, top);
    const read = {
      page,
      actions,
      frameCount: collection.frameCount,
      messages,
      textBlocks: inActionOrder(textBlocks, actions),
      unlistedChanges,
    };
    state.lastRead = read;
    return read;
  });
}

interface ReadContext {
  readonly tab: Tab;
  readonly state: ObservationState;
  readonly listenerCollector: ListenerCollector;
  readonly readsText: boolean;
}

async function installAndReadFrame(
  { tab, state, listenerCollector, readsText }: ReadContext,
  world: IsolatedWorld,
  isTopFrame: boolean,
  deadline: Deadline,
): Promise<FrameObservation> {
  const { uniqueId } = world.context;
  const known = state.documents.get(uniqueId);
  const cache = known ?? newDocumentCache();
  state.documents.set(uniqueId, cache);
  const listening = listenerCollector.listenersOf(world);
  listening.catch(() => {});
  await tab.interruptible(world.install('agent'));
  const options = {
    top: isTopFrame,
    ...(readsText && { text: true }),
    ...(isTopFrame && known === undefined && { earlierTextHashes: state.textHashes }),
    ...(cache.isUntold && { repeats: true }),
  };
  cache.isUntold = state.isUntold === true;
  const page = await tab.interruptible(readFrame(world, cache, listening, options, deadline));
  if (page.skipped !== undefined) state.onSkipped(page.skipped);
  if (page.secrets !== undefined) state.entered.report(uniqueId, page.secrets);
  return page;
}

interface ActionCollection extends ReadContext {
  readonly deadline: Deadline;
  /** Ends the reading of frames: the list of the others comes before the deadline of the operation. */
  readonly framesDeadline: Deadline;
  readonly actions: Action[];
  readonly messages: PageMessage[];
  readonly textBlocks: UnplacedBlock[];
  readonly unlistedChanges: string[];
  framesLeft: number;
  frameCount: number;
}

async function collectActions(
  collection: ActionCollection,
  world: IsolatedWorld,
  page: FrameObservation,
  position: FramePosition,
): Promise<void> {
  const usable = page.frames
    .filter(frame => frame.usable && position.path.length < MAX_FRAME_DEPTH)
    .slice(0, collection.framesLeft);
  collection.framesLeft -= usable.length;
  if (position.path.length > 0 && page.elements.length > 0) collection.frameCount++;
  const children = await Promise.all(usable.map(frame => readChildFrame(collection, world, frame)));
  const readFrames: ReadFrame[] = [];
  let next = 0;
  const addUntil = async (end: number): Promise<void> => {
    const elements = page.elements.slice(next, end);
    next = Math.max(next, end);
    await eachInTurns(elements, ELEMENTS_PER_TURN, element => {
      collection.actions.push(toAction(collection.state.registry, world, element, position));
    });
  };
  for (const [index, frame] of usable.entries()) {
    await addUntil(frame.before);
    const child = children[index];
    if (child == null) continue;
    const start = collection.textBlocks.length;
    const firstAction = collection.actions.length;
    await collectActions(collection, child.world, child.page, {
      path: [...position.path, frame.index],
      placement: placedIn(position.placement, frame.place),
      url: redactUrl(child.page.url, MAX_FRAME_URL_LENGTH),
      layer: position.layer ?? frame.layer,
      category: frame.name === '' ? frame.category : `Frame ${quote(frame.name)}`,
    });
    readFrames.push({
      index: frame.index,
      before: frame.before,
      start,
      end: collection.textBlocks.length,
      firstAction: collection.actions[firstAction]?.id ?? null,
      textBefore: [],
    });
  }
  await addUntil(page.elements.length);
  const { registry } = collection.state;
  const document = world.context.uniqueId;
  const idOf = (key: number | null | undefined): string | null =>
    key == null ? null : registry.findId(document, key);
  addTextBlocks(collection.textBlocks, page, readFrames, idOf);
  if (page.unlistedChanges !== undefined)
    collection.unlistedChanges.push(normalizeText(page.unlistedChanges));
  for (const { kind, text, key, isNew } of page.messages) {
    collection.messages.push({ kind, text: normalizeText(text), action: idOf(key), isNew });
  }
}

/** Reads one child frame. @returns null when the frame is gone, broken or busy, so that the rest of the page is read without it */
async function readChildFrame(
  collection: ActionCollection,
  owner: IsolatedWorld,
  { index, key }: ObservedFrame,
): Promise<{ world: IsolatedWorld; page: FrameObservation } | null> {
  const { tab, framesDeadline: deadline } = collection;
  const ping = () => tab.ping();
  try {
    const found = tab.frames.worldByKey(owner, key, () => owner.agentHandle('frameElement', index), deadline);
    const world = await race(
      found,
      afterPageMs(ping, FRAME_TIMEOUT_MS, FRAME_TIMEOUT_MS, () => null),
    );
    if (world === null) return null;
    const reading = installAndReadFrame(collection, world, false, deadline);
    // A frame in the page's own process is as busy as the page, which `ScriptWatch` watches.
    if (world.channel === tab.target.channel) return { world, page: await reading };
    const pingFrame = () => world.channel.session.send('Runtime.evaluate', { expression: '0' });
    const page = await race(
      reading,
      whenSilent(pingFrame, ping, FRAME_TIMEOUT_MS, () => null),
      afterPageMs(ping, MAX_FRAME_MS, MAX_FRAME_MS, () => null),
    );
    return page === null ? null : { world, page };
  } catch (error) {
    if (collection.deadline.signal.aborted || error instanceof Interrupted) throw error;
    return null;
  }
}

function dropOldDocuments(state: ObservationState, tab: Tab): void {
  if (state.documents.size < MAX_DOCUMENTS) return;
  const current = tab.target.worlds.find(tab.mainFrameId)?.uniqueId;
  for (const uniqueId of state.documents.keys()) if (uniqueId !== current) state.documents.delete(uniqueId);
}
