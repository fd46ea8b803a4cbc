/** Operations that are done once for each idempotency key, however often they are sent. */
import { createHash } from 'node:crypto';
import type { Viewer } from '../domain/account.ts';
import { Failure, type FailureCode, isFailure, OUR_FAULTS } from '../domain/failures.ts';
import type { ObservationAnswer, Operations, SessionAnswer } from './verbs.ts';

/** Answers are kept this long. */
const KEPT_MS = 600_000;
/** Answers that an account, and all together, may keep; the oldest go first. Characters, about. */
const MOST_OF_ACCOUNT = 16_000_000;
const MOST_OF_ALL = 64_000_000;
/** What an action takes, about. */
const ACTION_CHARACTERS = 1_000;

/** Refusals from before anything was done: the same key may try again. */
const NOTHING_DONE: ReadonlySet<FailureCode> = new Set([
  'VALIDATION_ERROR',
  'BALANCE_EXHAUSTED',
  'SESSION_BUSY',
  'NOT_OBSERVED',
  'ACTION_NOT_FOUND',
  'ACTION_STALE',
  'ACTION_BLOCKED',
  'RATE_LIMITED',
  'CONCURRENCY_LIMIT',
  'QUOTA_EXHAUSTED',
  'AT_CAPACITY',
  'SHUTTING_DOWN',
]);

interface Kept {
  readonly accountId: string;
  /** Of the operation and its input. */
  readonly hash: string;
  readonly answer: Promise<unknown>;
  readonly at: number;
  /** Null while it is being done. */
  size: number | null;
}

type Command = { readonly idempotencyKey?: string | null; readonly signal: AbortSignal };

/** @param now milliseconds since the epoch */
export function idempotent(operations: Operations, now: () => number): Operations {
  const kept = new Map<string, Kept>();

  function once<One extends Command, Answer extends SessionAnswer | ObservationAnswer>(
    name: keyof Operations,
    run: (viewer: Viewer, command: One) => Promise<Answer>,
  ): (viewer: Viewer, command: One) => Promise<Answer> {
    return (viewer, command) => {
      const { idempotencyKey: key } = command;
      if (key == null) return run(viewer, command);
      const accountId = viewer.account.id;
      const place = `${accountId} ${key}`;
      const hash = hashOf(name, command);
      forget();
      const known = kept.get(place);
      if (known !== undefined) {
        if (known.hash !== hash) throw reused();
        return known.answer as Promise<Answer>;
      }
      // Who sends a key may go away and ask again: the operation goes on without them.
      const answer = run(viewer, { ...command, signal: new AbortController().signal });
      const entry: Kept = { accountId, hash, answer, at: now(), size: null };
      kept.set(place, entry);
      answer.then(
        done => {
          entry.size = sizeOf(done);
          forget();
        },
        error => {
          entry.size = ACTION_CHARACTERS;
          if (mayTryAgain(name, error)) kept.delete(place);
        },
      );
      return answer;
    };
  }

  /** Drops what is too old, and the oldest of what is too much; never what is being done. */
  function forget(): void {
    const oldest = now() - KEPT_MS;
    let all = 0;
    const accounts = new Map<string, number>();
    for (const [place, { accountId, at, size }] of [...kept].reverse()) {
      if (size === null) continue;
      all += size;
      const its = (accounts.get(accountId) ?? 0) + size;
      accounts.set(accountId, its);
      if (at < oldest || its > MOST_OF_ACCOUNT || all > MOST_OF_ALL) kept.delete(place);
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
function mayTryAgain(name: keyof Operations, error: unknown): boolean {
  const code = isFailure(error) ? error.code : 'INTERNAL';
  return NOTHING_DONE.has(code) || (name !== 'step' && OUR_FAULTS.has(code));
}

function reused(): Failure {
  const message = 'was sent with another request already; each request takes a key of its own';
  return new Failure('VALIDATION_ERROR', `idempotencyKey ${message}.`, {
    errors: [{ path: 'idempotencyKey', message }],
  });
}

function hashOf(name: string, { signal: _signal, idempotencyKey: _key, ...input }: Command): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(input, inOrder)}`)
    .digest('base64');
}

/** Objects with their keys in order: how a caller orders fields says nothing. */
const inOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function sizeOf(answer: SessionAnswer | ObservationAnswer): number {
  let size = ACTION_CHARACTERS + (answer.screenshot?.length ?? 0);
  if (!('data' in answer)) return size;
  size += (answer.space?.actions.length ?? 0) * ACTION_CHARACTERS;
  return size + (answer.data === null ? 0 : JSON.stringify(answer.data).length);
}
