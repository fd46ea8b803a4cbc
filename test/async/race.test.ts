import { describe, expect, test } from 'vitest';
import { afterMs, onAbort, onCall, race, waitUntil } from '../../src/async/race.ts';

const never = new Promise<never>(() => {});
const tick = () => new Promise(resolve => setImmediate(resolve));

describe('race', () => {
  test('returns the result of the work', async () => {
    expect(await race(Promise.resolve(1), onAbort(new AbortController().signal))).toBe(1);
  });

  test('rejects with the error of the work', async () => {
    await expect(
      race(
        Promise.reject(new Error('broken')),
        afterMs(60_000, () => 1),
      ),
    ).rejects.toThrow('broken');
  });

  test('rejects with the reason of a signal that has aborted before, though the work is done', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(race(Promise.resolve(1), onAbort(signal))).rejects.toThrow('gone');
  });

  test('ignores an error of the work that comes after the stop', async () => {
    const work = Promise.withResolvers<number>();
    expect(
      await race(
        work.promise,
        afterMs(1, () => 2),
      ),
    ).toBe(2);
    work.reject(new Error('late'));
    await tick();
  });

  test('stops watching the signal when the work is done', async () => {
    const { signal } = new AbortController();
    let watching = 0;
    const counted = Object.assign(Object.create(signal) as AbortSignal, {
      addEventListener: () => void watching++,
      removeEventListener: () => void watching--,
    });
    Object.defineProperty(counted, 'aborted', { value: false });
    await race(Promise.resolve(), onAbort(counted));
    expect(watching).toBe(0);
  });
});

describe('onAbort', () => {
  test('rejects with the given error', async () => {
    const signal = AbortSignal.abort();
    await expect(waitUntil(onAbort(signal, () => new Error('own')))).rejects.toThrow('own');
  });

  test('leaves the work its grace time', async () => {
    const caller = new AbortController();
    const work = Promise.withResolvers<string>();
    const raced = race(work.promise, onAbort(caller.signal, undefined, 60_000));
    caller.abort();
    work.resolve('done after all');
    expect(await raced).toBe('done after all');
  });
});

describe('afterMs', () => {
  test('rejects with the error that its function throws', async () => {
    const stop = afterMs(1, () => {
      throw new Error('too late');
    });
    await expect(race(never, stop)).rejects.toThrow('too late');
  });
});

describe('onCall', () => {
  test('stops when the listener is called, and removes it', async () => {
    const listeners = new Set<() => void>();
    const waiting = waitUntil(onCall(listeners));
    for (const listener of listeners) listener();
    await waiting;
    expect(listeners.size).toBe(0);
  });
});
