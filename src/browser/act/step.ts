/** One step: find what the id stands for, see that it still means what was listed, act, wait until the page is quiet. */

import { Failure, isFailure } from '../../domain/failures.ts';
import type { StepOutcome, StepRequest } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { StaleTarget } from '../../domain/staleSuggestions.ts';
import { raceDeadline } from '../cdp/cdpChannel.ts';
import { isDocumentGone, pageCrashedFailure, toFailure } from '../cdp/errors.ts';
import type { ElementResolution } from '../injected/perceive/wireFormat.ts';
import type { ElementRegistry, ListedElement } from '../perceive/elementRegistry.ts';
import type { ObservationState } from '../perceive/observeTab.ts';
import { markBeforeStep, settleDocument, settleTab } from '../tab/settle.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';
import { actOnElement } from './actOnElement.ts';
import {
  COVERED_READY_TIMEOUT_MS,
  type ElementContext,
  locatorOf,
  READY_TIMEOUT_MS,
} from './elementContext.ts';
import { drag } from './special/drag.ts';
import { hover } from './special/hover.ts';
import { scroll } from './special/scroll.ts';
import { SPECIAL_ACTION_LIST } from './special/specialActions.ts';

/** What a step has at hand of its lease. */
export interface StepContext {
  readonly tabs: TabSet;
  memoryOf(tab: Tab): ObservationState;
  /** Reads the page anew, so that twins of re-rendered elements get their ids back. */
  reobserve(deadline: Deadline): Promise<void>;
  goto(url: string, deadline: Deadline): Promise<void>;
  readonly navigationTimeoutMs: number;
  readonly uploadPath: (id: string) => Promise<string | null>;
  /**
   * Resolves when the downloads that the step began are kept, or soon.
   * @param isAnnounced whether one is on its way that Playwright may not have told of yet
   */
  waitForDownloads(isAnnounced: boolean): Promise<void>;
}

const SPECIAL_ACTIONS_BY_ID = new Map(SPECIAL_ACTION_LIST.map(action => [action.id, action]));
const DIALOG_ACTIONS = new Set(['S14', 'S15']);

/** @throws Failure ACTION_NOT_FOUND, NOT_OBSERVED, ACTION_STALE (without its space), ACTION_BLOCKED, VALIDATION_ERROR and those of goto */
export async function step(
  context: StepContext,
  command: StepRequest,
  deadline: Deadline,
): Promise<StepOutcome> {
  const { tabs } = context;
  const tab = tabs.active;
  const { actionId } = command;
  if (!context.memoryOf(tab).registry.hasObserved && !actionId.startsWith('S'))
    throw new Failure(
      'NOT_OBSERVED',
      `The page has not been observed yet, so ${actionId} is not known. Observe first.`,
    );
  if (tab.dialog !== null && !DIALOG_ACTIONS.has(actionId)) await dismissDialog(tab);
  const outcome = {
    description: null,
    scrape: actionId === 'S2',
    screenshot: actionId === 'S3',
    terminate: actionId === 'S8',
  };
  const specialAction = SPECIAL_ACTIONS_BY_ID.get(actionId);
  if (specialAction !== undefined) {
    const mark = specialAction.settles
      ? await markBeforeStep(tab, context.memoryOf(tab).installed, deadline)
      : null;
    const goto = (url: string) => context.goto(url, deadline);
    await ignoreInterruption(
      specialAction.perform({
        tab,
        tabs,
        command,
        deadline,
        navigationTimeoutMs: context.navigationTimeoutMs,
        goto,
      }),
      deadline,
    );
    if (mark !== null) await settleAfterStep(context, tab, mark, deadline);
    return { ...outcome, description: specialAction.description };
  }
  // Sent ahead of what finds the element, and answered before it: no round trip of its own.
  const marked = markBeforeStep(tab, context.memoryOf(tab).installed, deadline);
  marked.catch(() => {});
  const description = await actOnPage(context, tab, command, deadline);
  await settleAfterStep(context, tab, await marked, deadline);
  return { ...outcome, description };
}

