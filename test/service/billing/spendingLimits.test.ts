import { describe, expect, it } from 'vitest';
import { TIER_LIMITS } from '../../../src/domain/account/account.ts';
import { DEFAULT_OPTIONS, failureCodeOf, MINUTE, meteredOperations } from './meteredOperations.ts';

const { started, clock, createViewer, start, observe, close, balance, restartService } = meteredOperations();

describe('an account with an exhausted balance', () => {
  it('gets BALANCE_EXHAUSTED for operations, but can read and close sessions', async () => {
    const viewer = await createViewer('pay_as_you_go', 500);
    const { session } = await start(viewer);
    await observe(viewer, session.id);
    expect(await failureCodeOf(observe(viewer, session.id))).toBe('BALANCE_EXHAUSTED');
    expect(await failureCodeOf(start(viewer))).toBe('BALANCE_EXHAUSTED');
    expect(await started.service.sessions(viewer, [session.id])).toHaveLength(1);
    expect((await close(viewer, session.id)).session.status).toBe('closed');
  });

  it('gets BALANCE_EXHAUSTED when the uncharged time of its sessions uses up the balance', async () => {
    const viewer = await createViewer('pay_as_you_go', 2_000);
    const { session } = await start(viewer);
    clock.advance(MINUTE);
    expect(await failureCodeOf(observe(viewer, session.id))).toBe('BALANCE_EXHAUSTED');
  });

  it('gets BALANCE_EXHAUSTED for uploads', async () => {
    const viewer = await createViewer('pay_as_you_go', 500);
    const { session } = await start(viewer);
    await observe(viewer, session.id);
    const chunks = (async function* () {
      yield new TextEncoder().encode('text');
    })();
    const upload = started.service.uploadFile(viewer, {
      sessionId: session.id,
      name: 'a.txt',
      chunks,
      signal: DEFAULT_OPTIONS.signal,
    });
    expect(await failureCodeOf(upload)).toBe('BALANCE_EXHAUSTED');
  });

  it('gets BALANCE_EXHAUSTED for queued operations when they start, not when they are requested', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000);
    const { session } = await start(viewer);
    const requests = Array.from({ length: 5 }, () => failureCodeOf(observe(viewer, session.id)));
    expect(await Promise.all(requests)).toEqual([
      null,
      null,
      'BALANCE_EXHAUSTED',
      'BALANCE_EXHAUSTED',
      'BALANCE_EXHAUSTED',
    ]);
    expect(await balance(viewer)).toBe(0);
  });

  it('overdraws at most by one running operation per session', async () => {
    const viewer = await createViewer('pay_as_you_go', 500);
    const sessions = await Promise.all(Array.from({ length: 4 }, () => start(viewer)));
    const requests = sessions.flatMap(({ session: { id } }) => [observe(viewer, id), observe(viewer, id)]);
    await Promise.allSettled(requests);
    expect(await balance(viewer)).toBeGreaterThanOrEqual(500 - sessions.length * 500);
    expect(await balance(viewer)).toBeLessThanOrEqual(0);
  });

  it('can start sessions again after a credit', async () => {
    const viewer = await createViewer('pay_as_you_go');
    expect(await failureCodeOf(start(viewer))).toBe('BALANCE_EXHAUSTED');
    await started.store.ledger.credit({
      accountId: viewer.account.id,
      reference: 'more',
      amountMicros: 1_000,
      at: clock.now(),
    });
    expect(await failureCodeOf(start(viewer))).toBeNull();
  });
});

describe('a spend cap', () => {
  it('of a session limits that session only', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer, { spendCapMicros: 500 });
    await observe(viewer, session.id);
    expect(await failureCodeOf(observe(viewer, session.id))).toBe('BALANCE_EXHAUSTED');
    expect(await failureCodeOf(start(viewer))).toBeNull();
  });

  it('of a key limits all its sessions together', async () => {
    const viewer = await createViewer('pay_as_you_go', 1_000_000);
    const { key } = await started.service.createKey(viewer, {
      name: 'capped',
      scopes: ['operate'],
      expiresInDays: null,
      spendCapMicros: 1_000,
    });
    const capped = { ...viewer, keyId: key.id };
    await observe(capped, null);
    await observe(capped, null);
    expect(await failureCodeOf(observe(capped, null))).toBe('BALANCE_EXHAUSTED');
    expect(await failureCodeOf(observe(viewer, null))).toBeNull();
  });
});

describe('the browser minutes of a day', () => {
  it('count ended and running sessions, and reset at midnight UTC', async () => {
    // The manual clock starts at noon. Twelve hours that pass would be tens of thousands of callbacks.
    clock.jump(11 * 60 * MINUTE);
    const free = { ...TIER_LIMITS.free, browserMinutesPerDay: 6 };
    await restartService({ tiers: { ...TIER_LIMITS, free } });
    const viewer = await createViewer('free');
    const first = await start(viewer);
    clock.advance(4 * MINUTE);
    await close(viewer, first.session.id);
    const second = await start(viewer);
    clock.advance(2 * MINUTE);
    expect(await failureCodeOf(observe(viewer, second.session.id))).toBe('QUOTA_EXHAUSTED');
    expect(await failureCodeOf(start(viewer))).toBe('QUOTA_EXHAUSTED');
    // One minute past midnight leaves enough of the new day even while the end of the second session, whose time has run
    // out, is not stored yet.
    clock.advance(55 * MINUTE);
    expect(await failureCodeOf(start(viewer))).toBeNull();
  });
});
