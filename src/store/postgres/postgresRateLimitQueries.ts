/** The request counters of a cluster, in the database of its store. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { RateLimitQueries } from '../../domain/ports/rateLimiter.ts';
import type { Tables } from '../tables.ts';

/** Creates the queries on the pool of the store. */
export const postgresRateLimitQueries = (db: Kysely<Tables>): RateLimitQueries => ({
  tableName: 'rate_limit_windows',
  async query({ text, values = [] }) {
    const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
  },
});
