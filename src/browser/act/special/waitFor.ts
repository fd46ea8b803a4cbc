import { parseWaitCondition, WAIT_FOR_GRAMMAR } from '../../../domain/specialActions/waitCondition.ts';
import { invalidValue, requiredValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/**
 * Waits until the condition in the value is met.
 * @throws Failure VALIDATION_ERROR when the value is no condition; WAIT_TIMEOUT
 */
export const waitFor: PerformSpecialAction = async context => {
  const text = requiredValue(context, 'condition');
  const condition = parseWaitCondition(text);
  if (condition === null) throw invalidValue(context.id, `must be ${WAIT_FOR_GRAMMAR}`, text);
  await context.waitFor(condition);
};
