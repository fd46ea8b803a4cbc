import { type ClickKind, clickAt } from '../pointer/click.ts';
import { whileHolding } from '../pointer/heldKeys.ts';
import { assertNoRest, findTarget, gestureTargetOf } from './gestureTarget.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/**
 * Returns a function that clicks the target in the value: once, twice or with the right button; keys such as Shift can be
 * held meanwhile.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `resolveElement`
 */
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