async function settleAfterStep(
  context: StepContext,
  tab: Tab,
  mark: Awaited<ReturnType<typeof markBeforeStep>>,
  deadline: Deadline,
): Promise<void> {
  const { tabs } = context;
  await settleTab(tab, mark, context.memoryOf(tab).installed, deadline);
  if (tab.crashed) throw pageCrashedFailure();
  await tabs.waitForWindows();
  await context.waitForDownloads(
    tab.network.downloadNavigationCount > (mark.downloadNavigationCount ?? Number.POSITIVE_INFINITY),
  );
  const now = tabs.active;
  if (now !== tab) await settleTab(now, { requestNumber: 0 }, context.memoryOf(now).installed, deadline);
}

async function actOnPage(
  context: StepContext,
  tab: Tab,
  command: StepRequest,
  deadline: Deadline,
): Promise<string> {
  const { actionId } = command;
  const resolve = (id: string) => resolveElement(context, tab, id, command, deadline);
  switch (actionId) {
    case 'S9':
    case 'S10':
      await ignoreInterruption(
        scroll(command, actionId === 'S9' ? 1 : -1, await tab.world(deadline), resolve),
        deadline,
      );
      return actionId === 'S9' ? 'scroll down' : 'scroll up';
    case 'S16':
      await ignoreInterruption(tab.interruptible(hover(command, resolve)), deadline);
      return 'hover';
    case 'S17':
      await ignoreInterruption(
        tab.interruptible(drag(command, tab, () => tab.world(deadline), resolve)),
        deadline,
      );
      return 'drag';
    default: {
      if (actionId.startsWith('S'))
        throw new Failure(
          'ACTION_NOT_FOUND',
          `There is no action ${actionId}. The special actions are S1 to S17.`,
        );
      const element = await resolve(actionId);
      const inner = element.listed.framePath.length > 0 ? element.world : null;
      if (inner !== null) await inner.callAgent('markStep');
      const acted = raceDeadline(actOnElement(element), deadline).catch(error =>
        throwStaleIfGone(element, error),
      );
      await ignoreInterruption(tab.interruptible(acted), deadline);
      if (inner !== null) await settleFrame(tab, inner);
      return element.listed.description;
    }
  }
}

/** What is removed while a step waits for it to be ready is not blocked: it is gone. */
async function throwStaleIfGone({ world, listed }: ElementContext, error: unknown): Promise<never> {
  if (!isFailure(error) || error.code !== 'ACTION_BLOCKED') throw error;
  const gone = await world
    .call<boolean>('key => __pagespace.element(key) === null', listed.key)
    .catch(() => false);
  throw gone ? staleAction(listed.id, listed, 'its element went away while the step waited for it') : error;
}

/** What a step in a frame changed, it changed there; the page around it is looked at afterwards. */
async function settleFrame(tab: Tab, frame: ElementContext['world']): Promise<void> {
  // A frame that went elsewhere is waited for with the page's requests.
  await tab.interruptible(settleDocument(frame)).catch(() => {});
}

/** A dialog that the action opened, or a page that it closed, ends the action well; the element going away with its page too. */
async function ignoreInterruption(work: Promise<void>, deadline: Deadline): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (deadline.signal.aborted || !(error instanceof Interrupted || isDocumentGone(error)))
      throw toFailure(error, deadline);
  }
}

/** Anything but S14 and S15 dismisses an open dialog first. */
export async function dismissDialog(tab: Tab): Promise<void> {
  const { dialog } = tab;
  tab.dialog = null;
  await dialog?.dismiss().catch(() => {});
}

