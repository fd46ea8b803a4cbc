/** Converts zod's issues to the failure VALIDATION_ERROR. */
import type { ZodError } from 'zod';
import {
  Failure,
  type FieldError,
  MAX_FIELD_ERRORS,
  MAX_PATH_CHARACTERS,
} from '../../domain/failure/failures.ts';
import { type Issue, issueMessage } from '../../domain/failure/issueMessage.ts';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';

/** Maximum number of errors that the detail of a failure names; `errors` has up to `MAX_FIELD_ERRORS`. */
const MAX_NAMED_ERRORS = 10;

/**
 * Converts the issues of a zod error: one error for each wrong or unknown field, with its dotted path and a message. Converts at most
 * `MAX_FIELD_ERRORS`, because a body can have thousands of wrong fields.
 */
export const fieldErrors = ({ issues }: { readonly issues: readonly Issue[] }): FieldError[] =>
  issues.slice(0, MAX_FIELD_ERRORS).flatMap(issueErrors).slice(0, MAX_FIELD_ERRORS);

function issueErrors(issue: Issue): FieldError[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_FIELD_ERRORS).map(key => ({
      path: [...path, key].join('.'),
      message: 'is not a field of this request',
    }));
  return [{ path: path.join('.'), message: issueMessage(issue) }];
}

/** Creates the failure VALIDATION_ERROR from a zod error. Its detail names the first ten wrong fields. */
export function validationFailure(error: ZodError): Failure {
  const errors = fieldErrors(error);
  return new Failure('VALIDATION_ERROR', formatFieldErrors(errors), { errors });
}

/** Formats field errors as one sentence: `url must be a URL; value is not a field of this request.` Names the first ten. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const named = errors.slice(0, MAX_NAMED_ERRORS).map(({ path, message }) => {
    const field = path === '' ? 'the request' : truncate(normalizeText(path), MAX_PATH_CHARACTERS);
    return `${field} ${normalizeText(message)}`;
  });
  return `${[...named, ...(errors.length > named.length ? ['and others'] : [])].join('; ')}.`;
}
