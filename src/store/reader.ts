/** Runs the reads whose time grows with what is stored. */
import type { Compilable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs reads whose time grows with what is stored, so that they do not delay other requests. */
export interface Reader {
  /**
   * Returns all rows of a query.
   * @param accountId the account that reads; accounts with waiting reads take turns
   */
  all<Row>(accountId: string, query: Compilable<Row>): Promise<readonly Row[]>;
  /** Stops the reader, and rejects the waiting reads. Idempotent. */
  close(): Promise<void>;
}

/** Creates a reader that reads on the connection of the store: for databases in memory, which no other thread can open. */
export const sameThreadReader = (db: Kysely<Tables>): Reader => ({
  all: async (_accountId, query) => (await db.executeQuery(query.compile())).rows,
  close: async () => {},
});
