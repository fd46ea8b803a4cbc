/** Zod's findings → VALIDATION_ERROR. */
import type { ZodError } from 'zod';
import { Failure, type FieldFault } from '../domain/failures.ts';
import { type Issue, issueInWords } from '../domain/issueInWords.ts';

/** One line a fault: the dotted path of the field, and what is wrong. Unknown fields are named one by one. */
export function fieldFaults(error: ZodError): FieldFault[] {
  return error.issues.flatMap(issue => faultsOf(issue, []));
}

function faultsOf(issue: Issue, above: readonly PropertyKey[]): FieldFault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({
      path: [...path, key].join('.'),
      message: 'is not a field of this request',
    }));
  return [{ path: path.join('.'), message: issueInWords(issue) }];
}

/** The failure that carries them; its detail says the first. */
export function validationFailure(error: ZodError): Failure {
  const errors = fieldFaults(error);
  return new Failure('VALIDATION_ERROR', faultsInWords(errors), { errors });
}

/** Faults as one sentence for people. */
export const faultsInWords = (errors: readonly FieldFault[]): string =>
  `${errors.map(fault => `${fault.path === '' ? 'the request' : fault.path} ${fault.message}`).join('; ')}.`;
