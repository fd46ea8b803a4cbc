/** Zod's findings → VALIDATION_ERROR. */
import type { ZodError } from 'zod';
import { Failure, type FieldFault } from '../../domain/failures.ts';

type Issue = ZodError['issues'][number];

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
  return [{ path: path.join('.'), message: inWords(issue) }];
}

/** Zod's own sentences, in the form of ours: they continue the field's name. */
function inWords(issue: Issue): string {
  const missing = /received undefined$/.test(issue.message);
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return missing
      ? 'is required'
      : issue.message.replace(/^Invalid input: expected (.*), received (.*)$/, 'must be of type $1, not $2');
  if (issue.code === 'invalid_value')
    return `must be one of ${issue.values.map(value => JSON.stringify(value)).join(', ')}`;
  return issue.message;
}

/** The failure that carries them; its detail says the first. */
export function validationFailure(error: ZodError): Failure {
  const errors = fieldFaults(error);
  return new Failure('VALIDATION_ERROR', faultsInWords(errors), { errors });
}

/** Faults as one sentence for people. */
export const faultsInWords = (errors: readonly FieldFault[]): string =>
  `${errors.map(fault => `${fault.path === '' ? 'the request' : fault.path} ${fault.message}`).join('; ')}.`;
