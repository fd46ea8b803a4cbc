/** Reads the value of a special action, and creates the failures for a missing or invalid value. */

import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { SpecialActionDefinition } from '../../../domain/specialActions/specialActionDefinition.ts';
import { SPECIAL_ACTION_DEFINITIONS } from '../../../domain/specialActions/specialActionDefinitions.ts';
import type { SpecialActionContext } from './specialActionContext.ts';

/**
 * Returns the text that a special action needs: the command's parameter named `param`, or the command's `value` if it
 * has no such parameter.
 * @throws Failure VALIDATION_ERROR when the text is missing or blank
 */
export function requiredValue({ command, id }: SpecialActionContext, param: string): string {
  const value = command.params[param] ?? command.value;
  if (value != null && value.trim() !== '') return value;
  const definition: SpecialActionDefinition = SPECIAL_ACTION_DEFINITIONS[id];
  const what = definition.value?.description ?? 'a value';
  throw new Failure('VALIDATION_ERROR', `${id} needs ${what} in "value".`, {
    errors: [{ path: 'value', message: `is required: ${what}` }],
  });
}

/**
 * Creates VALIDATION_ERROR for the value of a special action.
 * @param id the id of the action, such as `S12`
 * @param message the requirement that the value does not meet, such as `must be one of T1, T2`
 */
export const invalidValue = (id: string, message: string, value: string): Failure =>
  new Failure('VALIDATION_ERROR', `${id}: ${message}; got "${cutText(value, 100)}".`, {
    errors: [{ path: 'value', message }],
  });
