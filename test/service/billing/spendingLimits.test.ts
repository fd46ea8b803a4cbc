import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TIER_LIMITS } from '../../../src/domain/tiers.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { type StartedService, startService } from '../../support/startService.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';
import { DEFAULT_OPTIONS, failureCodeOf, MINUTE, meteredOperations } from './meteredOperations.ts';

let clock: ManualClock;
let started: StartedService;
let site: TestSite;
beforeEach(async () => {
  clock = manualClock();
  site = await startTestSite();
  started = await startService({ browser: 'fake', clock });
});
afterEach(async () => {
  await started[Symbol.asyncDispose]();
  await site.close();
});

const { someone, start, observe, close, balance } = meteredOperations(() => ({ started, clock, site }));

describe('an account with nothing left', () => {
  it('may begin no operation, but read and close', async () => {
    const viewer = await someone('pay_as_you_go', 500);
    const { session } = await start(viewer);
    await observe(viewer, session.id);
    expect(await failureCodeOf(observe(viewer, session.id))).toBe('BALANCE_EXHAUSTED');
    expect(await failureCodeOf(start(viewer))).toBe('BALANCE_EXHAUSTED');
    expect(await started.service.sessions(viewer, [session.id])).toHaveLength(1);
    expect((await close(viewer, session.id)).session.status).toBe('closed');
  });

  it('has the running time of its sessions counted in', async () => {
    const viewer = await someone('pay_as_you_go', 2_000);
    const { session } = await start(viewer);
    clock.advance(MINUTE);
    expect(await failureCodeOf(observe(viewer, session.id))).toBe('BALANCE_EXHAUSTED');
  });

  it('may begin no upload either', async () => {
    const viewer = await someone('pay_as_you_go', 500);
    const { session } = await start(viewer);
    await observe(viewer, session.id);
    const pieces = (async function* () {
      yield new TextEncoder().encode('text');
    })();
    const upload = started.service.uploadFile(viewer, {
      sessionId: session.id,
      name: 'a.txt',
      chunks: pieces,
      signal: DEFAULT_OPTIONS.signal,
    });
    expect(await failureCodeOf(upload)).toBe('BALANCE_EXHAUSTED');
  });

  it('is found out when an operation begins, not when it was asked: those that waited are refused', async () => {
    const viewer = await someone('pay_as_you_go', 1_000);
    const { session } = await start(viewer);
    const asked = Array.from({ length: 5 }, () => failureCodeOf(observe(viewer, session.id)));
    expect(await Promise.all(asked)).toEqual([
      null,
      null,
      'BALANCE_EXHAUSTED',
      'BALANCE_EXHAUSTED',
      'BALANCE_EXHAUSTED',
    ]);
    expect(await balance(viewer)).toBe(0);
  });

  it('overdraws by what ran in other sessions at that moment, and by no more', async () => {
    const viewer = await someone('pay_as_you_go', 500);
    const sessions = await Promise.all(Array.from({ length: 4 }, () => start(viewer)));
    const asked = sessions.flatMap(({ session: { id } }) => [observe(viewer, id), observe(viewer, id)]);
    await Promise.allSettled(asked);
    expect(await balance(viewer)).toBeGreaterThanOrEqual(500 - sessions.length * 500);
    expect(await balance(viewer)).toBeLessThanOrEqual(0);
  });

  it('works again once it has credit', async () => {
    const viewer = await someone('pay_as_you_go');
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

describe('spend caps', () => {
  it('hold for a session', async () => {
    const viewer = await someone('pay_as_you_go', 1_000_000);
    const { session } = await start(viewer, { spendCapMicros: 500 });
    await observe(viewer, session.id);
    expect(await failureCodeOf(observe(viewer, session.id))).toBe('BALANCE_EXHAUSTED');
    expect(await failureCodeOf(start(viewer))).toBeNull();
  });

  it('hold for a key, in all its sessions together', async () => {
    const viewer = await someone('pay_as_you_go', 1_000_000);
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

describe('browser minutes a day', () => {
  it('are counted over sessions, running ones too, and begin anew at midnight UTC', async () => {
    const free = { ...TIER_LIMITS.free, browserMinutesPerDay: 6 };
    await started[Symbol.asyncDispose]();
    started = await startService({ browser: 'fake', clock, tiers: { ...TIER_LIMITS, free } });
    const viewer = await someone('free');
    const first = await start(viewer);
    clock.advance(4 * MINUTE);
    await close(viewer, first.session.id);
    const second = await start(viewer);
    clock.advance(2 * MINUTE);
    expect(await failureCodeOf(observe(viewer, second.session.id))).toBe('QUOTA_EXHAUSTED');
    expect(await failureCodeOf(start(viewer))).toBe('QUOTA_EXHAUSTED');
    clock.advance(24 * 60 * MINUTE);
    expect(await failureCodeOf(start(viewer))).toBeNull();
  });
});
