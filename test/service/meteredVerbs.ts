/** The verbs as tests of metering call them, and what the ledger says afterwards. */
import type { Tier, Viewer } from '../../src/domain/account.ts';
import { isFailure } from '../../src/domain/failures.ts';
import type { LedgerEntry } from '../../src/domain/ledger.ts';
import type { Site } from '../support/site.ts';
import { addAccount, type StartedService } from '../support/startService.ts';
import type { TurnableClock } from '../support/turnableClock.ts';

/** What every verb needs and no test of metering looks at. */
export const UNINTERESTING = {
  keepAlive: null,
  timeoutMinutes: null,
  screenshot: false,
  signal: new AbortController().signal,
};
/** The same of an observation. */
export const LOOKING = { ...UNINTERESTING, limits: { max: 10, min: null }, data: null, space: true };
export const MINUTE = 60_000;
/** The day on which the clock of the tests stands. */
export const DAY = { from: Date.parse('2026-03-09'), to: Date.parse('2026-03-10') };

/** @param rig what the running test works with */
export function meteredVerbs(
  rig: () => { readonly started: StartedService; readonly clock: TurnableClock; readonly site: Site },
) {
  return {
    async someone(tier: Tier, credit = 0): Promise<Viewer> {
      const { started, clock } = rig();
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
    start: (viewer: Viewer, more = {}) => rig().started.service.start(viewer, { ...UNINTERESTING, ...more }),
    observe: (viewer: Viewer, sessionId: string | null) =>
      rig().started.service.observe(viewer, { ...LOOKING, sessionId, url: `${rig().site.url}/index.html` }),
    close: (viewer: Viewer, sessionId: string) =>
      rig().started.service.close(viewer, { sessionId, screenshot: false, signal: UNINTERESTING.signal }),
    /** All rows of the account, the oldest first. */
    rows: ({ account }: Viewer): Promise<readonly LedgerEntry[]> =>
      rig().started.store.ledger.oldest(account.id, { from: 0, to: Number.MAX_SAFE_INTEGER }, 0, 10_000),
    /** What the account has left, in micro-units. */
    balance: async ({ account, keyId }: Viewer): Promise<number> =>
      (await rig().started.store.ledger.purse(account.id, keyId, DAY.from)).balanceMicros,
  };
}

/** The code of the failure that the work ends with; null when it does not fail. */
export async function refusalOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isFailure(error)) return error.code;
    throw error;
  }
}
