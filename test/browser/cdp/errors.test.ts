import { describe, expect, it } from 'vitest';
import { toFailure, withSilence } from '../../../src/browser/cdp/errors.ts';
import { Failure } from '../../../src/domain/failure/failures.ts';

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

describe('withSilence', () => {
  const failure = new Failure('OPERATION_TIMEOUT', 'The operation did not end within 60 seconds.');

  it('names the page that has not answered as the cause, with the time', () => {
    const named = withSilence(failure, 55_100);
    expect(named).toMatchObject({ code: 'OPERATION_TIMEOUT', cause: failure });
    expect(named.message).toContain(
      'within 60 seconds. The page has not answered for 55 seconds: it is busy',
    );
  });

  it('leaves the failure as it is when the page has answered', () => {
    expect(withSilence(failure, 0)).toBe(failure);
  });
});
