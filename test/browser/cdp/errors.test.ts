import { describe, expect, it } from 'vitest';
import { toFailure } from '../../../src/browser/cdp/errors.ts';

const deadline = { signal: new AbortController().signal, remainingMs: () => 1_000 };

describe('toFailure', () => {
  it.each([
    ['Protocol error (Runtime.callFunctionOn): Execution was terminated', 'OPERATION_TIMEOUT'],
    ['Protocol error (Runtime.evaluate): Internal error', 'OPERATION_TIMEOUT'],
    ['locator.click: Element is outside of the viewport', 'ACTION_BLOCKED'],
    ['locator.click: Target crashed', 'BROWSER_CRASHED'],
  ])('makes a failure that a caller can act on of "%s"', (message, code) => {
    expect(toFailure(new Error(message), deadline)).toMatchObject({ code });
  });

  it('leaves every other error as it is', () => {
    const error = new Error('Something else');
    expect(toFailure(error, deadline)).toBe(error);
  });
});
