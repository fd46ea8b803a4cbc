/** The contract of every LedgerStore for its reports of usage. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Charge, Period, UsageGroup } from '../../src/domain/account/ledger.ts';
import type { Store } from '../../src/store/store.ts';
import { alice, session } from './storeSamples.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KINDS = ['observe', 'step', 'idle'] as const;

const nameOf: Readonly<Record<UsageGroup, (charge: Charge) => string>> = {
  hour: ({ at }) => new Date(at - (at % HOUR)).toISOString(),
  day: ({ at }) => new Date(at - (at % DAY)).toISOString(),
  kind: ({ kind }) => kind,
  key: ({ keyId }) => keyId,
  session: ({ sessionId }) => sessionId,
};

const totalsOf = (charges: readonly Charge[]) => ({
  operations: charges.filter(({ kind }) => kind !== 'idle').length,
  browserMs: charges.reduce((sum, { browserMs }) => sum + browserMs, 0),
  priceMicros: charges.reduce((sum, { priceMicros }) => sum + priceMicros, 0),
});

const within = (charges: readonly Charge[], { from, to }: Period): readonly Charge[] =>
  charges.filter(({ at }) => at >= from && at < to);

/** Times around the limits of hours and days. */
const time = fc
  .tuple(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 23 }),
    fc.constantFrom(0, 1, 1_799_999, HOUR - 1),
  )
  .map(([day, hour, ms]) => day * DAY + hour * HOUR + ms);

/** @param store the store of the running test, empty but for the accounts `alice` and `bob` */
export function describeLedgerStoreContract(store: () => Store): void {
  describe('LedgerStore.usage() and usageByGroup()', () => {
    it('return the sums of the charges in the period, for any period and group', async () => {
      const random = fc.sample(
        fc.record({
          kind: fc.constantFrom(...KINDS),
          keyId: fc.constantFrom('k1', 'k2'),
          sessionId: fc.constantFrom('s1', 's2', 's3'),
          at: time,
          browserMs: fc.nat(5_000),
          priceMicros: fc.nat(900),
        }),
        { numRuns: 60, seed: 7 },
      );
      const charges = random.map(
        (one, n): Charge => ({ ...one, operationId: `o${n}`, accountId: alice.id, minuteMicros: 1 }),
      );
      for (const charge of charges)
        await store().sessions.commit({ session: session(charge.sessionId), events: [], ledger: [charge] });
      await store().ledger.credit({ accountId: alice.id, reference: 'r', amountMicros: 77, at: DAY });

      await fc.assert(
        fc.asyncProperty(time, time, async (from, to) => {
          const period = { from, to };
          expect(await store().ledger.usage(alice.id, period)).toEqual(totalsOf(within(charges, period)));
        }),
        { numRuns: 60, seed: 7 },
      );
      for (const period of [
        { from: 0, to: Number.MAX_SAFE_INTEGER },
        { from: HOUR + 5, to: 2 * DAY + 1 },
      ])
        for (const group of ['hour', 'day', 'kind', 'key', 'session'] as const) {
          const groups = Map.groupBy(within(charges, period), nameOf[group]);
          expect(await store().ledger.usageByGroup(alice.id, period, group, 1_000)).toEqual(
            [...groups]
              .map(([name, own]) => ({ name, ...totalsOf(own) }))
              .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          );
        }
      expect(await store().ledger.sessionUsage(['s2', 'none'])).toEqual([
        totalsOf(charges.filter(({ sessionId }) => sessionId === 's2')),
        totalsOf([]),
      ]);
      expect((await store().ledger.accountBalance(alice.id, 'k1', DAY)).dayBrowserMs).toBe(
        totalsOf(within(charges, { from: DAY, to: 2 * DAY })).browserMs,
      );
    });

    it('return nothing for an account without charges', async () => {
      const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
      expect(await store().ledger.usage(alice.id, all)).toEqual(totalsOf([]));
      expect(await store().ledger.usageByGroup(alice.id, all, 'session', 10)).toEqual([]);
    });
  });
}
