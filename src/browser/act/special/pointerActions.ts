import { afterMs, onAbort, waitUntil } from '../../../async/race.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import { MAX_HOLD_SECONDS } from '../../../domain/specialActions/specialActionDefinition.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import { type ClickKind, clickAt } from '../pointer/click.ts';
import { comparedPress } from '../pointer/clickGuard.ts';
import { whileHolding } from '../pointer/heldKeys.ts';
import { assertNoRest, findTarget, gestureTargetOf, moveTo } from './gestureTarget.ts';
import { invalidValue, type PerformSpecialAction } from './specialActionContext.ts';

/** Clicks the target in the value, with keys held. @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and those of `resolveElement` */
export const clickGesture =
  (kind: ClickKind): PerformSpecialAction =>
  async context => {
    const { tab } = context;
    const read = gestureTargetOf(context);
    assertNoRest(context, read);
    const found = await findTarget(context, read.target);
    const { element, position, modifiers } = found;
    await tab.interruptible(
      whileHolding(tab, modifiers, () =>
        element === null
          ? tab.page.mouse.click(position.x, position.y, kind)
          : clickAt(element, position ?? element.clickPoint, kind),
      ),
    );
  };

/** Moves the mouse over the target in the value. */
export const hover: PerformSpecialAction = async context => {
  const read = gestureTargetOf(context);
  assertNoRest(context, read);
  const found = await findTarget(context, read.target);
  await context.tab.interruptible(whileHolding(context.tab, found.modifiers, () => moveTo(context, found)));
};

/** Time for which the button is held if the value has no number of seconds. Most pages react after half a second. */
const DEFAULT_HOLD_SECONDS = 1;

/** Holds the button on the target for some seconds. */
export const pressAndHold: PerformSpecialAction = async context => {
  const { id, tab, deadline, command } = context;
  const { target, rest } = gestureTargetOf(context);
  const text = (command.params.seconds ?? rest).replace(/^[,\s]+|\s*s(?:econds?)?$/gi, '');
  const seconds = text === '' ? DEFAULT_HOLD_SECONDS : Number(text);
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > MAX_HOLD_SECONDS)
    throw invalidValue(
      id,
      `takes a target and a number of seconds from 0 to ${MAX_HOLD_SECONDS}, such as "B1 2"`,
      text,
    );
  const found = await findTarget(context, target);
  const { mouse } = tab.page;
  const hold = async (): Promise<void> => {
    await moveTo(context, found);
    try {
      if (found.element === null) await mouse.down();
      else await comparedPress(found.element, () => mouse.down());
      await waitUntil(
        afterMs(seconds * 1_000),
        onAbort(deadline.signal, () => deadlineFailure(deadline)),
        tab.onInterrupt,
      );
    } finally {
      await mouse.up();
    }
  };
  await tab.interruptible(whileHolding(tab, found.modifiers, hold));
};

/** Value that scrolls a region of the page: the id of its element, and optionally the number of pixels: `B4`, or `B4 300`. */
const REGION = /^([LBI]\d+)(?:[\s,]+(\d+)(?:px)?)?$/i;

/**
 * Returns a function that scrolls the page, or the region whose id is in the value, by the number of pixels in the value.
 * Without a number it scrolls by 85 % of the height.
 * @throws Failure VALIDATION_ERROR; ACTION_BLOCKED when neither the region nor the page can be scrolled
 */
export const scroll =
  (direction: 'down' | 'up'): PerformSpecialAction =>
  async ({ id, command, topWorld, resolveElement }) => {
    const sign = direction === 'down' ? 1 : -1;
    const value = (command.params.pixels ?? command.value ?? '').trim();
    const [, regionId, regionPixels] = REGION.exec(value) ?? [];
    if (regionId !== undefined) {
      const { world, listed } = await resolveElement(regionId.toUpperCase());
      const pixels = regionPixels === undefined ? null : Number(regionPixels);
      const result = await world.callAgent('scrollRegion', listed.key, sign, pixels);
      if (result === 'not scrollable')
        throw new Failure(
          'ACTION_BLOCKED',
          `${id}: neither ${listed.id} (${listed.description}) nor the page scrolls.`,
          { retryable: false },
        );
      return;
    }
    const pixels = value === '' ? null : Number(value.replace(/px$/i, ''));
    if (pixels !== null && (!Number.isFinite(pixels) || pixels < 0))
      throw invalidValue(id, 'must be a number of pixels, or the id of a scrollable region', value);
    await (await topWorld()).callAgent('scrollRegion', null, sign, pixels);
  };

/** Matches the pixels down, `300`, or the pixels right and down, `100,0`. */
const PIXELS = /^[,\s]*(-?\d+(?:\.\d+)?)(?:\s*[,;]\s*(-?\d+(?:\.\d+)?))?\s*(?:px)?$/i;

/** Pixels of one notch of a mouse wheel. Pages often count notches instead of pixels. */
const NOTCH_PIXELS = 120;
/** Maximum number of notches that the wheel is turned by one after the other; beyond it each turn is larger. */
const MAX_TURNS = 60;

/**
 * Turns the mouse wheel over the target in the value, notch by notch.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `resolveElement`
 */
export const turnWheel: PerformSpecialAction = async context => {
  const { id, tab, command } = context;
  const { target, rest } = gestureTargetOf(context);
  const text = command.params.pixels ?? rest;
  const match = PIXELS.exec(text);
  if (match === null)
    throw invalidValue(
      id,
      'takes a target and pixels: "B1 300" turns the wheel down, "B1 -300" up, "B1 100,0" to the right',
      command.value ?? text,
    );
  const [first, second] = [Number(match[1]), match[2]];
  const [right, down] = second === undefined ? [0, first] : [first, Number(second)];
  const found = await findTarget(context, target);
  const turns = Math.min(
    MAX_TURNS,
    Math.max(1, Math.ceil(Math.max(Math.abs(right), Math.abs(down)) / NOTCH_PIXELS)),
  );
  const turn = async (): Promise<void> => {
    await moveTo(context, found);
    for (let n = 0; n < turns; n++) await tab.page.mouse.wheel(right / turns, down / turns);
  };
  await tab.interruptible(whileHolding(tab, found.modifiers, turn));
};
