/** Runs an operation once per idempotency key: a repeated request returns the stored result. */
import type { Viewer } from '../../domain/account/account.ts';
import { type Command, hashInput, keyReusedFailure, mayRetry } from './idempotencyRules.ts';
import type { ObservationResult, SessionOperations, SessionResult } from './sessionOperations.ts';

/** Milliseconds for which a result is stored for repeated requests. */
const RESPONSE_TTL_MS = 600_000;
/**
 * Maximum size of the stored results of one account, in characters (estimated). Beyond it, the oldest results are
 * dropped.
 */
const MAX_ACCOUNT_CHARACTERS = 16_000_000;
/**
 * Maximum size of the stored results of all accounts, in characters (estimated). Beyond it, the oldest results are
 * dropped.
 */
const MAX_TOTAL_CHARACTERS = 64_000_000;
/** Estimated size of one listed action in a stored result, in characters; also the base size of each result. */
const CHARACTERS_PER_ACTION = 1_000;

interface StoredResponse {
  readonly accountId: string;
  /** Hash of the operation's name and input, to refuse the same key with another input. */
  readonly inputHash: string;
  readonly response: Promise<unknown>;
  readonly storedAt: number;
  /** Size of the stored result in characters; null while the operation runs. */
  size: number | null;
}

/**
 * Returns operations that run once per account and idempotency key: a repeated request with the same key and input gets
 * the result of the first. Without a key, an operation always runs. Results are kept for ten minutes, in memory.
 * The cache is own code: lru-cache has one limit for all entries, but here each account has a limit beside the total,
 * and running operations are never dropped.
 * @param now returns the milliseconds of a monotonic clock
 * @throws Failure VALIDATION_ERROR if the key was used for another input; every failure of `operations`
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

  return {
    start: once('start', operations.start),
    observe: once('observe', operations.observe),
    step: once('step', operations.step),
    scrape: once('scrape', operations.scrape),
    close: once('close', operations.close),
  };
}

function approximateSize(result: SessionResult | ObservationResult): number {
  let size = CHARACTERS_PER_ACTION + (result.screenshot?.length ?? 0);
  if (!('data' in result)) return size;
  size += (result.space?.actions.length ?? 0) * CHARACTERS_PER_ACTION;
  return size + (result.data === null ? 0 : JSON.stringify(result.data).length);
}
