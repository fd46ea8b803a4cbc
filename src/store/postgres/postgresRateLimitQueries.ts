/** The request counters of a cluster, in the database of its store. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { RateLimitQueries } from '../../domain/ports/rateLimiter.ts';
import type { Tables } from '../tables.ts';
import { repeat } from './repeat.ts';

/** Creates the queries on the pool of the store. */
export const postgresRateLimitQueries = (db: Kysely<Tables>): RateLimitQueries => ({
  tableName: 'rate_limit_windows',
  async query({ text, values = [] }) {
    // A request that is counted twice after a lost connection costs its caller less than a request that fails.
    const { rows, numAffectedRows } = await repeat(() =>
      db.executeQuery(CompiledQuery.raw(text, [...values])),
    );
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
  },
});
