import { errors } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { whenReady } from '../../../../src/browser/act/ready/whenReady.ts';

let timeouts: number[];
beforeEach(() => {
  timeouts = [];
});

const READY_TIMEOUT_MS = 3_000;
const elementThat = (isPresent: boolean) =>
  ({
    deadline: { signal: new AbortController().signal, remainingMs: () => 60_000 },
    readyTimeoutMs: READY_TIMEOUT_MS,
    listed: { key: 1 },
    world: { callAgent: async () => isPresent },
  }) as unknown as Parameters<typeof whenReady>[0];
const failingOnce = (log: string) => async (options: { timeout: number }) => {
  timeouts.push(options.timeout);
  if (timeouts.length === 1) throw new errors.TimeoutError(`Timeout 3000ms exceeded.\n${log}`);
  return 'done';
};

describe('whenReady', () => {
  it('waits until the deadline, less the time for the answer, if the page was too busy to decide', async () => {
    expect(await whenReady(elementThat(true), failingOnce('waiting for locator'))).toBe('done');
    expect(timeouts).toEqual([READY_TIMEOUT_MS, 54_000]);
  });

  it('does not wait again for an element that is not ready for a known reason', async () => {
    const acted = whenReady(elementThat(true), failingOnce('element is not enabled'));
    await expect(acted).rejects.toBeInstanceOf(errors.TimeoutError);
    expect(timeouts).toEqual([READY_TIMEOUT_MS]);
  });

  it('does not wait again for an element that is gone', async () => {
    const acted = whenReady(elementThat(false), failingOnce('waiting for locator'));
    await expect(acted).rejects.toBeInstanceOf(errors.TimeoutError);
    expect(timeouts).toEqual([READY_TIMEOUT_MS]);
  });
});
