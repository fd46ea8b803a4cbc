/** The number of warm contexts to keep ready for one account; `accountId` null: in a browser that has served no account yet. */
export interface WarmTarget {
  readonly accountId: string | null;
  readonly count: number;
}

export interface WarmTargetOptions {
  readonly isolateAccounts: boolean;
  /** True when the service has more than one account. */
  readonly hasSeveralAccounts: boolean;
  /** The accounts whose browsers can take another context. */
  readonly accountIds: readonly string[];
  /** Maximum number of warm contexts of one target. */
  readonly count: number;
}

/**
 * Returns the warm contexts to keep ready. With several isolated accounts a browser that has served no account is always
 * ready, so that a start never waits for a browser, and each running account has one warm context of its own. A single
 * account needs no second browser.
 */
export function warmTargets(options: WarmTargetOptions): readonly WarmTarget[] {
  const { isolateAccounts, hasSeveralAccounts, accountIds, count } = options;
  if (!isolateAccounts || accountIds.length === 0) return [{ accountId: null, count }];
  if (!hasSeveralAccounts) return accountIds.map(accountId => ({ accountId, count }));
  const own = accountIds.map(accountId => ({ accountId, count: Math.min(1, count) }));
  return [{ accountId: null, count }, ...own];
}
