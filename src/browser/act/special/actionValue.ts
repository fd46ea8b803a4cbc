/** Reads the value of a special action; creates the failures for a missing or invalid value. */
import { Failure } from '../../../domain/failures.ts';
import {
  SPECIAL_ACTION_DEFINITIONS,
  type SpecialActionDefinition,
} from '../../../domain/specialActionDefinitions.ts';
import type { SpecialActionContext } from './specialActionContext.ts';

/** Returns the parameter with this name, else `value`. @throws Failure VALIDATION_ERROR when both are missing or blank */
export function requiredValue({ command, id }: SpecialActionContext, param: string): string {
  const value = command.params[param] ?? command.value;
  if (value != null && value.trim() !== '') return value;
  const definition: SpecialActionDefinition = SPECIAL_ACTION_DEFINITIONS[id];
  const what = definition.value?.description ?? 'a value';
  throw new Failure('VALIDATION_ERROR', `${id} needs ${what} in "value".`, {
    errors: [{ path: 'value', message: `is required: ${what}` }],
  });
}

/** @param message the requirement on the value, such as `must be one of T1, T2` */
export const invalidValue = (id: string, message: string, value: string): Failure =>
  new Failure('VALIDATION_ERROR', `${id}: ${message}; got "${value.slice(0, 100)}".`, {
    errors: [{ path: 'value', message }],
  });
