/** S16: the mouse over an element, or over a point of it. */
import { Failure } from '../../../domain/failures.ts';
import type { StepRequest } from '../../../domain/ports/browserHost.ts';
import { toBlockedFailure, whenStable } from '../click.ts';
import type { ResolveElement } from '../elementContext.ts';
import { parseSinglePointerTarget } from '../pointerTargets.ts';

/** S16: an id, or a point of its element ("B3@10,20"). */
export async function hover(command: StepRequest, resolveElement: ResolveElement): Promise<void> {
  const text = (command.params.action_id ?? command.params.actionId ?? command.value ?? '').trim();
  const target = parseSinglePointerTarget(text);
  if (target === null)
    throw new Failure(
      'VALIDATION_ERROR',
      'S16 needs the id of a listed element in "value", such as B3, or a point of it, such as B3@10,20.',
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
