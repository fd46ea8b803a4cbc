import { distance } from 'fastest-levenshtein';
import { type ZodError, z } from 'zod';
import {
  Failure,
  type FieldError,
  MAX_FIELD_ERRORS,
  MAX_PATH_CHARACTERS,
} from '../../domain/failure/failures.ts';
import { type Issue, issueMessage } from '../../domain/failure/issueMessage.ts';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';
import type { RequestRecord } from './requestRecord.ts';

interface ErrorLog {
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** Logs an error that is not a Failure, which is a bug, and returns INTERNAL for its caller. @param field the GraphQL field that failed */
export function internalFailure(
  error: unknown,
  { log, record: { requestId } }: { readonly log: ErrorLog; readonly record: RequestRecord },
  field?: string,
): Failure {
  const fields = { err: error, requestId, field };
  // Yoga aborts an operation when its caller disconnects. This is not a failure.
  if (error instanceof Error && error.name === 'AbortError') log.debug(fields, 'the caller disconnected');
  else log.error(fields, 'an operation failed with an unexpected error');
  return new Failure('INTERNAL', `The service failed. Quote the request id ${requestId} when you report it.`);
}

/** Maximum number of errors that the detail of a failure names; `errors` has up to `MAX_FIELD_ERRORS`. */
const MAX_NAMED_ERRORS = 10;

/**
 * Converts the issues of a zod error: one error for each wrong or unknown field, with its dotted path and a message. Converts at most
 * `MAX_FIELD_ERRORS`, because a body can have thousands of wrong fields.
 * @param schema the schema of the request, whose fields are suggested in place of unknown ones
 */
export function fieldErrors(
  { issues }: { readonly issues: readonly Issue[] },
  schema?: z.ZodType,
): FieldError[] {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return issues
    .slice(0, MAX_FIELD_ERRORS)
    .flatMap(issue => issueErrors(issue, issue.path.length === 0 ? known : []))
    .slice(0, MAX_FIELD_ERRORS);
}

function issueErrors(issue: Issue, known: readonly string[]): FieldError[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_FIELD_ERRORS).map(key => ({
      path: [...path, key].join('.'),
      message: `is not a field of this request${suggestion(key, known)}`,
    }));
  return [{ path: path.join('.'), message: issueMessage(issue) }];
}

/** The longest name that is compared: the time grows with the square of its length. */
const MAX_COMPARED_CHARACTERS = 60;

/** Returns the question for the field that was probably meant: one that differs in at most a third of its letters; empty without one. */
function suggestion(key: string, known: readonly string[]): string {
  if (key.length > MAX_COMPARED_CHARACTERS) return '';
  const snake = key.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  const near = known
    .map(name => ({ name, changes: distance(snake, name) }))
    .filter(({ name, changes }) => changes <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.changes - b.changes);
  return near[0] === undefined ? '' : `. Did you mean ${near[0].name}?`;
}

/** Creates the failure VALIDATION_ERROR from a zod error. Its detail names the first ten wrong fields. @param schema the schema of the request, whose fields are suggested */
export function validationFailure(error: ZodError, schema?: z.ZodType): Failure {
  const errors = fieldErrors(error, schema);
  return new Failure('VALIDATION_ERROR', formatFieldErrors(errors), { errors });
}

/** Formats field errors as one sentence: `url must be a URL; value is not a field of this request.` Names the first ten. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const named = errors.slice(0, MAX_NAMED_ERRORS).map(({ path, message }) => {
    const field = path === '' ? 'the request' : truncate(normalizeText(path), MAX_PATH_CHARACTERS);
    return `${field} ${normalizeText(message)}`;
  });
  const sentence = [...named, ...(errors.length > named.length ? ['and others'] : [])].join('; ');
  return sentence.endsWith('?') ? sentence : `${sentence}.`;
}
