import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Preparation } from '../../../src/browser/lease/tabObserver.ts';
import type { Tab } from '../../../src/browser/tab/tab.ts';

/** A session without an operation for this time frees memory. */
const IDLE_MS = 5_000;

function openSession(isUnresponsive = false) {
  const sendNoReply = vi.fn();
  const worlds = { find: () => ({ contextId: 1, uniqueId: 'document' }) };
  const tab = { isUnresponsive, target: { channel: { sendNoReply }, worlds } } as unknown as Tab;
  const preparation = new Preparation(
    work => work(),
    () => tab,
  );
  return { preparation, tab, calls: () => sendNoReply.mock.calls.flat() };
}

describe('Preparation', () => {
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

  it('installs the scraper once in a document that was observed, when the session has no operation', async () => {
    const { preparation, tab, calls } = openSession();
    for (let nth = 0; nth < 2; nth++) {
      await preparation.whileOperating(async () => preparation.schedule(tab, false));
      await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    }
    expect(calls().filter(call => call === 'Runtime.evaluate')).toHaveLength(1);
  });

  it('asks nothing of a page that cannot respond', async () => {
    const { preparation, calls } = openSession(true);
    await preparation.whileOperating(async () => {});
    await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
    expect(calls()).toEqual([]);
  });
});
