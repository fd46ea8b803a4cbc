/** One step: find what the id stands for, see that it still means what was listed, act, wait until the page is quiet. */
import type { Meant } from '../../domain/candidates.ts';
import { Failure, isFailure } from '../../domain/failures.ts';
import type { Deadline, StepCommand, StepOutcome } from '../../domain/ports.ts';
import { within } from '../channel.ts';
import { isDocumentGone, pageCrashed, translate } from '../errors.ts';
import type { TabMemory } from '../perceive/observeTab.ts';
import type { Resolution } from '../perceive/raw.ts';
import type { Listed, Registry } from '../perceive/registry.ts';
import { mark, settleDocument, settled } from '../settle.ts';
import { Interrupted, type Tab } from '../tab.ts';
import type { TabSet } from '../tabSet.ts';
import { type Acting, COVERED_READY_MS, locatorOf, READY_MS } from './acting.ts';
import { drag } from './drag.ts';
import { actOnElement } from './element.ts';
import { hover } from './hover.ts';
import { scroll } from './scroll.ts';
import { STANDING_ACTIONS } from './standing.ts';

/** What a step has at hand of its lease. */
export interface Stepping {
  readonly tabs: TabSet;
  memoryOf(tab: Tab): TabMemory;
  /** Reads the page anew, so that twins of re-rendered elements get their ids back. */
  reobserve(deadline: Deadline): Promise<void>;
  goto(url: string, deadline: Deadline): Promise<void>;
  readonly navigationTimeoutMs: number;
  readonly uploadPath: (id: string) => Promise<string | null>;
  /**
   * Resolves when the downloads that the step began are kept, or soon.
   * @param announced whether one is on its way that Playwright may not have told of yet
   */
  downloadsKept(announced: boolean): Promise<void>;
}

const BY_ID = new Map(STANDING_ACTIONS.map(action => [action.id, action]));
const DIALOG_ACTIONS = new Set(['S14', 'S15']);

/** @throws Failure ACTION_NOT_FOUND, NOT_OBSERVED, ACTION_STALE (without its space), ACTION_BLOCKED, VALIDATION_ERROR and those of goto */
export async function step(
  stepping: Stepping,
  command: StepCommand,
  deadline: Deadline,
): Promise<StepOutcome> {
  const { tabs } = stepping;
  const tab = tabs.active;
  const { actionId } = command;
  if (!stepping.memoryOf(tab).registry.observed && !actionId.startsWith('S'))
    throw new Failure(
      'NOT_OBSERVED',
      `The page has not been observed yet, so ${actionId} is not known. Observe first.`,
    );
  if (tab.dialog !== null && !DIALOG_ACTIONS.has(actionId)) await dismiss(tab);
  const outcome = {
    description: null,
    scrape: actionId === 'S2',
    screenshot: actionId === 'S3',
    terminate: actionId === 'S8',
  };
  const standing = BY_ID.get(actionId);
  if (standing !== undefined) {
    const since = standing.settles ? await mark(tab, stepping.memoryOf(tab).installed, deadline) : null;
    const goto = (url: string) => stepping.goto(url, deadline);
    await unlessInterrupted(
      standing.perform({
        tab,
        tabs,
        command,
        deadline,
        navigationTimeoutMs: stepping.navigationTimeoutMs,
        goto,
      }),
      deadline,
    );
    if (since !== null) await afterwards(stepping, tab, since, deadline);
    return { ...outcome, description: standing.description };
  }
  // Sent ahead of what finds the element, and answered before it: no round trip of its own.
  const marked = mark(tab, stepping.memoryOf(tab).installed, deadline);
  marked.catch(() => {});
  const description = await actOnPage(stepping, tab, command, deadline);
  await afterwards(stepping, tab, await marked, deadline);
  return { ...outcome, description };
}

async function afterwards(
  stepping: Stepping,
  tab: Tab,
  since: Awaited<ReturnType<typeof mark>>,
  deadline: Deadline,
): Promise<void> {
  const { tabs } = stepping;
  await settled(tab, since, stepping.memoryOf(tab).installed, deadline);
  if (tab.crashed) throw pageCrashed();
  await tabs.settleWindows();
  await stepping.downloadsKept(tab.activity.files > (since.files ?? Number.POSITIVE_INFINITY));
  const now = tabs.active;
  if (now !== tab) await settled(now, { request: 0 }, stepping.memoryOf(now).installed, deadline);
}

async function actOnPage(
  stepping: Stepping,
  tab: Tab,
  command: StepCommand,
  deadline: Deadline,
): Promise<string> {
  const { actionId } = command;
  const find = (id: string) => resolve(stepping, tab, id, command, deadline);
  switch (actionId) {
    case 'S9':
    case 'S10':
      await unlessInterrupted(
        scroll(command, actionId === 'S9' ? 1 : -1, await tab.world(deadline), find),
        deadline,
      );
      return actionId === 'S9' ? 'scroll down' : 'scroll up';
    case 'S16':
      await unlessInterrupted(tab.interruptible(hover(command, find)), deadline);
      return 'hover';
    case 'S17':
      await unlessInterrupted(
        tab.interruptible(drag(command, tab, () => tab.world(deadline), find)),
        deadline,
      );
      return 'drag';
    default: {
      if (actionId.startsWith('S'))
        throw new Failure(
          'ACTION_NOT_FOUND',
          `There is no action ${actionId}. The special actions are S1 to S17.`,
        );
      const acting = await find(actionId);
      const inner = acting.listed.framePath.length > 0 ? acting.world : null;
      if (inner !== null) await inner.evaluate('__pagespace.mark()');
      const acted = within(actOnElement(acting), deadline).catch(error => staleIfGone(acting, error));
      await unlessInterrupted(tab.interruptible(acted), deadline);
      if (inner !== null) await settledFrame(tab, inner);
      return acting.listed.description;
    }
  }
}

