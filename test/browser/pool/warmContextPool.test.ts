import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PooledContext } from '../../../src/browser/pool/pooledContext.ts';
import { WarmContextPool, type WarmContextPoolOptions } from '../../../src/browser/pool/warmContextPool.ts';

/** Longer than the delay of a refill without operations, and shorter than the quiet time between operations. */
const PAUSE_MS = 300;
/** Longer than the quiet time, and shorter than the time for which operations can postpone a refill. */
const QUIET_MS = 700;
const LONG_MS = 2_500;
/** Duration of the first part of the work that creates a context. */
const PART_MS = 20;

/** A pool whose contexts belong to one browser. Its count of created contexts is that of `add` and of refills. */
function openPool(count: number): {
  readonly pool: WarmContextPool;
  /** Number of contexts whose creation has begun. */
  readonly begun: () => number;
  readonly created: () => number;
  /** Closes the session that is open. */
  readonly closeSession: () => void;
} {
  let begun = 0;
  let created = 0;
  let hasSessions = true;
  const create: WarmContextPoolOptions['create'] = async (_account, pause) => {
    begun++;
    await new Promise(resolve => setTimeout(resolve, PART_MS));
    await pause();
    created++;
    const browser = { accountId: null, isRetired: false, isClosed: false, whileConnected: async () => {} };
    return {
      browser,
      warm: { tab: { target: { worlds: { find: () => null } } } },
    } as unknown as PooledContext;
  };
  const pool = new WarmContextPool({
    create,
    release: async () => {},
    targets: () => [{ accountId: null, count }],
    hasSessions: () => hasSessions,
    warn: () => {},
  });
  const closeSession = (): void => {
    hasSessions = false;
  };
  return { pool, begun: () => begun, created: () => created, closeSession };
}

/** Creates a context that no session takes. */
async function ready(pool: WarmContextPool): Promise<void> {
  const adding = pool.add(null);
  await vi.advanceTimersByTimeAsync(PART_MS);
  await adding;
}

describe('WarmContextPool', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('creates no context while an operation runs, and creates it when the sessions are quiet', async () => {
    const { pool, created } = openPool(2);
    await ready(pool);
    pool.refillSoon();
    const { promise, resolve } = Promise.withResolvers<void>();
    const operation = pool.whileOperating(() => promise);
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    expect(created()).toBe(1);
    resolve();
    await operation;
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    expect(created()).toBe(2);
  });

  it('creates no context in the pause between two operations of a session', async () => {
    const { pool, created, closeSession } = openPool(2);
    await ready(pool);
    pool.refillSoon();
    for (let n = 0; n < 4; n++) {
      await pool.whileOperating(async () => {});
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
    }
    expect(created()).toBe(1);
    closeSession();
    await pool.whileOperating(async () => {});
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(created()).toBe(2);
  });

  it('stops between two parts of the work while an operation runs', async () => {
    const { pool, begun, created } = openPool(2);
    await ready(pool);
    pool.refillSoon();
    while (begun() < 2) await vi.advanceTimersByTimeAsync(PART_MS / 2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const operation = pool.whileOperating(() => promise);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(created()).toBe(1);
    resolve();
    await operation;
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(created()).toBe(2);
  });

  it('creates it anyway when operations run all the time', async () => {
    const { pool, created } = openPool(2);
    await ready(pool);
    pool.refillSoon();
    void pool.whileOperating(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(created()).toBe(2);
  });

  it('does not wait for operations while no context is ready', async () => {
    const { pool, created } = openPool(1);
    pool.refillSoon();
    void pool.whileOperating(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    expect(created()).toBe(1);
  });
});
