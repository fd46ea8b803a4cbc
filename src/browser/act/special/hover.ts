import { Failure } from '../../../domain/failures.ts';
import { toBlockedFailure } from '../blockedFailure.ts';
import { parseSinglePointerTarget } from '../pointerTargets.ts';
import { whenStable } from '../whenStable.ts';
import type { PerformSpecialAction, SpecialActionContext } from './specialActionContext.ts';

/**
 * Moves the mouse over the element in the value: over its middle (`B3`), or over a point in pixels from its top left
 * corner (`B3@10,20`).
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `resolveElement`
 */
export const hover: PerformSpecialAction = context => context.tab.interruptible(moveOver(context));

async function moveOver({ id, command, resolveElement }: SpecialActionContext): Promise<void> {
  const text = (command.params.action_id ?? command.params.actionId ?? command.value ?? '').trim();
  const target = parseSinglePointerTarget(text);
  if (target === null)
    throw new Failure(
      'VALIDATION_ERROR',
      `${id} needs the id of a listed element in "value", such as B3, or a point of it, such as B3@10,20.`,
      { errors: [{ path: 'value', message: 'must be the id of a listed element' }] },
    );
  const element = await resolveElement(target.id);
  try {
    const { position } = target;
    await whenStable(element, options =>
      element.locator.hover({ ...options, ...(position && { position }) }),
    );
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
}
