/** A service for tests of charging, its operations, and reads of the ledger. */
import { afterEach, beforeEach } from 'vitest';
import type { Tier, Viewer } from '../../../src/domain/account/account.ts';
import type { LedgerEntry } from '../../../src/domain/account/ledger.ts';
import { isFailure } from '../../../src/domain/failure/failures.ts';
import { deferred } from '../../support/deferred.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import {
  addAccount,
  type StartedService,
  type StartServiceOptions,
  startService,
} from '../../support/startService.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';

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

/** Before each test of the file, starts a service with a fake browser, a manual clock and a site; closes them afterwards. */
export function meteredOperations() {
  const clock = deferred<ManualClock>();
  const service = deferred<StartedService>();
  const site = deferred<TestSite>();
  const { value: started } = service;
  const start = async (options: StartServiceOptions): Promise<void> => {
    await service.set(startService({ browser: 'fake', ...options }));
  };
  beforeEach(async () => {
    await site.set(startTestSite());
    await start({ clock: await clock.set(Promise.resolve(manualClock())) });
  });
  afterEach(async () => {
    await started[Symbol.asyncDispose]();
    await site.value.close();
  });
  return {
    started,
    clock: clock.value,
    /** Closes the service and starts one with other options and the same clock. */
    async restartService(options: StartServiceOptions): Promise<void> {
      const before = started.clock;
      await started[Symbol.asyncDispose]();
      await start({ clock: before, ...options });
    },
    /** Creates an account with credit. */
    async createViewer(tier: Tier, credit = 0): Promise<Viewer> {
      const { viewer } = await addAccount(started.store, started.clock, 'customer', tier);
      if (credit > 0)
        await started.store.ledger.credit({
          accountId: viewer.account.id,
          reference: 'gift',
          amountMicros: credit,
          at: started.clock.now(),
        });
      return viewer;
    },
    start: (viewer: Viewer, more = {}) => started.service.start(viewer, { ...DEFAULT_OPTIONS, ...more }),
    observe: (viewer: Viewer, sessionId: string | null) =>
      started.service.observe(viewer, {
        ...OBSERVE_OPTIONS,
        sessionId,
        url: `${site.value.url}/index.html`,
      }),
    close: (viewer: Viewer, sessionId: string) =>
      started.service.close(viewer, {
        sessionId,
        screenshot: false,
        signal: DEFAULT_OPTIONS.signal,
      }),
    /** All rows of the account, oldest first. */
    rows: ({ account }: Viewer): Promise<readonly LedgerEntry[]> =>
      started.store.ledger.oldestEntries(account.id, { from: 0, to: Number.MAX_SAFE_INTEGER }, 0, 10_000),
    /** Balance of the account in micro-units. */
    balance: async ({ account, keyId }: Viewer): Promise<number> =>
      (await started.store.ledger.accountBalance(account.id, keyId, DAY.from)).balanceMicros,
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
