import { describe, expect, it } from 'vitest';
import { ReplacementLimit, type Tab } from '../../../src/browser/tab/tab.ts';

const REPLACED = new Error('Execution context was destroyed');
const TERMINATED = new Error('Protocol error (Runtime.evaluate): Execution was terminated');

/** Reports the error as often as the page may be read again. @returns that number, the failure that ends it, and the tab */
function attempts(error: Error) {
  const tab = { replacesItself: false };
  const limit = new ReplacementLimit(tab as Tab);
  for (let count = 0; count < 1_000; count++)
    try {
      limit.assertMayReadAgain(error);
    } catch (failure) {
      return { count, failure, tab };
    }
  throw new Error('The page may be read again without end.');
}

describe('A page is read again', () => {
  it('while it replaces its document, a bounded number of times', () => {
    const { count, failure, tab } = attempts(REPLACED);
    expect(count).toBe(12);
    expect(failure).toMatchObject({ code: 'NAVIGATION_FAILED', retryable: false });
    expect(tab.replacesItself).toBe(true);
  });

  it('while the end of its scripts ends the reading, a bounded number of times', () => {
    const { count, failure } = attempts(TERMINATED);
    expect(count).toBe(50);
    expect(failure).toMatchObject({ code: 'BROWSER_CRASHED' });
  });

  it('after no other error', () => {
    const error = new Error('other');
    expect(attempts(error)).toMatchObject({ count: 0, failure: error });
  });
});
