import { Failure } from '../../../domain/failure/failures.ts';
import { isTransformed } from '../../../domain/space/placement.ts';
import { raceDeadline, shortenDeadline } from '../../cdp/cdpChannel.ts';
import { isInputDispatched, isTimeout } from '../../cdp/playwrightInternals.ts';
import { endlessDialogsFailure } from '../../tab/tabDialogs.ts';
import { type ElementContext, invalidText } from '../element/elementContext.ts';
import {
  blockedFailure,
  READY_TIMEOUT_MS,
  scrollIntoView,
  toBlockedFailure,
  whenStable,
} from '../ready/whenReady.ts';
import { ClickIntercepted, comparedPress, guardedClick, readLater, resultOfPress } from './clickGuard.ts';
import { inPagePixels, type Point, viewportPoint } from './geometry.ts';
import { isReachedThrough } from './placedDocuments.ts';

/** Returns the point of the visible page at which the element can be pressed; scrolls it into view. Null if it is not ready for a press. */
export async function pressablePoint(element: ElementContext): Promise<Point | null> {
  const { inView, listed, world, coveredBy, isBelowBar, guard, hasBox } = element;
  if (inView !== null) return inView;
  if (!hasBox || (coveredBy !== null && !isBelowBar) || listed.framePath.length > 0) return null;
  const revealed = await world.callAgent('reveal', listed.key);
  if (revealed === null) return null;
  guard.armed = true;
  return { x: revealed[0], y: revealed[1] };
}

/** A longer press than 400 to 500 ms is a long press, and makes a stepper repeat. */
const HELD_TIMEOUT_MS = 300;
const HELD_FRAMES = 3;

/** Gives the page the time in which a hand holds the button: some listen for the release only in a frame after the press. */
const betweenPressAndRelease = ({ world }: ElementContext): Promise<unknown> =>
  world.callAgent('waitForFrames', HELD_FRAMES, HELD_TIMEOUT_MS);

/** Presses a point; the click guard cancels what would reach something else. Returns false if the busy page has not confirmed it. */
export async function pressAtOnce(element: ElementContext, { x, y }: Point): Promise<boolean> {
  const { tab, world, listed, guard, hearsArrival } = element;
  using deadline = shortenDeadline(element.deadline, READY_TIMEOUT_MS);
  const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', pressed: boolean) =>
    tab.target.channel.send(
      'Input.dispatchMouseEvent',
      pressed ? { type, x, y, button: 'left', buttons: 1, clickCount: 1 } : { type, x, y },
      deadline,
    );
  const press = async (): Promise<void> => {
    if (!guard.armed) await world.callAgent('armClickGuard', listed.key, true);
    guard.armed = false;
    const moved = send('mouseMoved', false);
    // A page that reacts to the arriving pointer does so before the press, as for a hand; else all goes in one message.
    if (hearsArrival) await moved;
    const down = Promise.all([moved, send('mousePressed', true)]);
    if (element.hearsPressOnly) await down.then(() => betweenPressAndRelease(element));
    await Promise.all([down, send('mouseReleased', true)]);
  };
  try {
    await raceDeadline(press(), deadline);
    return true;
  } catch (error) {
    if (element.deadline.signal.aborted || !deadline.signal.aborted) throw error;
    return false;
  }
}

