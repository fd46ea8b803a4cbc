/** The verbs as tests of metering call them, and what the ledger says afterwards. */
import type { Tier, Viewer } from '../../../src/domain/account.ts';
import { isFailure } from '../../../src/domain/failures.ts';
import type { LedgerEntry } from '../../../src/domain/ledger.ts';
import type { ManualClock } from '../../support/manualClock.ts';
import { addAccount, type StartedService } from '../../support/startService.ts';
import type { TestSite } from '../../support/testSite.ts';

/** What every verb needs and no test of metering looks at. */
export const DEFAULT_OPTIONS = {
  keepAlive: null,
  timeoutMinutes: null,
  screenshot: false,
  signal: new AbortController().signal,
};
/** The same of an observation. */
export const OBSERVE_OPTIONS = {
  ...DEFAULT_OPTIONS,
  limits: { max: 10, min: null },
  data: null,
  space: true,
};
export const MINUTE = 60_000;
/** The day on which the clock of the tests stands. */
export const DAY = { from: Date.parse('2026-03-09'), to: Date.parse('2026-03-10') };

/** @param context what the running test works with */
export function meteredOperations(
  context: () => { readonly started: StartedService; readonly clock: ManualClock; readonly site: TestSite },
) {
  return {
    async someone(tier: Tier, credit = 0): Promise<Viewer> {
      const { started, clock } = context();
      const { viewer } = await addAccount(started.store, clock, 'someone', tier);
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
    /** All rows of the account, the oldest first. */
    rows: ({ account }: Viewer): Promise<readonly LedgerEntry[]> =>
      context().started.store.ledger.oldestEntries(
        account.id,
        { from: 0, to: Number.MAX_SAFE_INTEGER },
        0,
        10_000,
      ),
    /** What the account has left, in micro-units. */
    balance: async ({ account, keyId }: Viewer): Promise<number> =>
      (await context().started.store.ledger.accountBalance(account.id, keyId, DAY.from)).balanceMicros,
  };
}

/** The code of the failure that the work ends with; null when it does not fail. */
export async function failureCodeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isFailure(error)) return error.code;
    throw error;
  }
}
