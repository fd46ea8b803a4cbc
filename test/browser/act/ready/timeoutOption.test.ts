import { describe, expect, it } from 'vitest';
import { timeoutOption } from '../../../../src/browser/act/ready/whenReady.ts';
import { Failure } from '../../../../src/domain/failure/failures.ts';

/** With a shorter timeout Playwright tries without pauses, and a crashed page blocks the process for ever. */
const MIN_TIMEOUT_WITH_PAUSES_MS = 100;

describe('timeoutOption', () => {
  it('is the requested timeout, at most the rest of the deadline', () => {
    const { signal } = new AbortController();
    expect(timeoutOption({ signal, remainingMs: () => 10_000 }, 3_000)).toEqual({ timeout: 3_000 });
    expect(timeoutOption({ signal, remainingMs: () => 2_000 }, 3_000)).toEqual({ timeout: 2_000 });
  });

  it('is never so short that Playwright tries without pauses', () => {
    const { signal } = new AbortController();
    for (const left of [0, 1, 50])
      expect(timeoutOption({ signal, remainingMs: () => left }).timeout).toBeGreaterThan(
        MIN_TIMEOUT_WITH_PAUSES_MS,
      );
  });

  it('throws the failure of a deadline that has passed', () => {
    const controller = new AbortController();
    controller.abort(new Failure('OPERATION_TIMEOUT', 'over'));
    expect(() => timeoutOption({ signal: controller.signal, remainingMs: () => 0 })).toThrow('over');
  });
});
