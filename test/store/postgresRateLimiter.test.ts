import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { postgresPool, repeat } from '../../src/store/postgres/postgresPool.ts';
import { postgresRateLimiter } from '../../src/store/rateLimiter.ts';
import type { Tables } from '../../src/store/tables.ts';
import { openSharedStore, type SharedStore } from '../contracts/postgresContractStore.ts';
import { describeRateLimiterContract, granted } from '../contracts/rateLimiterContract.ts';
import { postgresMissing } from '../support/findPostgres.ts';

const openKysely = (url: string): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: postgresPool(url, {
        maxConnections: 5,
        connectTimeoutMs: 5_000,
        queueTimeoutMs: 15_000,
        statementTimeoutMs: 15_000,
        idleTransactionTimeoutMs: 2_000,
      }),
    }),
  });

describe.skipIf(postgresMissing !== null)(`PostgreSQL ${postgresMissing ?? ''}`, () => {
  let shared: SharedStore;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    shared = await openSharedStore();
    db = openKysely(shared.url);
  });
  beforeEach(() => shared.empty());
  afterAll(async () => {
    await db.destroy();
    await shared[Symbol.asyncDispose]();
  });
  /** A limiter of another process: it has its own memory. */
  const limiter = () => postgresRateLimiter(db, repeat);

  describeRateLimiterContract('PostgreSQL', limiter);

  it.each([-3_600_000, 3_600_000])('counts alike on a node whose clock is %d ms wrong', async wrongByMs => {
    await limiter().consume('a', 9, 10);
    vi.useFakeTimers({ now: Date.now() + wrongByMs, toFake: ['Date'] });
    try {
      const node = limiter();
      expect(await node.consume('a', 1, 10)).toMatchObject({ remaining: 0, granted: true });
      const refused = await node.consume('a', 1, 10);
      expect([refused.granted, refused.resetSeconds > 50, refused.resetSeconds <= 60]).toEqual([
        false,
        true,
        true,
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('starts a new window when the old one has ended', async () => {
    await limiter().consume('a', 10, 10);
    await shared.outside.query('update rate_limit_windows set expire = expire - 60001');
    expect(await limiter().consume('a', 1, 10)).toMatchObject({
      remaining: 9,
      granted: true,
      resetSeconds: 60,
    });
  });

  it('counts in memory while the database is away', async () => {
    const away = openKysely(shared.url);
    await away.destroy();
    const one = postgresRateLimiter(away, repeat);
    expect(await granted(Array.from({ length: 20 }, () => one.consume('a', 1, 10)))).toBe(10);
  });
});
