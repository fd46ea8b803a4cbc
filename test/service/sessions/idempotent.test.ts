import { describe, expect, test } from 'vitest';
import { Failure, type FailureCode } from '../../../src/domain/failures.ts';
import { idempotent } from '../../../src/service/sessions/idempotent.ts';
import type { SessionOperations } from '../../../src/service/sessions/sessionOperations.ts';

const viewer = {
  account: { id: 'account', name: 'test', tier: 'local', createdAt: 0 },
  keyId: 'key',
  scopes: ['operate'],
} as const;

/** Operations that are only counted, and fail each time. */
function failing(error: unknown): { operations: SessionOperations; done: () => number } {
  let done = 0;
  const fail = async (): Promise<never> => {
    done += 1;
    throw error;
  };
  const all: SessionOperations = { start: fail, observe: fail, step: fail, scrape: fail, close: fail };
  return { operations: idempotent(all, () => 0), done: () => done };
}

/** How often an operation is done that is sent twice with one key. */
async function doneOf(name: keyof SessionOperations, error: unknown): Promise<number> {
  const { operations, done } = failing(error);
  const ask = operations[name] as (asking: typeof viewer, command: object) => Promise<unknown>;
  for (const _ of ['first', 'again'])
    await expect(ask(viewer, { idempotencyKey: 'one', signal: AbortSignal.any([]) })).rejects.toBe(error);
  return done();
}

const VERBS = ['start', 'observe', 'step', 'scrape', 'close'] as const;
const BEFORE: readonly FailureCode[] = [
  'VALIDATION_ERROR',
  'BALANCE_EXHAUSTED',
  'SESSION_BUSY',
  'RATE_LIMITED',
  'CONCURRENCY_LIMIT',
  'QUOTA_EXHAUSTED',
  'AT_CAPACITY',
  'SHUTTING_DOWN',
];
const BEFORE_ACTING: readonly FailureCode[] = [
  'NOT_OBSERVED',
  'ACTION_NOT_FOUND',
  'ACTION_STALE',
  'ACTION_BLOCKED',
];
const OURS: readonly FailureCode[] = ['STORAGE_FULL', 'BROWSER_CRASHED', 'INTERNAL'];

describe('a failure', () => {
  test.each(VERBS.flatMap(name => BEFORE.map(code => [name, code] as const)))(
    'of a %s from before anything was done, %s, may be tried again with its key',
    async (name, code) => expect(await doneOf(name, new Failure(code, 'No.'))).toBe(2),
  );

  test.each(BEFORE_ACTING)('of a step that was not done, %s, may be tried again with its key', async code =>
    expect(await doneOf('step', new Failure(code, 'No.'))).toBe(2),
  );

  test.each(VERBS.filter(name => name !== 'step').flatMap(name => OURS.map(code => [name, code] as const)))(
    'of a %s that was ours, %s, may be tried again with its key',
    async (name, code) => expect(await doneOf(name, new Failure(code, 'No.'))).toBe(2),
  );

  test.each(OURS)('of a step that was ours, %s, is kept: the page may have had its click', async code =>
    expect(await doneOf('step', new Failure(code, 'No.'))).toBe(1),
  );

  test('that nobody foresaw counts as ours', async () => {
    expect(await doneOf('start', new Error('A bug'))).toBe(2);
    expect(await doneOf('step', new Error('A bug'))).toBe(1);
  });

  test.each(['NAVIGATION_TIMEOUT', 'OPERATION_TIMEOUT', 'NAVIGATION_FAILED'] as const)(
    'of work that was begun, %s, is answered again',
    async code => expect(await doneOf('observe', new Failure(code, 'No.'))).toBe(1),
  );
});