/** What is removed while a step waits for it to be ready is not blocked: it is gone. */
async function staleIfGone({ world, listed }: Acting, error: unknown): Promise<never> {
  if (!isFailure(error) || error.code !== 'ACTION_BLOCKED') throw error;
  const gone = await world
    .call<boolean>('key => __pagespace.element(key) === null', listed.key)
    .catch(() => false);
  throw gone ? stale(listed.id, listed, 'its element went away while the step waited for it') : error;
}

/** What a step in a frame changed, it changed there; the page around it is looked at afterwards. */
async function settledFrame(tab: Tab, frame: Acting['world']): Promise<void> {
  // A frame that went elsewhere is waited for with the page's requests.
  await tab.interruptible(settleDocument(frame)).catch(() => {});
}

/** A dialog that the action opened, or a page that it closed, ends the action well; the element going away with its page too. */
async function unlessInterrupted(work: Promise<void>, deadline: Deadline): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (deadline.signal.aborted || !(error instanceof Interrupted || isDocumentGone(error)))
      throw translate(error, deadline);
  }
}

/** Anything but S14 and S15 dismisses an open dialog first. */
export async function dismiss(tab: Tab): Promise<void> {
  const { dialog } = tab;
  tab.dialog = null;
  await dialog?.dismiss().catch(() => {});
}

/** The element behind an id, seen to mean what was listed. */
async function resolve(
  stepping: Stepping,
  tab: Tab,
  id: string,
  command: StepCommand,
  deadline: Deadline,
): Promise<Acting> {
  const { registry } = stepping.memoryOf(tab);
  const known = registry.look(id);
  if (known.state === 'never')
    throw new Failure(
      'ACTION_NOT_FOUND',
      `${id} was never listed in this session. Choose an id of the latest observation.`,
    );
  if (known.state === 'past') throw stale(id, known.was, 'its page is gone');
  const found =
    (await present(tab, known.listed, deadline)) ?? (await afterRerender(stepping, tab, id, deadline));
  if (found === null) throw stale(id, known.listed, 'its element is gone');
  const { listed, resolution, world } = found;
  if (resolution.fingerprint !== known.listed.fingerprint)
    throw stale(id, known.listed, 'its element means something else now');
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
    point: resolution.point === null ? null : { x: resolution.point[0], y: resolution.point[1] },
    cover: coverOf(registry, listed, resolution),
    readyMs: resolution.status === 'covered' ? COVERED_READY_MS : READY_MS,
    uploadPath: stepping.uploadPath,
    deadline,
  };
}

/** What lies on the element, and the id by which it can be acted on if it is listed. */
function coverOf(registry: Registry, { document }: Listed, resolution: Present): string | null {
  const { coveredBy, coveredByKey } = resolution;
  if (coveredBy === null) return null;
  const id = coveredByKey === null ? null : registry.idOf(document, coveredByKey);
  return id === null ? coveredBy : `${coveredBy} (listed as ${id})`;
}

/** ACTION_STALE, with what was meant: the lease adds the fresh space, the likeliest first. */
export class StaleAction extends Failure {
  readonly meant: Meant;

  constructor(id: string, description: string | null, why: string, meant: Meant) {
    const what = description === null ? id : `${id} (${description})`;
    super('ACTION_STALE', `${what} cannot be done: ${why}. Choose from the fresh list.`);
    this.meant = meant;
  }
}

const stale = (id: string, was: Listed, why: string): StaleAction =>
  new StaleAction(id, was.description, why, was);

type Present = Extract<Resolution, { state: 'present' }>;
interface Found {
  readonly listed: Listed;
  readonly resolution: Present;
  readonly world: Acting['world'];
}

async function present(tab: Tab, listed: Listed, deadline: Deadline): Promise<Found | null> {
  try {
    let world = await tab.world(deadline);
    for (const index of listed.framePath) {
      const iframe = await world.handle(`__pagespace.frameElement(${index})`);
      const inner = iframe === null ? null : await tab.frameWorld(world, iframe, deadline);
      if (inner === null) return null;
      world = inner;
    }
    if (world.context.uniqueId !== listed.document) return null;
    const json = await tab.interruptible(
      world.call<string>('key => JSON.stringify(__pagespace.resolve(key))', listed.key),
    );
    const resolution = JSON.parse(json) as Resolution;
    return resolution.state === 'present' ? { listed, resolution, world } : null;
  } catch (error) {
    if (isDocumentGone(error)) return null;
    throw error;
  }
}

/** A page that drew itself anew may have an unmistakable twin of the element: observing gives it the id. */
async function afterRerender(
  stepping: Stepping,
  tab: Tab,
  id: string,
  deadline: Deadline,
): Promise<Found | null> {
  await stepping.reobserve(deadline);
  const known = stepping.memoryOf(tab).registry.look(id);
  return known.state === 'listed' ? present(tab, known.listed, deadline) : null;
}
