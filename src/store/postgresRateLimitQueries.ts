/** The request counters of a cluster, in the database of its store. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs the SQL of a rate limiter library. */
export interface RateLimitQueries {
  /** Name of the table with the columns `key` (text, primary key), `points` and `expire` (milliseconds since the epoch, of the database). */
  readonly tableName: string;
  /** @throws Failure DEPENDENCY_UNAVAILABLE */
  query(query: {
    readonly text: string;
    readonly values?: readonly unknown[];
  }): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number }>;
}

/** Creates the queries on the pool of the store. */
export const postgresRateLimitQueries = (db: Kysely<Tables>): RateLimitQueries => ({
  tableName: 'rate_limit_windows',
  async query({ text, values = [] }) {
    const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
  },
});
