/** Finds the element for an action's id, and checks that its meaning is still the listed one. */

import { Failure } from '../../domain/failure/failures.ts';
import type { StepRequest } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { ON_TOP, type Placement, toPage } from '../../domain/space/placement.ts';
import type { WaitCondition } from '../../domain/specialActions/specialActionDefinition.ts';
import { isDocumentGone } from '../cdp/playwrightInternals.ts';
import type { PreparedAction, PressPlan } from '../injected/act/prepareAction.ts';
import type { WheelTurn } from '../injected/act/wheelTurn.ts';
import type { Control } from '../injected/perceive/wireFormat.ts';
import type { ElementRegistry, ListedElement } from '../perceive/elementRegistry.ts';
import type { ObservationState } from '../perceive/readAllFrames.ts';
import type { Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';
import {
  type ElementContext,
  type FrameAround,
  labelLocatorOf,
  locatorOf,
  StaleAction,
} from './element/elementContext.ts';
import { DragPointer } from './pointer/dragPointer.ts';
import { inPagePixels, MOUSE_STEPS, type Point } from './pointer/geometry.ts';
import { placementIn, placementOf } from './pointer/placedDocuments.ts';
import { COVERED_READY_TIMEOUT_MS, READY_TIMEOUT_MS } from './ready/whenReady.ts';

/** Argument that the lease passes to a step: the request, the tabs, and functions of the lease that the step calls. */
export interface StepContext {
  readonly tabs: TabSet;
  readonly command: StepRequest;
  readonly deadline: Deadline;
  readonly navigationTimeoutMs: number;
  /** True if the session has an observation, of whatever tab. */
  readonly hasObserved: boolean;
  /** Returns what the observations of this tab share, such as the ids of its elements. */
  stateOf(tab: Tab): ObservationState;
  /** Observes the active tab again, so that an element that replaced a listed element gets its id. The next observation tells what this one would. */
  reobserve(): Promise<void>;
  goto(url: string): Promise<void>;
  /** Waits until the condition is met. @throws Failure WAIT_TIMEOUT */
  waitFor(condition: WaitCondition): Promise<void>;
  uploadPath(id: string): Promise<string | null>;
  /** True if the step has started a download. Playwright reports that of a new window at its opener. */
  hasDownloaded(): boolean;
  /**
   * Waits until all running downloads are stored or refused, for a few seconds at most.
   * @param isAnnounced true when the step has started a download that Playwright may not have reported yet
   */
  waitForDownloads(isAnnounced: boolean): Promise<void>;
}

const MAX_DRAGS = 40;
/** Length of a drag, as a part of the window of the wheel. */
const PART_OF_WINDOW = 0.8;
/** Maximum wait until a wheel has come to rest. Milliseconds. */
const REST_TIMEOUT_MS = 1_500;
/** Minimum movement that counts. CSS pixels. */
const MIN_MOVEMENT_PX = 1;

/** Drags a wheel until an element is in its window. @throws Failure ACTION_BLOCKED if it does not turn and a press could mean another entry */
async function turnIntoView(
  tab: Tab,
  { world, listed }: Pick<ElementContext, 'world' | 'listed'>,
  deadline: Deadline,
): Promise<void> {
  const isInFrame = listed.framePath.length > 0;
  let turn = await world.callAgent('wheelTurn', listed.key);
  const half = deadline.remainingMs() / 2;
  for (let nth = 0; turn !== null && nth < MAX_DRAGS && deadline.remainingMs() > half; nth++) {
    const { touch }: WheelTurn = turn;
    // The pointer takes coordinates of the page; the last call may have scrolled it.
    const placement = isInFrame ? await placementOf(await tab.world(deadline), world, deadline) : ON_TOP;
    if (placement === null) return;
    const [from, to] = endsOf(turn, placement);
    await DragPointer.use(tab, { touch }, deadline, async pointer => {
      await pointer.moveTo(from);
      await pointer.press();
      await pointer.moveAlong(to, MOUSE_STEPS, world);
      await pointer.rest(world);
    });
    await world.callAgent('waitUntilStill', listed.key, REST_TIMEOUT_MS);
    const next: WheelTurn | null = await world.callAgent('wheelTurn', listed.key);
    const isStill = next !== null && movement(turn, next) < MIN_MOVEMENT_PX;
    turn = next;
    if (isStill) break;
  }
  if (turn === null || turn.explicit) return;
  const why = `${listed.id} (${listed.description}) lies outside of the visible part of its box, which a drag does not turn that far. Bring it into view first: with the buttons of the box, S16 (drag) or S22 (wheel).`;
  throw new Failure('ACTION_BLOCKED', why);
}

/** Returns where a drag starts and ends: through the middle of the window, at most a part of it. */
function endsOf(
  { center, size: [width, height], distance: [right, down] }: WheelTurn,
  placement: Placement,
): readonly [Point, Point] {
  const [x, y] = center;
  const across = limit(right, width * PART_OF_WINDOW) / 2;
  const along = limit(down, height * PART_OF_WINDOW) / 2;
  return [
    toPage(placement, { x: x - across, y: y - along }),
    toPage(placement, { x: x + across, y: y + along }),
  ];
}

const limit = (distance: number, max: number): number => Math.max(-max, Math.min(max, distance));

const movement = (one: WheelTurn, other: WheelTurn): number =>
  Math.hypot(one.distance[0] - other.distance[0], one.distance[1] - other.distance[1]);

/** Time between two checks whether a disabled element is enabled now, if the caller waits for it. Milliseconds. */
const ENABLED_CHECK_INTERVAL_MS = 100;

/** Maximum wait for the transition of an element that appears below the pointer. Milliseconds. */
const HOVER_TIMEOUT_MS = 500;

type PresentResolution = Extract<PreparedAction, { state: 'present' }>;

/** The meaning that the element must still have, and whether the step presses it. */
interface Sought {
  readonly fingerprint: string;
  readonly plan: PressPlan;
  /** True if the step presses it in any case, and nothing is asked before: then it may be scrolled into view at once. */
  readonly mayScroll: boolean;
}

/** Controls that are not pressed at once: Playwright waits for the next picture of a canvas, and media takes commands. */
const NEVER_PRESSED: readonly Control[] = ['canvas', 'media'];
const FOCUSED_BY_PRESS: readonly Control[] = ['text', 'contenteditable', 'number'];
/** Controls whose value a press sets: it repeats no effect of a press that became no click. */
export const SET_BY_PRESS: readonly Control[] = ['click', 'checkbox', 'radio'];

function pressPlanOf(control: Control, value: string | null): PressPlan {
  if (NEVER_PRESSED.includes(control)) return 'never';
  if (value === null || SET_BY_PRESS.includes(control)) return 'always';
  return FOCUSED_BY_PRESS.includes(control) ? 'if not focused' : 'never';
}

const isPressedAnyway = (control: Control, value: string | null): boolean =>
  control === 'click' ? value === null : control === 'text' || control === 'contenteditable';

interface ResolvedElement {
  readonly listed: ListedElement;
  readonly resolution: PresentResolution;
  readonly world: ElementContext['world'];
  readonly frames: readonly FrameAround[];
  readonly placement: Placement;
}

/** Finds an element that means what was listed. @param acceptsDisabled then nothing is pressed yet @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED */
export async function resolveElement(
  context: StepContext,
  tab: Tab,
  id: string,
  acceptsDisabled: boolean,
): Promise<ElementContext> {
  const { registry } = context.stateOf(tab);
  const { command, deadline } = context;
  const known = registry.lookup(id);
  if (known.state === 'never')
    throw new Failure(
      'ACTION_NOT_FOUND',
      `${id} was never listed in this session. Choose an id of the latest observation.`,
    );
  if (known.state === 'past') throw new StaleAction(id, known.was, 'its page is gone');
  const { fingerprint, control } = known.listed;
  const value = command.value ?? Object.values(command.params)[0] ?? null;
  const plan = acceptsDisabled ? 'never' : pressPlanOf(control, value);
  const isFree = command.assertKind === undefined && command.secret == null;
  const sought = { fingerprint, plan, mayScroll: isFree && isPressedAnyway(control, value) } as const;
  let found =
    (await findElement(tab, known.listed, sought, deadline)) ??
    (await findAfterRerender(context, tab, id, sought));
  const waitMs = Math.min(command.waitMs ?? 0, deadline.remainingMs() / 2);
  const end =
    performance.now() +
    (command.waitMs == null ? Math.min(READY_TIMEOUT_MS, deadline.remainingMs() / 2) : waitMs);
  while (!acceptsDisabled && found?.resolution.status === 'excluded' && performance.now() < end) {
    await tab.network.nextChange(ENABLED_CHECK_INTERVAL_MS);
    found = await findElement(tab, known.listed, sought, deadline);
  }
  if (found?.resolution.status === 'clipped') {
    await tab.interruptible(turnIntoView(tab, found, deadline));
    found = await findElement(tab, found.listed, sought, deadline);
  }
  if (found?.resolution.shownOnHover) found = await findWhileHovering(tab, found, sought, deadline);
  if (found === null) throw new StaleAction(id, known.listed, 'its element is gone');
  const { listed, resolution, world, frames, placement } = found;
  if (!resolution.isSame) throw new StaleAction(id, known.listed, 'its element means something else now');
  if (resolution.status === 'excluded' && !acceptsDisabled)
    throw new Failure(
      'ACTION_BLOCKED',
      `${id} (${listed.description}) is disabled.${resolution.statesDisabled ? ` The page only says so: S21 with the value ${id} presses it nevertheless.` : ''}`,
    );
  return {
    ...resolution,
    tab,
    listed,
    world,
    locator: locatorOf(tab, listed),
    label: labelLocatorOf(tab, listed),
    value,
    secret: command.secret ?? null,
    keepSecret: (text, field) => context.stateOf(tab).entered.enterVaulted(text, field, resolution.maxLength),
    enter: command.enter,
    // A press on what is disabled is asked for by a gesture: nothing waits until it is enabled.
    through: resolution.through || resolution.status === 'excluded',
    frames,
    placement,
    clickPoint:
      resolution.point === null
        ? null
        : inPagePixels({ x: resolution.point[0], y: resolution.point[1] }, placement),
    inView:
      resolution.inView === null || listed.framePath.length > 0
        ? null
        : { x: resolution.inView[0], y: resolution.inView[1] },
    guard: { armed: resolution.armed },
    isIdle: async () => false,
    coveredBy: describeCover(registry, listed, resolution),
    readyTimeoutMs: Math.max(
      resolution.status === 'covered' ? COVERED_READY_TIMEOUT_MS : READY_TIMEOUT_MS,
      waitMs,
    ),
    uploadPath: fileId => context.uploadPath(fileId),
    deadline,
  };
}

/** Describes what covers the element, with its id, so that the caller can act on it first. */
function describeCover(
  registry: ElementRegistry,
  { document }: ListedElement,
  { coveredBy, coveredByKey }: PresentResolution,
): string | null {
  if (coveredBy === null) return null;
  const id = coveredByKey === null ? null : registry.findId(document, coveredByKey);
  return id === null ? coveredBy : `${coveredBy} (listed as ${id})`;
}

/** Finds a listed element in the current document of the tab. Null when the element, its frame or its document is gone. */
async function findElement(
  tab: Tab,
  listed: ListedElement,
  { fingerprint, plan, mayScroll }: Sought,
  deadline: Deadline,
): Promise<ResolvedElement | null> {
  try {
    let world = await tab.world(deadline);
    const frames: FrameAround[] = [];
    for (const index of listed.framePath) {
      frames.push({ owner: world, index });
      const iframe = await world.agentHandle('frameElement', index);
      const inner = iframe === null ? null : await tab.frames.worldOf(world, iframe, deadline);
      if (inner === null) return null;
      world = inner;
    }
    if (world.context.uniqueId !== listed.document) return null;
    const isInFrame = listed.framePath.length > 0;
    const [resolution, placement] = await Promise.all([
      tab.interruptible(
        world.callAgent('prepareAction', listed.key, fingerprint, isInFrame ? 'never' : plan, mayScroll),
      ),
      placementIn(frames),
    ]);
    return resolution.state === 'present' && placement !== null
      ? { listed, resolution, world, frames, placement }
      : null;
  } catch (error) {
    if (isDocumentGone(error)) return null;
    throw error;
  }
}

/** Moves the pointer over the row that renders the element, and finds the element again. @throws Failure ACTION_BLOCKED */
async function findWhileHovering(
  tab: Tab,
  { listed, world }: ResolvedElement,
  sought: Sought,
  deadline: Deadline,
): Promise<ResolvedElement | null> {
  const point = listed.framePath.length > 0 ? null : await world.callAgent('hoverHostPoint', listed.key);
  if (point !== null) await tab.interruptible(tab.page.mouse.move(point[0], point[1]));
  await world.callAgent('waitForRest', 1, HOVER_TIMEOUT_MS);
  const found = await findElement(tab, listed, sought, deadline);
  if (found?.resolution.shownOnHover !== true) return found;
  const why = `${listed.id} (${listed.description}) did not appear while the pointer was over the element around it.`;
  throw new Failure('ACTION_BLOCKED', why);
}

/** Observes again, which gives the id to the one element that replaced this one, and finds that. */
async function findAfterRerender(
  context: StepContext,
  tab: Tab,
  id: string,
  sought: Sought,
): Promise<ResolvedElement | null> {
  await context.reobserve();
  const known = context.stateOf(tab).registry.lookup(id);
  return known.state === 'listed' ? findElement(tab, known.listed, sought, context.deadline) : null;
}
