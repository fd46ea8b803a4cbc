/** S16: the mouse over an element, or over a point of it. */
import { Failure } from '../../domain/failures.ts';
import type { StepCommand } from '../../domain/ports.ts';
import type { FindActing } from './acting.ts';
import { notReady, whenStill } from './click.ts';
import { oneEnd } from './ends.ts';

/** S16: an id, or a point of its element ("B3@10,20"). */
export async function hover(command: StepCommand, find: FindActing): Promise<void> {
  const text = (command.params.action_id ?? command.params.actionId ?? command.value ?? '').trim();
  const end = oneEnd(text);
  if (end === null)
    throw new Failure(
      'VALIDATION_ERROR',
      'S16 needs the id of a listed element in "value", such as B3, or a point of it, such as B3@10,20.',
      { errors: [{ path: 'value', message: 'must be the id of a listed element' }] },
    );
  const acting = await find(end.id);
  try {
    const { position } = end;
    await whenStill(acting, options => acting.locator.hover({ ...options, ...(position && { position }) }));
  } catch (error) {
    throw notReady(acting, error);
  }
}
