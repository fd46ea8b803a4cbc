import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TIER_LIMITS } from '../../../src/domain/account/account.ts';
import { durationMs } from '../../../src/domain/session/sessionLimits.ts';
import { failureCodeOf, MINUTE, meteredOperations } from './meteredOperations.ts';

const HOUR = 60 * MINUTE;

const { started, clock, createViewer, start, observe, close, rows, balance } = meteredOperations();

const credit = (accountId: string) =>
  started.service.credit(started.viewer, { accountId, reference: 'invoice 1', amountMicros: 1_000_000 });
/** A credit by another process, such as `npm run accounts -- credit`. */
const creditElsewhere = (accountId: string) =>
  started.store.ledger.credit({
    accountId,
    reference: 'invoice 1',
    amountMicros: 1_000_000,
    at: clock.now(),
  });

describe('a session that began while its account was free', () => {
  it('is charged from the credit on, and not for the time before', async () => {
    const viewer = await createViewer('free');
    const { session } = await start(viewer);
    clock.advance(MINUTE);
    await credit(viewer.account.id);
    clock.advance(2 * MINUTE);
    await observe(viewer, session.id);
    await close(viewer, session.id);
    expect((await rows(viewer)).map(row => [row.kind, row.browserMs, row.amountMicros])).toEqual([
      ['start', 0, 0],
      ['credit', 0, 1_000_000],
      ['observe', 0, -500],
      ['idle', 3 * MINUTE, -4_000],
    ]);
  });

  it.each([
    ['at the next operation', 0],
    ['within five seconds', 5_000],
  ])('is charged from the time of a credit by another process, which it finds %s', async (_when, waitMs) => {
    const viewer = await createViewer('free');
    const { session } = await start(viewer);
    clock.advance(MINUTE + 1_000);
    await creditElsewhere(viewer.account.id);
    clock.advance(4_000);
    if (waitMs === 0) await observe(viewer, session.id);
    else clock.advance(waitMs);
    await nextTurn();
    clock.advance(MINUTE);
    await close(viewer, session.id);
    expect((await rows(viewer)).at(-1)).toMatchObject({
      kind: 'idle',
      amountMicros: -Math.ceil(((MINUTE + 4_000 + waitMs) * 2_000) / MINUTE),
    });
  });

  it('ends with BALANCE_EXHAUSTED for the viewer of a connection that was opened while the account was free', async () => {
    const viewer = await createViewer('free');
    const { session } = await start(viewer);
    await started.service.credit(started.viewer, {
      accountId: viewer.account.id,
      reference: 'small',
      amountMicros: 500,
    });
    await observe(viewer, session.id);
    expect(await failureCodeOf(observe(viewer, session.id))).toBe('BALANCE_EXHAUSTED');
    expect(await balance(viewer)).toBe(0);
  });

  it('has the limits of the new tier at once, on every connection', async () => {
    const viewer = await createViewer('free');
    const { sessionsAtOnce } = TIER_LIMITS.free;
    for (let n = 0; n < (sessionsAtOnce ?? 0); n++) await start(viewer);
    expect(await failureCodeOf(start(viewer))).toBe('CONCURRENCY_LIMIT');
    await credit(viewer.account.id);
    expect(await failureCodeOf(start(viewer, { timeoutMinutes: 29 }))).toBeNull();
    expect(await started.service.countRequests(viewer, 1)).toMatchObject({ limit: 600 });
  });
});

it('a session that begins on a connection which was opened while the account was free has the prices from its start', async () => {
  const viewer = await createViewer('free');
  await creditElsewhere(viewer.account.id);
  clock.advance(MINUTE);
  const { session } = await start(viewer);
  clock.advance(3_000);
  await close(viewer, session.id);
  expect((await rows(viewer)).slice(1).map(row => [row.kind, row.browserMs, row.amountMicros])).toEqual([
    ['start', 0, 0],
    ['idle', 3_000, -100],
  ]);
});

describe('the wall clock', () => {
  it.each([HOUR, -HOUR])(
    'set by %i ms changes neither the charge nor the duration of a session',
    async byMs => {
      const viewer = await createViewer('pay_as_you_go', 1_000_000);
      const { session } = await start(viewer);
      clock.advance(MINUTE);
      clock.jump(byMs);
      clock.advance(MINUTE);
      const { session: closed } = await close(viewer, session.id);
      expect((await rows(viewer)).at(-1)).toMatchObject({ kind: 'idle', browserMs: 2 * MINUTE });
      expect(durationMs(closed, clock.now())).toBe(2 * MINUTE);
      const [stored] = await started.service.sessions(viewer, [session.id]);
      expect(stored && durationMs(stored, clock.now())).toBe(2 * MINUTE);
    },
  );
});

it('idle time over midnight (UTC) is charged to the day on which it passed', async () => {
  const viewer = await createViewer('pay_as_you_go', 1_000_000);
  clock.advance(12 * HOUR - 2 * MINUTE);
  const { session } = await start(viewer);
  clock.advance(5 * MINUTE - 1);
  await close(viewer, session.id);
  const idle = (await rows(viewer)).filter(row => row.kind === 'idle');
  expect(idle.map(row => [new Date(row.at).toISOString(), row.browserMs, row.reference])).toEqual([
    ['2026-03-09T23:59:59.999Z', 2 * MINUTE, session.id],
    ['2026-03-10T00:02:59.999Z', 3 * MINUTE - 1, session.id],
  ]);
});
