/** Operations that are done once for each idempotency key, however often they are sent. */
import { createHash } from 'node:crypto';
import type { Viewer } from '../../domain/account.ts';
import { FAILURES, Failure, isFailure } from '../../domain/failures.ts';
import type { ObservationResult, SessionOperations, SessionResult } from '../pagespace.ts';

/** Answers are kept this long. */
const RESPONSE_TTL_MS = 600_000;
/** Answers that an account, and all together, may keep; the oldest go first. Characters, about. */
const MAX_ACCOUNT_CHARACTERS = 16_000_000;
const MAX_TOTAL_CHARACTERS = 64_000_000;
/** What an action takes, about. */
const CHARACTERS_PER_ACTION = 1_000;

interface StoredResponse {
  readonly accountId: string;
  /** Of the operation and its input. */
  readonly inputHash: string;
  readonly response: Promise<unknown>;
  readonly storedAt: number;
  /** Null while it is being done. */
  size: number | null;
}

type Command = { readonly idempotencyKey?: string | null; readonly signal: AbortSignal };

/** @param now milliseconds since the epoch */
export function idempotent(operations: SessionOperations, now: () => number): SessionOperations {
  const responses = new Map<string, StoredResponse>();

  function once<One extends Command, Answer extends SessionResult | ObservationResult>(
    name: keyof SessionOperations,
    run: (viewer: Viewer, command: One) => Promise<Answer>,
  ): (viewer: Viewer, command: One) => Promise<Answer> {
    return (viewer, command) => {
      const { idempotencyKey: key } = command;
      if (key == null) return run(viewer, command);
      const accountId = viewer.account.id;
      const place = `${accountId} ${key}`;
      const hash = hashInput(name, command);
      evict();
      const known = responses.get(place);
      if (known !== undefined) {
        if (known.inputHash !== hash) throw keyReusedFailure();
        return known.response as Promise<Answer>;
      }
      // Who sends a key may go away and ask again: the operation goes on without them.
      const answer = run(viewer, { ...command, signal: new AbortController().signal });
      const entry: StoredResponse = {
        accountId,
        inputHash: hash,
        response: answer,
        storedAt: now(),
        size: null,
      };
      responses.set(place, entry);
      answer.then(
        done => {
          entry.size = approximateSize(done);
          evict();
        },
        error => {
          entry.size = CHARACTERS_PER_ACTION;
          if (mayRetry(name, error)) responses.delete(place);
        },
      );
      return answer;
    };
  }

  /** Drops what is too old, and the oldest of what is too much; never what is being done. */
  function evict(): void {
    const oldest = now() - RESPONSE_TTL_MS;
    let all = 0;
    const accounts = new Map<string, number>();
    for (const [place, { accountId, storedAt, size }] of [...responses].reverse()) {
      if (size === null) continue;
      all += size;
      const its = (accounts.get(accountId) ?? 0) + size;
      accounts.set(accountId, its);
      if (storedAt < oldest || its > MAX_ACCOUNT_CHARACTERS || all > MAX_TOTAL_CHARACTERS)
        responses.delete(place);
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

/** A step that failed through us may have clicked all the same; the others leave nothing that a second try would double. */
function mayRetry(name: keyof SessionOperations, error: unknown): boolean {
  const { withoutEffect, serviceFault } = FAILURES[isFailure(error) ? error.code : 'INTERNAL'];
  return withoutEffect || (name !== 'step' && serviceFault);
}

function keyReusedFailure(): Failure {
  const message = 'was sent with another request already; each request takes a key of its own';
  return new Failure('VALIDATION_ERROR', `idempotencyKey ${message}.`, {
    errors: [{ path: 'idempotencyKey', message }],
  });
}

function hashInput(name: string, { signal: _signal, idempotencyKey: _key, ...input }: Command): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(input, sortKeys)}`)
    .digest('base64');
}

/** Objects with their keys in order: how a caller orders fields says nothing. */
const sortKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function approximateSize(answer: SessionResult | ObservationResult): number {
  let size = CHARACTERS_PER_ACTION + (answer.screenshot?.length ?? 0);
  if (!('data' in answer)) return size;
  size += (answer.space?.actions.length ?? 0) * CHARACTERS_PER_ACTION;
  return size + (answer.data === null ? 0 : JSON.stringify(answer.data).length);
}
