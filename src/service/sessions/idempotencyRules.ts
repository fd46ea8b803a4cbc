/** The rules of idempotency keys: what the same request is, and which failures are not stored. */
import { createHash } from 'node:crypto';
import { FAILURES, Failure, isFailure } from '../../domain/failure/failures.ts';
import type { SessionOperations } from './sessionOperations.ts';

/** The fields of a command that do not belong to its input. */
export type Command = { readonly idempotencyKey?: string | null; readonly signal: AbortSignal };

/**
 * Returns true if a failed operation runs again when the caller repeats its request; false if the caller gets the stored
 * failure. A step that failed through a fault of the service may have clicked already, so it does not run again; and no
 * operation with an unknown outcome does.
 */
export function mayRetry(name: keyof SessionOperations, error: unknown): boolean {
  if (isFailure(error, 'OUTCOME_UNKNOWN')) return false;
  const { withoutEffect, serviceFault } = FAILURES[isFailure(error) ? error.code : 'INTERNAL'];
  return withoutEffect || (name !== 'step' && serviceFault);
}

/** Creates the failure of a key that stands for another request. */
export function keyReusedFailure(): Failure {
  const message = 'was already used for another request; use a new key for each request';
  return new Failure('VALIDATION_ERROR', `idempotencyKey ${message}.`, {
    errors: [{ path: 'idempotencyKey', message }],
  });
}

/** Returns the hash of an operation's name and input, in Base64. */
export function hashInput(
  name: string,
  { signal: _signal, idempotencyKey: _key, ...input }: Command,
): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(input, sortKeys)}`)
    .digest('base64');
}

/** Replacer for `JSON.stringify`: sorts the keys of objects, so that their order does not change the hash. */
const sortKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
