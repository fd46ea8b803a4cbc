import { describe, expect, test } from 'vitest';
import { Failure, type FailureCode } from '../../../src/domain/failure/failures.ts';
import { idempotent } from '../../../src/service/sessions/idempotent.ts';
import type { SessionOperations } from '../../../src/service/sessions/sessionOperations.ts';

const viewer = {
  account: { id: 'account', name: 'test', tier: 'local', createdAt: 0 },
  keyId: 'key',
  scopes: ['operate'],
} as const;

/** Operations that count their calls and always fail. */
function failing(error: unknown): { operations: SessionOperations; done: () => number } {
  let done = 0;
  const fail = async (): Promise<never> => {
    done += 1;
    throw error;
  };
  const all: SessionOperations = { start: fail, observe: fail, step: fail, scrape: fail, close: fail };
  return { operations: idempotent(all, () => 0), done: () => done };
}

/** Returns the number of times that an operation runs that is requested twice with one key. */
async function runsOf(name: keyof SessionOperations, error: unknown): Promise<number> {
  const { operations, done } = failing(error);
  const ask = operations[name] as (asking: typeof viewer, command: object) => Promise<unknown>;
  for (const _ of ['first', 'again'])
    await expect(ask(viewer, { idempotencyKey: 'one', signal: AbortSignal.any([]) })).rejects.toBe(error);
  return done();
}

const OPERATIONS = ['start', 'observe', 'step', 'scrape', 'close'] as const;
const WITHOUT_EFFECT: readonly FailureCode[] = [
  'VALIDATION_ERROR',
  'BALANCE_EXHAUSTED',
  'SESSION_BUSY',
  'RATE_LIMITED',
  'CONCURRENCY_LIMIT',
  'QUOTA_EXHAUSTED',
  'AT_CAPACITY',
  'SHUTTING_DOWN',
];
const STEP_WITHOUT_EFFECT: readonly FailureCode[] = [
  'NOT_OBSERVED',
  'ACTION_NOT_FOUND',
  'ACTION_STALE',
  'ACTION_BLOCKED',
];
const SERVICE_FAULTS: readonly FailureCode[] = ['STORAGE_FULL', 'BROWSER_CRASHED', 'INTERNAL'];

describe('idempotent()', () => {
  test.each(OPERATIONS.flatMap(name => WITHOUT_EFFECT.map(code => [name, code] as const)))(
    '%s runs again with the same key after %s, which has no effect',
    async (name, code) => expect(await runsOf(name, new Failure(code, 'No.'))).toBe(2),
  );

  test.each(STEP_WITHOUT_EFFECT)('step runs again with the same key after %s', async code =>
    expect(await runsOf('step', new Failure(code, 'No.'))).toBe(2),
  );

  test.each(
    OPERATIONS.filter(name => name !== 'step').flatMap(name =>
      SERVICE_FAULTS.map(code => [name, code] as const),
    ),
  )('%s runs again with the same key after %s, a fault of the service', async (name, code) =>
    expect(await runsOf(name, new Failure(code, 'No.'))).toBe(2),
  );

  test.each(SERVICE_FAULTS)(
    'step returns the stored %s, because the page may have received the click',
    async code => expect(await runsOf('step', new Failure(code, 'No.'))).toBe(1),
  );

  test('gives all keys of an account one response, and a key with a policy its own, also when the policy is changed', async () => {
    const { operations, done } = failing(new Failure('BROWSER_CRASHED', 'No.'));
    const limited = { ...viewer, policy: { denySteps: ['write'] } } as const;
    const command = { idempotencyKey: 'one', signal: AbortSignal.any([]) };
    const step = operations.step as (asking: object, of: object) => Promise<unknown>;
    const other = { ...viewer, keyId: 'other' };
    for (const asking of [viewer, other, limited, { ...limited, policy: {} }, other])
      await expect(step(asking, command)).rejects.toThrow('No.');
    expect(done()).toBe(2);
  });

  test('treats an unexpected error as INTERNAL', async () => {
    expect(await runsOf('start', new Error('A bug'))).toBe(2);
    expect(await runsOf('step', new Error('A bug'))).toBe(1);
  });

  test.each(['NAVIGATION_TIMEOUT', 'OPERATION_TIMEOUT', 'NAVIGATION_FAILED'] as const)(
    'observe returns the stored %s',
    async code => expect(await runsOf('observe', new Failure(code, 'No.'))).toBe(1),
  );
});
