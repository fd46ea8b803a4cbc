import { afterMs, onAbort, waitUntil } from '../../../async/race.ts';
import { MAX_HOLD_SECONDS } from '../../../domain/specialActions/gestureDefinitions.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import { comparedPress } from '../pointer/clickGuard.ts';
import { whileHolding } from '../pointer/heldKeys.ts';
import { invalidValue } from './actionValue.ts';
import { findTarget, gestureTargetOf, moveTo } from './gestureTarget.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** Time for which the button is held if the value has no number of seconds. Most pages react after half a second. */
const DEFAULT_HOLD_SECONDS = 1;

/**
 * Presses the mouse button on the target in the value, and releases it after some seconds.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `resolveElement`
 */
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
