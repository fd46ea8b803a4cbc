import { createHash } from 'node:crypto';
import type { Viewer } from '../../domain/account/account.ts';
import { FAILURES, type Failure, fieldFailure, isFailure } from '../../domain/failure/failures.ts';
import {
  eachOperation,
  type ObservationResult,
  type SessionOperations,
  type SessionResult,
} from './sessionOperations.ts';

/** The fields of a command that say how to run it: two commands that differ only in these are the same request. */
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

export const keyReusedFailure = (): Failure =>
  fieldFailure('idempotencyKey', 'was already used for another request; use a new key for each request');

/** Returns the key under which a result is stored: one of the account; for an API key with a policy one of its own, because its policy does not hold for the results of others. */
export const ownKey = ({ keyId, policy }: Viewer, idempotencyKey: string): string =>
  policy === undefined ? idempotencyKey : `${keyId} ${idempotencyKey}`;

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

const RESPONSE_TTL_MS = 600_000;
/** Maximum size of the stored results of one account, in characters (estimated); beyond it the oldest are dropped. */
const MAX_ACCOUNT_CHARACTERS = 16_000_000;
/** Maximum size of the stored results of all accounts, likewise. */
const MAX_TOTAL_CHARACTERS = 64_000_000;
/** Estimated size of one listed action in a stored result, in characters; also the base size of each result. */
const CHARACTERS_PER_ACTION = 1_000;

type AnyResult = SessionResult | ObservationResult;
/** An operation, whatever its command and its result. */
export type AnyOperation = (viewer: Viewer, command: Command) => Promise<AnyResult>;

interface StoredResponse {
  readonly accountId: string;
  readonly inputHash: string;
  readonly response: Promise<AnyResult>;
  readonly storedAt: number;
  /** Size of the stored result in characters; null while the operation runs. */
  size: number | null;
}

/**
 * Returns operations that run once per idempotency key: a repeated request with the same key and input gets
 * the result of the first. Without a key, an operation always runs. Results are kept for ten minutes, in memory.
 * The cache is own code: lru-cache has one limit for all entries, but here each account has a limit beside the total,
 * and running operations are never dropped.
 * @param now returns the milliseconds of a monotonic clock
 */
export function idempotent(operations: SessionOperations, now: () => number): SessionOperations {
  const responses = new Map<string, StoredResponse>();

  function once(name: keyof SessionOperations): AnyOperation {
    const run = operations[name] as unknown as AnyOperation;
    return (viewer, command) => {
      const { idempotencyKey: key } = command;
      if (key == null) return run(viewer, command);
      const accountId = viewer.account.id;
      const cacheKey = `${accountId} ${ownKey(viewer, key)}`;
      const inputHash = hashInput(name, command);
      evict();
      const known = responses.get(cacheKey);
      if (known !== undefined) {
        if (known.inputHash !== inputHash) throw keyReusedFailure();
        return known.response;
      }
      // The caller may disconnect and repeat the request, so the operation does not receive its signal.
      const response = run(viewer, { ...command, signal: new AbortController().signal });
      const entry: StoredResponse = {
        accountId,
        inputHash,
        response,
        storedAt: now(),
        size: null,
      };
      responses.set(cacheKey, entry);
      response.then(
        result => {
          entry.size = approximateSize(result);
          evict();
        },
        error => {
          entry.size = CHARACTERS_PER_ACTION;
          if (mayRetry(name, error)) responses.delete(cacheKey);
        },
      );
      return response;
    };
  }

  /** Drops expired results, and the oldest results beyond the size limits. Never drops the entry of a running operation. */
  function evict(): void {
    const expired = now() - RESPONSE_TTL_MS;
    let total = 0;
    const accountTotals = new Map<string, number>();
    for (const [cacheKey, { accountId, storedAt, size }] of [...responses].reverse()) {
      if (size === null) continue;
      total += size;
      const accountTotal = (accountTotals.get(accountId) ?? 0) + size;
      accountTotals.set(accountId, accountTotal);
      if (storedAt < expired || accountTotal > MAX_ACCOUNT_CHARACTERS || total > MAX_TOTAL_CHARACTERS)
        responses.delete(cacheKey);
    }
  }

  // Each operation has the types of the one that it runs.
  return eachOperation(once) as unknown as SessionOperations;
}

function approximateSize(result: AnyResult): number {
  let size = CHARACTERS_PER_ACTION + (result.screenshot?.length ?? 0);
  if (!('data' in result)) return size;
  size += (result.space?.actions.length ?? 0) * CHARACTERS_PER_ACTION;
  return size + (result.data === null ? 0 : JSON.stringify(result.data).length);
}
