/** Runs an operation once per idempotency key: a repeated request returns the stored result. */
import { createHash } from 'node:crypto';
import type { Viewer } from '../../domain/account.ts';
import { FAILURES, Failure, isFailure } from '../../domain/failures.ts';
import type { ObservationResult, SessionOperations, SessionResult } from './sessionOperations.ts';

const RESPONSE_TTL_MS = 600_000;
/**
 * Maximum size of the stored results of one account, and of all accounts. The oldest results are dropped first.
 * Characters, estimated.
 */
const MAX_ACCOUNT_CHARACTERS = 16_000_000;
const MAX_TOTAL_CHARACTERS = 64_000_000;
/** Estimated size of an action, in characters. */
const CHARACTERS_PER_ACTION = 1_000;

interface StoredResponse {
  readonly accountId: string;
  /** Hash of the operation's name and input: a key may be used again only with the same input. */
  readonly inputHash: string;
  readonly response: Promise<unknown>;
  readonly storedAt: number;
  /** Size of the stored result in characters; null while the operation runs. */
  size: number | null;
}

type Command = { readonly idempotencyKey?: string | null; readonly signal: AbortSignal };

/**
 * Wraps the operations. Uses its own cache: lru-cache has one limit for all entries, but here each account has a limit
 * beside the total, and running operations are never dropped.
 * @param now returns milliseconds since the epoch
 */
export function idempotent(operations: SessionOperations, now: () => number): SessionOperations {
  const responses = new Map<string, StoredResponse>();

  function once<One extends Command, Result extends SessionResult | ObservationResult>(
    name: keyof SessionOperations,
    run: (viewer: Viewer, command: One) => Promise<Result>,
  ): (viewer: Viewer, command: One) => Promise<Result> {
    return (viewer, command) => {
      const { idempotencyKey: key } = command;
      if (key == null) return run(viewer, command);
      const accountId = viewer.account.id;
      const cacheKey = `${accountId} ${key}`;
      const inputHash = hashInput(name, command);
      evict();
      const known = responses.get(cacheKey);
      if (known !== undefined) {
        if (known.inputHash !== inputHash) throw keyReusedFailure();
        return known.response as Promise<Result>;
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

  /** Drops expired results, and the oldest results beyond the limits. Keeps running operations. */
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

  return {
    start: once('start', operations.start),
    observe: once('observe', operations.observe),
    step: once('step', operations.step),
    scrape: once('scrape', operations.scrape),
    close: once('close', operations.close),
  };
}

/**
 * Returns true if a repeated request runs again. A step that failed through a fault of the service may have clicked
 * already; other operations can be repeated.
 */
function mayRetry(name: keyof SessionOperations, error: unknown): boolean {
  const { withoutEffect, serviceFault } = FAILURES[isFailure(error) ? error.code : 'INTERNAL'];
  return withoutEffect || (name !== 'step' && serviceFault);
}

function keyReusedFailure(): Failure {
  const message = 'was already used for another request; use a new key for each request';
  return new Failure('VALIDATION_ERROR', `idempotencyKey ${message}.`, {
    errors: [{ path: 'idempotencyKey', message }],
  });
}

function hashInput(name: string, { signal: _signal, idempotencyKey: _key, ...input }: Command): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(input, sortKeys)}`)
    .digest('base64');
}

/** Sorts the keys of objects, so that the order of fields has no effect. */
const sortKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function approximateSize(result: SessionResult | ObservationResult): number {
  let size = CHARACTERS_PER_ACTION + (result.screenshot?.length ?? 0);
  if (!('data' in result)) return size;
  size += (result.space?.actions.length ?? 0) * CHARACTERS_PER_ACTION;
  return size + (result.data === null ? 0 : JSON.stringify(result.data).length);
}
