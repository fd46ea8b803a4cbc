import { whileHolding } from '../pointer/heldKeys.ts';
import { assertNoRest, findTarget, gestureTargetOf, moveTo } from './gestureTarget.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/**
 * Moves the mouse over the target in the value.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `resolveElement`
 */
export const hover: PerformSpecialAction = async context => {
  const read = gestureTargetOf(context);
  assertNoRest(context, read);
  const found = await findTarget(context, read.target);
  await context.tab.interruptible(whileHolding(context.tab, found.modifiers, () => moveTo(context, found)));
};
