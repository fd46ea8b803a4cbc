/** Reads what tells a database from every other one. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** SQLSTATEs of a user who may not call a function, and of a server that does not have it. */
const UNREADABLE_STATES = ['42501', '42883'];

/**
 * Returns the system identifier of the server and the number of the database, with a hyphen between them: a standby that
 * takes over has the same one, a copy in another database or on another server does not. Null if the server does not tell it.
 */
export async function readDatabaseId(db: Kysely<Tables>): Promise<string | null> {
  try {
    const { rows } = await sql<{ readonly id: string }>`
      select (select system_identifier from pg_control_system()) || '-' || oid as id
      from pg_database where datname = current_database()`.execute(db);
    return rows[0]?.id ?? null;
  } catch (error) {
    if (UNREADABLE_STATES.includes((error as { readonly code?: string }).code ?? '')) return null;
    throw error;
  }
}
