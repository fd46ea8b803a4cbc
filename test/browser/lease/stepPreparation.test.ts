import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StepPreparation } from '../../../src/browser/lease/tabObserver.ts';
import type { Tab } from '../../../src/browser/tab/tab.ts';

/** A session without an operation for this time frees memory. */
const IDLE_MS = 5_000;

function openSession(isUnresponsive = false) {
  const sendNoReply = vi.fn();
  const tab = { isUnresponsive, target: { channel: { sendNoReply } } } as unknown as Tab;
  const preparation = new StepPreparation(
    work => work(),
    () => tab,
  );
  return { preparation, calls: () => sendNoReply.mock.calls.flat() };
}

describe('StepPreparation', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('frees the memory of the active page once when the session has had no operation for five seconds', async () => {
    const { preparation, calls } = openSession();
    await preparation.whileOperating(async () => {});
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(calls()).toEqual([]);
    await vi.advanceTimersByTimeAsync(3 * IDLE_MS);
    expect(calls()).toEqual(['HeapProfiler.collectGarbage']);
  });

  it('frees nothing while an operation runs or soon after it', async () => {
    const { preparation, calls } = openSession();
    const { promise, resolve } = Promise.withResolvers<void>();
    const long = preparation.whileOperating(() => promise);
    await preparation.whileOperating(async () => {});
    await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
    resolve();
    await long;
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(calls()).toEqual([]);
  });

  it('asks nothing of a page that cannot respond', async () => {
    const { preparation, calls } = openSession(true);
    await preparation.whileOperating(async () => {});
    await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
    expect(calls()).toEqual([]);
  });
});
