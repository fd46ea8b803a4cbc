import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OperationTurns } from '../../../src/browser/limits/processorShare.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Operations of sessions 1, 2, 3…, which end when they are told to. */
function startOperations(turns: OperationTurns<number>, count: number) {
  const begun: number[] = [];
  const ends = Array.from({ length: count }, (_, session) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void turns.run(session, () => {
      begun.push(session);
      return promise;
    });
    return resolve;
  });
  const end = async (session: number): Promise<void> => {
    ends[session]?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { begun, end };
}

test('four operations for each processor run at once, and the others begin in order of arrival', async () => {
  const { begun, end } = startOperations(new OperationTurns(1), 7);
  expect(begun).toEqual([0, 1, 2, 3]);
  await end(2);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await end(0);
  await end(4);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('an operation waits for at most 100 ms, and one that runs for longer keeps no other one waiting', async () => {
  const turns = new OperationTurns<number>(1);
  const { begun } = startOperations(turns, 6);
  await vi.advanceTimersByTimeAsync(99);
  expect(begun).toEqual([0, 1, 2, 3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  await expect(turns.run(6, async () => 'at once')).resolves.toBe('at once');
});

test('an operation within another one of its session needs no turn, and a failed one gives its turn back', async () => {
  const turns = new OperationTurns<string>(1);
  const { promise } = Promise.withResolvers<void>();
  for (const session of ['a', 'b', 'c']) void turns.run(session, () => promise);
  const nested = turns.run('d', () => turns.run('d', () => Promise.reject(new Error('no'))));
  await expect(nested).rejects.toThrow('no');
  await expect(turns.run('e', async () => 'at once')).resolves.toBe('at once');
});
