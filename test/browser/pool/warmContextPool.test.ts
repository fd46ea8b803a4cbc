import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PooledContext } from '../../../src/browser/pool/pooledContext.ts';
import { WarmContextPool } from '../../../src/browser/pool/warmContextPool.ts';

/** Longer than the delay of a refill, and shorter than the time for which operations can postpone it. */
const QUIET_MS = 300;
const LONG_MS = 2_000;

/** A pool whose contexts belong to one browser. Its count of created contexts is that of `add` and of refills. */
function openPool(count: number): { readonly pool: WarmContextPool; readonly created: () => number } {
  let created = 0;
  const create = async (): Promise<PooledContext> => {
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
    warn: () => {},
  });
  return { pool, created: () => created };
}

describe('WarmContextPool', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('creates no context while an operation runs, and creates it when the sessions are quiet', async () => {
    const { pool, created } = openPool(2);
    await pool.add(null);
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

  it('creates it anyway when operations run all the time', async () => {
    const { pool, created } = openPool(2);
    await pool.add(null);
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
