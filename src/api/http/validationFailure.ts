/** Converts zod's issues to the failure VALIDATION_ERROR. */
import type { ZodError } from 'zod';
import { Failure, type FieldError } from '../../domain/failures.ts';
import { type Issue, issueMessage } from '../../domain/issueMessage.ts';

/** Converts the issues of a zod error: one error for each wrong or unknown field, with its dotted path and a message. */
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

/** Creates the failure VALIDATION_ERROR from a zod error. Its detail names every wrong field. */
export function validationFailure(error: ZodError): Failure {
  const errors = fieldErrors(error);
  return new Failure('VALIDATION_ERROR', formatFieldErrors(errors), { errors });
}

/** Formats field errors as one sentence: `url must be a URL; value is not a field of this request.` */
export const formatFieldErrors = (errors: readonly FieldError[]): string =>
  `${errors.map(({ path, message }) => `${path === '' ? 'the request' : path} ${message}`).join('; ')}.`;
