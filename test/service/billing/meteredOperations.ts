/** Operations of the service for tests of charging, and reads of the ledger. */
import type { Tier, Viewer } from '../../../src/domain/account.ts';
import { isFailure } from '../../../src/domain/failures.ts';
import type { LedgerEntry } from '../../../src/domain/ledger.ts';
import type { ManualClock } from '../../support/manualClock.ts';
import { addAccount, type StartedService } from '../../support/startService.ts';
import type { TestSite } from '../../support/testSite.ts';

export const DEFAULT_OPTIONS = {
  keepAlive: null,
  timeoutMinutes: null,
  screenshot: false,
  signal: new AbortController().signal,
};
export const OBSERVE_OPTIONS = {
  ...DEFAULT_OPTIONS,
  limits: { max: 10, min: null },
  data: null,
  space: true,
};
export const MINUTE = 60_000;
/** The day of the manual clock. */
export const DAY = { from: Date.parse('2026-03-09'), to: Date.parse('2026-03-10') };

/** @param context returns the service, clock and site of the running test */
export function meteredOperations(
  context: () => { readonly started: StartedService; readonly clock: ManualClock; readonly site: TestSite },
) {
  return {
    /** Creates an account with credit. */
    async createViewer(tier: Tier, credit = 0): Promise<Viewer> {
      const { started, clock } = context();
      const { viewer } = await addAccount(started.store, clock, 'customer', tier);
      if (credit > 0)
        await started.store.ledger.credit({
          accountId: viewer.account.id,
          reference: 'gift',
          amountMicros: credit,
          at: clock.now(),
        });
      return viewer;
    },
    start: (viewer: Viewer, more = {}) =>
      context().started.service.start(viewer, { ...DEFAULT_OPTIONS, ...more }),
    observe: (viewer: Viewer, sessionId: string | null) =>
      context().started.service.observe(viewer, {
        ...OBSERVE_OPTIONS,
        sessionId,
        url: `${context().site.url}/index.html`,
      }),
    close: (viewer: Viewer, sessionId: string) =>
      context().started.service.close(viewer, {
        sessionId,
        screenshot: false,
        signal: DEFAULT_OPTIONS.signal,
      }),
    /** All rows of the account, oldest first. */
    rows: ({ account }: Viewer): Promise<readonly LedgerEntry[]> =>
      context().started.store.ledger.oldestEntries(
        account.id,
        { from: 0, to: Number.MAX_SAFE_INTEGER },
        0,
        10_000,
      ),
    /** Balance of the account in micro-units. */
    balance: async ({ account, keyId }: Viewer): Promise<number> =>
      (await context().started.store.ledger.accountBalance(account.id, keyId, DAY.from)).balanceMicros,
  };
}

/** The failure code with which the promise rejects; null if it resolves. */
export async function failureCodeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isFailure(error)) return error.code;
    throw error;
  }
}
