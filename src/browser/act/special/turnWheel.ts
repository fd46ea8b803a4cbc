import { whileHolding } from '../pointer/heldKeys.ts';
import { invalidValue } from './actionValue.ts';
import { findTarget, gestureTargetOf, moveTo } from './gestureTarget.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

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
