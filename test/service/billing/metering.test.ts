import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { memoryBus } from '../../../src/bus/memoryBus.ts';
import { TIER_LIMITS } from '../../../src/domain/account/account.ts';
import { PRICES } from '../../../src/domain/account/ledger.ts';
import { createAudit } from '../../../src/domain/ports/auditLog.ts';
import { endedAt } from '../../../src/domain/session/session.ts';
import { durationMs } from '../../../src/domain/session/sessionLimits.ts';
import { AccountBilling } from '../../../src/service/billing/accountBilling.ts';
import { failOrphanedSessions, RESTARTED_REASON } from '../../../src/service/sessions/sessionRetention.ts';
import { systemClock } from '../../../src/service/systemClock.ts';
import { DAY, failureCodeOf, MINUTE, meteredOperations, OBSERVE_OPTIONS } from './meteredOperations.ts';

const { started, clock, createViewer, start, observe, close, rows, balance, restartService } =
  meteredOperations();

describe('the ledger of an account', () => {
  it('has a row for each operation and one row for the idle time', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer);
    clock.advance(MINUTE);
    await observe(viewer, session.id);
    clock.advance(2 * MINUTE);
    await close(viewer, session.id);
    const found = await rows(viewer);
    expect(found.map(row => [row.kind, row.browserMs, row.amountMicros, row.balanceMicros])).toEqual([
      ['credit', 0, 1_000_000, 1_000_000],
      ['start', 0, 0, 1_000_000],
      ['observe', 0, -500, 999_500],
      ['idle', 3 * MINUTE, -6_000, 993_500],
    ]);
    expect(found.every((row, index) => row.seq === index + 1)).toBe(true);
    expect(found.slice(1).every(row => row.sessionId === session.id && row.keyId === viewer.keyId)).toBe(
      true,
    );
  });

  it('charges a failed operation for its time only', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer);
    const failing = started.service.observe(viewer, {
      ...OBSERVE_OPTIONS,
      sessionId: session.id,
      url: 'http://127.0.0.1:1/',
    });
    expect(await failureCodeOf(failing)).toBe('URL_BLOCKED');
    expect(await balance(viewer)).toBe(1_000_000);
    expect((await rows(viewer)).map(row => row.kind)).toEqual(['credit', 'start', 'observe']);
  });

  it('has the time of accounts that do not pay, at price 0', async () => {
    const viewer = await createViewer('local');
    const { session } = await start(viewer);
    clock.advance(MINUTE);
    await close(viewer, session.id);
    expect((await rows(viewer)).map(row => [row.kind, row.browserMs, row.amountMicros])).toEqual([
      ['start', 0, 0],
      ['idle', MINUTE, 0],
    ]);
    expect(await balance(viewer)).toBe(0);
  });

  it('does not charge a jump of the wall clock', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer);
    clock.advance(MINUTE);
    clock.jump(60 * MINUTE);
    await close(viewer, session.id);
    expect((await rows(viewer)).at(-1)).toMatchObject({ kind: 'idle', browserMs: MINUTE });
  });

  it('covers the whole life of each session when many run at once', async () => {
    await restartService({ clock: systemClock });
    const viewer = await createViewer('pay_as_you_go', 100_000_000);
    const sessions = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { session } = await start(viewer);
        await Promise.all([observe(viewer, session.id), observe(viewer, session.id)]);
        return (await close(viewer, session.id)).session;
      }),
    );
    const found = await rows(viewer);
    expect(found.filter(row => row.kind === 'observe')).toHaveLength(16);
    const charged = await started.store.ledger.sessionUsage(sessions.map(({ id }) => id));
    for (const [index, session] of sessions.entries()) {
      const lifeMs = durationMs(session, 0);
      expect(charged[index]?.browserMs).toBeLessThanOrEqual(lifeMs);
      // The time before its browser was ready is free.
      expect(charged[index]?.browserMs).toBeGreaterThan(lifeMs - 5_000);
    }
    const total = await started.store.ledger.usage(viewer.account.id, {
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
    });
    expect(total.operations).toBe(24);
    expect(await balance(viewer)).toBe(100_000_000 - total.priceMicros);
    let running = 0;
    for (const row of found) {
      running += row.amountMicros;
      expect(row.balanceMicros).toBe(running);
    }
  });

  it('charges an operation once, even if it is committed twice', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000);
    const { session } = await start(viewer);
    const charge = {
      operationId: randomUUID(),
      accountId: viewer.account.id,
      sessionId: session.id,
      keyId: viewer.keyId,
      kind: 'upload',
      at: clock.now(),
      browserMs: 0,
      priceMicros: 100,
      minuteMicros: 2_000,
    } as const;
    const change = { session, events: [], ledger: [charge] };
    await Promise.all([started.store.sessions.commit(change), started.store.sessions.commit(change)]);
    expect(await balance(viewer)).toBe(900);
  });
});

describe('LedgerStore.credit', () => {
  it('credits an account once per reference', async () => {
    const viewer = await createViewer('pay_as_you_go');
    const credit = { accountId: viewer.account.id, reference: 'invoice 7', amountMicros: 50, at: 1 };
    const [first, second] = await Promise.all([
      started.store.ledger.credit(credit),
      started.store.ledger.credit({ ...credit, amountMicros: 70 }),
    ]);
    expect(first).toEqual(second);
    expect(await balance(viewer)).toBe(50);
  });
});

