import type { Session } from '../session/session.ts';
import { normalizeText, truncate } from '../space/pageText.ts';
import type { Space } from '../space/space.ts';
import { FAILURES, type FailureCode, type FailureDefinition } from './failureTable.ts';

export { FAILURES, type FailureCode } from './failureTable.ts';

export interface FieldError {
  /** Dotted path of the field; empty for the whole input. */
  readonly path: string;
  /** The error in words that follow the path: `must be at most 10`. */
  readonly message: string;
}

/** Maximum number of errors in a failure; graphql-js reports as many. */
export const MAX_FIELD_ERRORS = 50;
/** Maximum length of a path in an error, in UTF-16 units: the name of an unknown field is the caller's text. */
export const MAX_PATH_CHARACTERS = 200;

export interface FailureContext {
  /** For VALIDATION_ERROR: the fields that are not valid, at most `MAX_FIELD_ERRORS`. */
  readonly errors?: readonly FieldError[];
  readonly session?: Session;
  /** For ACTION_STALE, VALUE_REFUSED and WAIT_TIMEOUT: the current list of actions on the page. */
  readonly space?: Space;
  /** False if a retry of this occurrence cannot help, although one of its code can; absent: as the code says. */
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  /** The underlying error: logged, never sent to the caller. */
  readonly cause?: unknown;
}

/** Any other thrown error is a bug: the caller gets INTERNAL, and the service logs the error once. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly context: FailureContext;

  /** `detail`: one or two sentences on what happened, why, and what to do. `context`: data that is sent or logged. */
  constructor(code: FailureCode, detail: string, context: FailureContext = {}) {
    // A detail can name texts of a page and values of a caller.
    super(normalizeText(detail), context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'Failure';
    this.code = code;
    this.context =
      context.errors === undefined
        ? context
        : { ...context, errors: context.errors.slice(0, MAX_FIELD_ERRORS).map(plainError) };
  }

  get definition(): FailureDefinition {
    return FAILURES[this.code];
  }

  get retryable(): boolean {
    return this.context.retryable ?? this.definition.retryable;
  }

  /** Returns a copy of this failure with more context. Does not replace fields that the failure already has. */
  withContext(context: FailureContext): Failure {
    const extended = new Failure(this.code, this.message, { cause: this.cause, ...context, ...this.context });
    if (this.stack !== undefined) extended.stack = this.stack;
    return extended;
  }
}

const plainError = ({ path, message }: FieldError): FieldError => ({
  path: truncate(normalizeText(path), MAX_PATH_CHARACTERS),
  message: normalizeText(message),
});

/** Creates the failure of one field of a request. @param message follows the path in the list of errors, and in the default of `detail` */
export const fieldFailure = (
  path: string,
  message: string,
  detail = `${path} ${message}.`,
  cause?: unknown,
): Failure => new Failure('VALIDATION_ERROR', detail, { errors: [{ path, message }], cause });

export const isFailure = (error: unknown, code?: FailureCode): error is Failure =>
  error instanceof Failure && (code === undefined || error.code === code);