/** Matches a point such as `10,20`: CSS pixels from the element's top left corner. */
const POINT_PATTERN = /^(-?\d+(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)$/;

/** Maximum number of presses until Chromium delivers one: it delivers none while a page of the same process shows a dialog. */
const MAX_DROPPED_PRESSES = 20;

/** Matches a time such as `10:30`. */
const TIME_PATTERN = /^\s*\d{1,2}:\d\d\s*$/;

/** Clicks the element, a point of it or a time of a day. @throws Failure ACTION_BLOCKED, VALIDATION_ERROR */
export async function click(element: ElementContext): Promise<void> {
  if (TIME_PATTERN.test(element.value ?? '')) return clickTime(element, element.value ?? '');
  const point = parsePoint(element.value);
  const position = point ?? element.clickPoint;
  if (!element.hasBox) return clickInPage(element);
  if (element.through) return clickThrough(element, position);
  if (point === undefined && element.isRegion) return clickAt(element, await freePlace(element));
  // A canvas is drawn again in the frame after the pointer has arrived, which Playwright waits for.
  if (point === undefined && element.listed.control !== 'canvas') {
    const at = await pressablePoint(element);
    if (at !== null && ((await clickInView(element, at)) || (await openedByPointer(element, at)))) return;
  }
  await clickAt(element, position);
}

/**
 * Brings a scrollable region into view. Returns a point of it on which nothing listed lies, from its corner; null for its middle.
 * @throws Failure ACTION_BLOCKED if its entries fill it, so that a press would be one on an entry
 */
async function freePlace(element: ElementContext): Promise<Point | null> {
  await scrollIntoView(element);
  const { id, key, description } = element.listed;
  const now = await element.world.callAgent('resolve', key);
  if (now.state === 'gone' || now.status !== 'valid') return null;
  if (now.inView !== null)
    return now.point && inPagePixels({ x: now.point[0], y: now.point[1] }, element.placement);
  const why = `What is listed in ${id} (${description}) fills it: press one of its entries, or a point "x,y" of it. S9, S10 and S22 scroll it.`;
  throw new Failure('ACTION_BLOCKED', why, { retryable: false });
}

/** Clicks a day of a week view at a time. @throws Failure VALIDATION_ERROR */
async function clickTime(element: ElementContext, time: string): Promise<void> {
  const { x, y } = await pointOfTime(element, time);
  // The rows of the times lie above the day, and take the press for it.
  const { mouse } = element.tab.page;
  await comparedPress(element, async () => {
    if (!element.hearsPressOnly) return mouse.click(x, y);
    await mouse.move(x, y);
    await mouse.down();
    await betweenPressAndRelease(element);
    await mouse.up();
  });
}

/** Returns the point of the viewport of a time of a day in a week view, which is scrolled into view. @throws Failure VALIDATION_ERROR */
export async function pointOfTime({ world, listed }: ElementContext, time: string): Promise<Point> {
  const at = listed.framePath.length > 0 ? null : await world.callAgent('timePoint', listed.key, time);
  if (at !== null) return { x: at[0], y: at[1] };
  const message =
    'must be empty, a point "x,y" in pixels, or a time that the day of a week view shows and nothing covers';
  throw new Failure('VALIDATION_ERROR', `${listed.id} has no free place at ${time.trim()}.`, {
    errors: [{ path: 'value', message }],
  });
}

/** Clicks a point of the viewport at which something else receives the click for the element. */
async function clickThrough(
  element: ElementContext,
  position: Point | null,
  kind: ClickKind = {},
): Promise<void> {
  await scrollIntoView(element);
  const { x, y } = await viewportPoint(element, position);
  await comparedPress(element, () => element.tab.page.mouse.click(x, y, kind));
}

/** Returns false if something else was under the pointer. @throws StaleAction; Failure ACTION_BLOCKED for dialogs without end */
async function clickInView(element: ElementContext, at: Point): Promise<boolean> {
  const { tab } = element;
  for (let tries = MAX_DROPPED_PRESSES; tries > 0; tries--) {
    const { openedDialogCount } = tab;
    if (!(await pressAtOnce(element, at))) {
      readLater(element);
      return true;
    }
    const result = await resultOfPress(element);
    // Chromium drops the input that comes while a dialog is open.
    const isDropped = result === 'unseen' && tab.openedDialogCount > openedDialogCount;
    if (!isDropped) return result !== 'intercepted';
  }
  throw endlessDialogsFailure();
}

/** Returns true, and adds a note, if the arriving pointer has replaced the element by what it opens, so that no press is needed. */
async function openedByPointer(
  { world, listed, addEffectCheck }: ElementContext,
  { x, y }: Point,
): Promise<boolean> {
  if (!(await world.callAgent('gaveWay', listed.key, x, y))) return false;
  const note = `${listed.id} was not pressed: it has opened under the pointer, and is hidden until the pointer leaves.`;
  addEffectCheck?.(async () => note);
  return true;
}

export interface ClickKind {
  readonly button?: 'right';
  readonly clickCount?: 2;
}

/** Clicks a point of an element that has a box; null for its middle. @throws Failure ACTION_BLOCKED */
export async function clickAt(
  element: ElementContext,
  position: Point | null,
  kind: ClickKind = {},
): Promise<void> {
  if (element.through) return clickThrough(element, position, kind);
  try {
    if (isTransformed(element.placement)) return await clickInTransformedFrame(element, position, kind);
    await whenStable(element, options =>
      guardedClick(element, options.force === true, () =>
        element.locator.click({ ...options, ...kind, noWaitAfter: true, ...(position && { position }) }),
      ),
    );
  } catch (error) {
    handleClickError(element, error);
  }
}

/** Clicks an element in a frame that is drawn scaled or turned: Playwright looks for it where it would be at its own size. @throws ClickIntercepted */
async function clickInTransformedFrame(
  element: ElementContext,
  position: Point | null,
  kind: ClickKind,
): Promise<void> {
  await scrollIntoView(element);
  await guardedClick(element, true, async () => {
    const point = await viewportPoint(element, position);
    if (!(await isReachedThrough(element.frames, point))) throw new ClickIntercepted();
    await element.tab.page.mouse.click(point.x, point.y, kind);
  });
}

/** Parses the value of a click: a point `x,y`; undefined if the value is empty. @throws Failure VALIDATION_ERROR for any other text */
function parsePoint(value: string | null): { x: number; y: number } | undefined {
  if (value === null || value.trim() === '') return undefined;
  const match = POINT_PATTERN.exec(value.trim());
  if (match === null)
    throw invalidText(
      'A click takes no value, or a point such as "10,20"',
      value,
      'must be empty or a point "x,y" in pixels',
    );
  return { x: Number(match[1]), y: Number(match[2]) };
}

/** Calls the element's DOM method `click()`: the page's handlers run, but the pointer does not move. */
export async function clickInPage(element: ElementContext): Promise<void> {
  await element.world.callAgent('clickElement', element.listed.key);
}

/** Throws the failure for an error of a click. Throws nothing when the page has received the click. */
function handleClickError(element: ElementContext, error: unknown): void {
  if (error instanceof ClickIntercepted) throw blockedFailure(element, 'covered', error);
  // The page is busy with the click; the next read of the page waits for it.
  if (isTimeout(error) && isInputDispatched(error)) return;
  throw toBlockedFailure(element, error);
}
