/** Zod's findings → VALIDATION_ERROR. */
import type { ZodError } from 'zod';
import { Failure, type FieldError } from '../../domain/failures.ts';
import { type Issue, issueMessage } from '../../domain/issueMessage.ts';

/** One line a fault: the dotted path of the field, and what is wrong. Unknown fields are named one by one. */
export function fieldFaults(error: ZodError): FieldError[] {
  return error.issues.flatMap(issue => issueFaults(issue, []));
}

function issueFaults(issue: Issue, above: readonly PropertyKey[]): FieldError[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({
      path: [...path, key].join('.'),
      message: 'is not a field of this request',
    }));
  return [{ path: path.join('.'), message: issueMessage(issue) }];
}

/** The failure that carries them; its detail says the first. */
export function validationFailure(error: ZodError): Failure {
  const errors = fieldFaults(error);
  return new Failure('VALIDATION_ERROR', formatFaults(errors), { errors });
}

/** Faults as one sentence for people. */
export const formatFaults = (errors: readonly FieldError[]): string =>
  `${errors.map(fault => `${fault.path === '' ? 'the request' : fault.path} ${fault.message}`).join('; ')}.`;
