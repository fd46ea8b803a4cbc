import { describe, expect, it } from 'vitest';
import { timeoutOption } from '../../../src/browser/act/elementContext.ts';
import { Failure } from '../../../src/domain/failures.ts';

/** Below it Playwright tries again without a pause, and a page that has crashed holds the process for ever. */
const MIN_TIMEOUT_WITH_PAUSES_MS = 100;

describe('the time that Playwright gets for an action', () => {
  it('is what was asked for, within what the operation has left', () => {
    const { signal } = new AbortController();
    expect(timeoutOption({ signal, remainingMs: () => 10_000 }, 3_000)).toEqual({ timeout: 3_000 });
    expect(timeoutOption({ signal, remainingMs: () => 2_000 }, 3_000)).toEqual({ timeout: 2_000 });
  });

  it('is never so short that it would try without a pause', () => {
    const { signal } = new AbortController();
    for (const left of [0, 1, 50])
      expect(timeoutOption({ signal, remainingMs: () => left }).timeout).toBeGreaterThan(
        MIN_TIMEOUT_WITH_PAUSES_MS,
      );
  });

  it('is none when the operation is over', () => {
    const controller = new AbortController();
    controller.abort(new Failure('OPERATION_TIMEOUT', 'over'));
    expect(() => timeoutOption({ signal: controller.signal, remainingMs: () => 0 })).toThrow('over');
  });
});
