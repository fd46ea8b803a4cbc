import { describe, expect, it } from 'vitest';
import { warmTargets } from '../../../src/browser/pool/warmContextPool.ts';

const options = { isolateAccounts: true, hasSeveralAccounts: true, accountIds: [], count: 2 } as const;

describe('warmTargets', () => {
  it('keeps contexts for any account when accounts share browsers, or when no account has a browser', () => {
    const any = [{ accountId: null, count: 2 }];
    expect(warmTargets(options)).toEqual(any);
    expect(warmTargets({ ...options, isolateAccounts: false, accountIds: ['a'] })).toEqual(any);
  });

  it('keeps no second browser for a single account', () => {
    expect(warmTargets({ ...options, hasSeveralAccounts: false, accountIds: ['a'] })).toEqual([
      { accountId: 'a', count: 2 },
    ]);
  });

  it('keeps an unused browser for the next account, and one context for each account that runs', () => {
    expect(warmTargets({ ...options, accountIds: ['a', 'b'] })).toEqual([
      { accountId: null, count: 2 },
      { accountId: 'a', count: 1 },
      { accountId: 'b', count: 1 },
    ]);
    expect(warmTargets({ ...options, accountIds: ['a'], count: 0 }).every(({ count }) => count === 0)).toBe(
      true,
    );
  });
});
