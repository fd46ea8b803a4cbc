/**
 * Calls between nodes as bytes: JSON in UTF-8. JSON and not the format of `node:v8`, because nodes with different versions
 * of Node.js read it, and because every value that crosses is JSON already: stores and callers read the same values.
 */
import {
  FAILURES,
  Failure,
  type FailureCode,
  type FailureContext,
  isFailure,
} from '../../domain/failure/failures.ts';

/** An error of another node: a failure with its code and context, or any other error with its text. */
type ErrorMessage =
  | { readonly code: string; readonly detail: string; readonly context: Omit<FailureContext, 'cause'> }
  | { readonly code: null; readonly message: string; readonly stack: string | null };

/** Returns the message for an error. The cause of a failure stays on its node. */
function toErrorMessage(error: unknown): ErrorMessage {
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

/** A call of a method of another node. */
export interface NodeCall {
  /** Version of the calling node. */
  readonly version: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** The result of a call, or its error. */
export type NodeResult = { readonly value: unknown } | { readonly error: ErrorMessage };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encodes a call of a method of another node as JSON in UTF-8. */
export const encodeCall = (call: NodeCall): Uint8Array => encoder.encode(JSON.stringify(call));

/** Reads the bytes of a call. @throws SyntaxError */
export const decodeCall = (bytes: Uint8Array): NodeCall => JSON.parse(decoder.decode(bytes));

/** Returns the bytes of a value that a method returned. */
export const encodeValue = (value: unknown): Uint8Array => encoder.encode(JSON.stringify({ value }));

/** Returns the bytes of an error that a method threw. */
export const encodeError = (error: unknown): Uint8Array =>
  encoder.encode(JSON.stringify({ error: toErrorMessage(error) }));

/** Returns the value of a result. @throws the error of the method; SyntaxError */
export function decodeResult(bytes: Uint8Array): unknown {
  const result: NodeResult = JSON.parse(decoder.decode(bytes));
  if ('error' in result) throw fromErrorMessage(result.error);
  return result.value;
}
