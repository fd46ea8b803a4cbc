/** Reads and writes the last observations of sessions. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { StoredObservation } from '../domain/ports/sessionStore.ts';
import { NOTHING_PENDING, type Space } from '../domain/space/space.ts';
import { prepareQuery } from './preparedQuery.ts';
import type { StoreTransaction, Write } from './sqlEngine.ts';
import type { ObservationRow, Tables } from './tables.ts';

/** Returns the write of the last observation of a session. */
export const observationWrite = (trx: StoreTransaction, observation: StoredObservation): Write =>
  upsertObservation.write(trx, toObservationRow(observation));

const upsertObservation = prepareQuery((trx, row: ObservationRow) =>
  trx
    .insertInto('observations')
    .values(row)
    .onConflict(conflict =>
      conflict.column('session_id').doUpdateSet(({ ref }) => ({
        observed_at: ref('excluded.observed_at'),
        url: ref('excluded.url'),
        title: ref('excluded.title'),
        http_status: ref('excluded.http_status'),
        space: ref('excluded.space'),
      })),
    ),
);

/** Returns the write that removes the last observation of a session. */
export const observationRemoval = (trx: StoreTransaction, sessionId: string): Write =>
  trx.deleteFrom('observations').where('session_id', '=', sessionId);

/** Returns the last observation of each session, in the order of the ids; null for a session without one. */
export async function readObservations(
  db: Kysely<Tables>,
  sessionIds: readonly string[],
): Promise<readonly (StoredObservation | null)[]> {
  const found = new Map<string, StoredObservation>();
  for (const id of new Set(sessionIds)) {
    const row = await db
      .selectFrom('observations')
      .selectAll()
      .where('session_id', '=', id)
      .executeTakeFirst();
    if (row !== undefined) found.set(id, toObservation(row));
    // An observation has up to some megabytes of JSON: let other requests run after each.
    if (sessionIds.length > 1) await nextTurn();
  }
  return sessionIds.map(id => found.get(id) ?? null);
}

const toObservationRow = (observation: StoredObservation): ObservationRow => ({
  session_id: observation.sessionId,
  observed_at: observation.observedAt,
  url: observation.url,
  title: observation.title,
  http_status: observation.httpStatus,
  space: JSON.stringify(observation.space),
});

const toObservation = (row: ObservationRow): StoredObservation => ({
  sessionId: row.session_id,
  observedAt: row.observed_at,
  url: row.url,
  title: row.title,
  httpStatus: row.http_status,
  // Spaces that an earlier version stored have no messages.
  space: {
    messages: [],
    pending: NOTHING_PENDING,
    downloads: [],
    ...(JSON.parse(row.space) as Omit<Space, 'messages' | 'pending' | 'downloads'> & Partial<Space>),
  },
});