/** The element behind an id, seen to mean what was listed. */
async function resolveElement(
  context: StepContext,
  tab: Tab,
  id: string,
  command: StepRequest,
  deadline: Deadline,
): Promise<ElementContext> {
  const { registry } = context.memoryOf(tab);
  const known = registry.lookup(id);
  if (known.state === 'never')
    throw new Failure(
      'ACTION_NOT_FOUND',
      `${id} was never listed in this session. Choose an id of the latest observation.`,
    );
  if (known.state === 'past') throw staleAction(id, known.was, 'its page is gone');
  const found =
    (await findElement(tab, known.listed, deadline)) ?? (await findAfterRerender(context, tab, id, deadline));
  if (found === null) throw staleAction(id, known.listed, 'its element is gone');
  const { listed, resolution, world } = found;
  if (resolution.fingerprint !== known.listed.fingerprint)
    throw staleAction(id, known.listed, 'its element means something else now');
  if (resolution.status === 'excluded' && !/^S(9|10|16|17)$/.test(command.actionId))
    throw new Failure('ACTION_BLOCKED', `${id} (${listed.description}) is disabled.`);
  return {
    tab,
    listed,
    world,
    locator: locatorOf(tab, listed),
    label: locatorOf(tab, listed, 'l'),
    value: command.value ?? Object.values(command.params)[0] ?? null,
    enter: command.enter,
    hasBox: resolution.hasBox,
    clickPoint: resolution.point === null ? null : { x: resolution.point[0], y: resolution.point[1] },
    coveredBy: describeCover(registry, listed, resolution),
    readyTimeoutMs: resolution.status === 'covered' ? COVERED_READY_TIMEOUT_MS : READY_TIMEOUT_MS,
    uploadPath: context.uploadPath,
    deadline,
  };
}

/** What lies on the element, and the id by which it can be acted on if it is listed. */
function describeCover(
  registry: ElementRegistry,
  { document }: ListedElement,
  resolution: PresentResolution,
): string | null {
  const { coveredBy, coveredByKey } = resolution;
  if (coveredBy === null) return null;
  const id = coveredByKey === null ? null : registry.findId(document, coveredByKey);
  return id === null ? coveredBy : `${coveredBy} (listed as ${id})`;
}

/** ACTION_STALE, with what was meant: the lease adds the fresh space, the likeliest first. */
export class StaleAction extends Failure {
  readonly target: StaleTarget;

  constructor(id: string, description: string | null, why: string, meant: StaleTarget) {
    const what = description === null ? id : `${id} (${description})`;
    super('ACTION_STALE', `${what} cannot be done: ${why}. Choose from the fresh list.`);
    this.target = meant;
  }
}

const staleAction = (id: string, listed: ListedElement, why: string): StaleAction =>
  new StaleAction(id, listed.description, why, listed);

type PresentResolution = Extract<ElementResolution, { state: 'present' }>;
interface ResolvedElement {
  readonly listed: ListedElement;
  readonly resolution: PresentResolution;
  readonly world: ElementContext['world'];
}

async function findElement(
  tab: Tab,
  listed: ListedElement,
  deadline: Deadline,
): Promise<ResolvedElement | null> {
  try {
    let world = await tab.world(deadline);
    for (const index of listed.framePath) {
      const iframe = await world.agentHandle('frameElement', index);
      const inner = iframe === null ? null : await tab.frameWorld(world, iframe, deadline);
      if (inner === null) return null;
      world = inner;
    }
    if (world.context.uniqueId !== listed.document) return null;
    const resolution = await tab.interruptible(world.callAgent('resolve', listed.key));
    return resolution.state === 'present' ? { listed, resolution, world } : null;
  } catch (error) {
    if (isDocumentGone(error)) return null;
    throw error;
  }
}

/** A page that drew itself anew may have an unmistakable twin of the element: observing gives it the id. */
async function findAfterRerender(
  context: StepContext,
  tab: Tab,
  id: string,
  deadline: Deadline,
): Promise<ResolvedElement | null> {
  await context.reobserve(deadline);
  const known = context.memoryOf(tab).registry.lookup(id);
  return known.state === 'listed' ? findElement(tab, known.listed, deadline) : null;
}
