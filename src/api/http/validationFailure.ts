/** Converts zod's issues to the failure VALIDATION_ERROR. */
import type { ZodError } from 'zod';
import { Failure, type FieldError } from '../../domain/failures.ts';
import { type Issue, issueMessage } from '../../domain/issueMessage.ts';

/** Returns one error for each field: its dotted path and a message. Each unknown field gets an error of its own. */
export const fieldErrors = (error: ZodError): FieldError[] =>
  error.issues.flatMap(issue => issueErrors(issue, []));

function issueErrors(issue: Issue, parentPath: readonly PropertyKey[]): FieldError[] {
  const path = [...parentPath, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({
      path: [...path, key].join('.'),
      message: 'is not a field of this request',
    }));
  return [{ path: path.join('.'), message: issueMessage(issue) }];
}

/** Creates the failure. Its detail contains every error. */
export function validationFailure(error: ZodError): Failure {
  const errors = fieldErrors(error);
  return new Failure('VALIDATION_ERROR', formatFieldErrors(errors), { errors });
}

/** Formats errors as one sentence. */
export const formatFieldErrors = (errors: readonly FieldError[]): string =>
  `${errors.map(({ path, message }) => `${path === '' ? 'the request' : path} ${message}`).join('; ')}.`;
