/** RateLimiter on PostgreSQL: one count for all nodes. */
import { type Kysely, sql } from 'kysely';
import type { RateLimiter } from '../../domain/ports/rateLimiter.ts';
import { type CountedWindow, limitRequests, onlyRow, WINDOW_MS } from '../rateLimiter.ts';
import type { Tables } from '../tables.ts';
import { repeat } from './postgresPool.ts';

/** The current time of the database, in milliseconds since the epoch. */
const DATABASE_NOW = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/**
 * Creates a rate limiter that counts requests in PostgreSQL: all nodes share the windows. Times are those of the database, so
 * the clocks of the nodes do not matter.
 */
export function postgresRateLimiter(db: Kysely<Tables>): RateLimiter {
  const { consume } = limitRequests(async (name, requests, sweep) => {
    // A request that is counted twice after a lost connection costs its caller less than a request that fails.
    const { rows } = await repeat(() =>
      sql<CountedWindow>`
        insert into rate_limit_windows as w (key, points, expire)
          values (${name}, ${requests}, ${DATABASE_NOW} + ${WINDOW_MS}::int)
        on conflict (key) do update set
          points = case when w.expire <= ${DATABASE_NOW} then excluded.points else w.points + excluded.points end,
          expire = case when w.expire <= ${DATABASE_NOW} then excluded.expire else w.expire end
        returning points, expire - ${DATABASE_NOW} as "remainingMs"`.execute(db),
    );
    if (sweep) await sql`delete from rate_limit_windows where expire < ${DATABASE_NOW}`.execute(db);
    return onlyRow(rows[0]);
  });
  return { consume, adjustForClockJump: () => undefined };
}
