/**
 * Calls between nodes as bytes: JSON in UTF-8. JSON and not the format of `node:v8`, because nodes with different versions
 * of Node.js read it, and because every value that crosses is JSON already: stores and callers read the same values.
 */
import { type ErrorMessage, fromErrorMessage, toErrorMessage } from './failureMessage.ts';

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

/** Returns the bytes of a call. */
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