describe('failOrphanedSessions() after a killed process', () => {
  beforeEach(async () => {
    // The first service is not really killed: at its end it charges its sessions again. `restart` audits instead.
    await restartService({ auditsLedger: false });
  });

  /** After a kill the session is still active in the store. Starts another service on that store. */
  async function restart(prices = PRICES, auditedLosses = new Set<string>()): Promise<void> {
    const { sessions, ledger } = started.store;
    const billing = new AccountBilling({
      ledger,
      store: sessions,
      tiers: TIER_LIMITS,
      prices,
      clock,
    });
    await failOrphanedSessions(await sessions.activeSessions(), RESTARTED_REASON, {
      store: sessions,
      bus: memoryBus(),
      audit: createAudit(started.store.auditLog, () => clock.now()),
      auditedLosses,
      now: () => clock.now(),
      chargeOf: (session, seenAt) => billing.chargeOrphan(session, seenAt),
    });
    expect((await started.store.auditLedger()).findings).toEqual([]);
  }

  it('charges the idle time of each session until it was last seen', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer);
    await observe(viewer, session.id);
    clock.advance(10_000);
    await expect.poll(() => started.store.sessions.lastSeenAt([session.id])).toEqual([clock.now()]);
    clock.advance(9_000);
    await restart();
    expect((await rows(viewer)).at(-1)).toMatchObject({
      kind: 'idle',
      sessionId: session.id,
      browserMs: 10_000,
      amountMicros: -334,
    });
  });

  it.each([1, 999_999])(
    'charges it at the price in force while it passed, not at that of the new service: %i',
    async browserMinute => {
      const viewer = await createViewer('pay_as_you_go', 1_000_000);
      const { session } = await start(viewer);
      clock.advance(10_000);
      await expect.poll(() => started.store.sessions.lastSeenAt([session.id])).toEqual([clock.now()]);
      await restart({ ...PRICES, browserMinute });
      expect((await rows(viewer)).at(-1)).toMatchObject({
        kind: 'idle',
        browserMs: 10_000,
        amountMicros: -334,
      });
    },
  );

  it('writes one row of a lost take-over, however often the end of its session is tried', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer);
    await started.service.takeOver(viewer, { sessionId: session.id, name: 'Ana' });
    const { sessions, auditLog } = started.store;
    const { commit } = sessions;
    const audited = new Set<string>();
    sessions.commit = () => Promise.reject(new Error('database or disk is full'));
    await expect(restart(PRICES, audited)).rejects.toThrow('disk is full');
    sessions.commit = commit;
    await restart(PRICES, audited);
    const rows = await auditLog.entries(viewer.account.id, null, 10);
    expect(rows.filter(({ action }) => action === 'take_over.ended')).toHaveLength(1);
  });

  it('agrees where a minute costs nothing', async () => {
    const prices = { ...PRICES, browserMinute: 0 };
    await restartService({ auditsLedger: false, prices });
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer);
    clock.advance(10_000);
    await expect.poll(() => started.store.sessions.lastSeenAt([session.id])).toEqual([clock.now()]);
    await restart(prices);
    expect((await rows(viewer)).at(-1)).toMatchObject({ kind: 'idle', browserMs: 10_000, amountMicros: 0 });
  });

  it('agrees where a minute cost nothing before the kill, and has a price after it', async () => {
    await restartService({ auditsLedger: false, prices: { ...PRICES, browserMinute: 0 } });
    const viewer = await createViewer('free', 1_000_000);
    const { session } = await start(viewer);
    for (let beats = 0; beats < 2; beats++) {
      clock.advance(10_000);
      await expect.poll(() => started.store.sessions.lastSeenAt([session.id])).toEqual([clock.now()]);
    }
    await restart();
    expect((await rows(viewer)).at(-1)).toMatchObject({ kind: 'idle', browserMs: 20_000, amountMicros: 0 });
  });

  it.each([-MINUTE, -1_440 * MINUTE])(
    'ends no session before its browser time when the clock was set back by %i ms',
    async byMs => {
      const viewer = await createViewer('pay_as_you_go', 1_000_000);
      const { session } = await start(viewer);
      clock.advance(10_000);
      await expect.poll(() => started.store.sessions.lastSeenAt([session.id])).toEqual([clock.now()]);
      clock.jump(byMs);
      await restart();
      const [ended] = await started.store.sessions.load(viewer.account.id, [session.id]);
      expect(ended?.status).toBe('error');
      expect(durationMs(ended ?? session, clock.now())).toBe(10_000);
      expect(endedAt(ended ?? session)).toBe(session.createdAt + 10_000);
    },
  );

  it('charges nothing twice when the service restarts again', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    await start(viewer);
    clock.advance(10_000);
    await restart();
    const once = await rows(viewer);
    await restart();
    expect(await rows(viewer)).toEqual(once);
  });
});

it('usageByGroup() returns totals by kind, by session and by hour', async () => {
  const viewer = await createViewer('pay_as_you_go', 1_000_000);
  const { session } = await start(viewer);
  clock.advance(MINUTE);
  await observe(viewer, session.id);
  await close(viewer, session.id);
  const by = (group: 'kind' | 'session' | 'hour') =>
    started.store.ledger.usageByGroup(viewer.account.id, DAY, group, 100);
  expect(await by('kind')).toEqual([
    { name: 'idle', operations: 0, browserMs: MINUTE, priceMicros: 2_000 },
    { name: 'observe', operations: 1, browserMs: 0, priceMicros: 500 },
    { name: 'start', operations: 1, browserMs: 0, priceMicros: 0 },
  ]);
  expect(await by('session')).toEqual([
    { name: session.id, operations: 2, browserMs: MINUTE, priceMicros: 2_500 },
  ]);
  expect((await by('hour')).map(group => group.name)).toEqual(['2026-03-09T12:00:00.000Z']);
});
