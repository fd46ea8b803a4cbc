/** Failures as they travel between nodes. */
import {
  FAILURES,
  Failure,
  type FailureCode,
  type FailureContext,
  isFailure,
} from '../../domain/failure/failures.ts';

/** An error of another node: a failure with its code and context, or any other error with its text. */
export type ErrorMessage =
  | { readonly code: string; readonly detail: string; readonly context: Omit<FailureContext, 'cause'> }
  | { readonly code: null; readonly message: string; readonly stack: string | null };

/** Returns the message for an error. The cause of a failure stays on its node. */
export function toErrorMessage(error: unknown): ErrorMessage {
  if (isFailure(error)) {
    const { cause: _cause, ...context } = error.context;
    return { code: error.code, detail: error.message, context };
  }
  if (!(error instanceof Error)) return { code: null, message: String(error), stack: null };
  return { code: null, message: `${error.name}: ${error.message}`, stack: error.stack ?? null };
}

/** Returns the error of a message. A code that this version does not know becomes INTERNAL, with its text. */
export function fromErrorMessage(message: ErrorMessage): Error {
  if (message.code === null) {
    const error = new Error(`Another node failed: ${message.message}`);
    if (message.stack !== null) error.stack = `${error.message}\n${message.stack}`;
    return error;
  }
  const { code, detail, context } = message;
  return isFailureCode(code)
    ? new Failure(code, detail, context)
    : new Failure('INTERNAL', `${code}: ${detail}`, { retryable: false });
}

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code);
