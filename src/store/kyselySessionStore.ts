/** Implements SessionStore with Kysely. */
import type { Kysely, Selectable } from 'kysely';
import type { SessionMeter } from '../domain/ledger.ts';
import type {
  EventCounts,
  EventRange,
  SessionStore,
  StoredObservation,
} from '../domain/ports/sessionStore.ts';
import { SESSION_EVENT_TYPES, type SessionEvent, type StoredEvent } from '../domain/sessionEvent.ts';
import type { Space } from '../domain/space.ts';
import { writeCharges } from './kyselyLedgerStore.ts';
import { orderByIds } from './orderByIds.ts';
import { countSessions, listSessionPage } from './sessionQueries.ts';
import { toSession, toSessionRow } from './sessionRow.ts';
import type { EventRow, ObservationRow, SessionRow, Tables } from './tables.ts';

/** Maximum number of event ranges in one query. SQLite allows expression trees of depth 1,000, and each range adds one level. */
const MAX_RANGES_PER_QUERY = 200;

/** Creates the store of sessions, events and observations on a database. */
export function kyselySessionStore(db: Kysely<Tables>): SessionStore {
  return {
    commit: ({ session, events, observation, ledger, meter }) =>
      db.transaction().execute(async trx => {
        // The session's row counts its events. The upsert locks the row, so numbers have no gaps or duplicates.
        const { last_seq } = await trx
          .insertInto('sessions')
          .values({ ...toSessionRow(session, events.length), ...(meter !== undefined && toMeterRow(meter)) })
          .onConflict(conflict =>
            conflict.column('id').doUpdateSet(({ ref, eb }) => ({
              status: ref('excluded.status'),
              last_accessed_at: ref('excluded.last_accessed_at'),
              timeout_minutes: ref('excluded.timeout_minutes'),
              running: ref('excluded.running'),
              url: ref('excluded.url'),
              page_title: ref('excluded.page_title'),
              ended_at: ref('excluded.ended_at'),
              error: ref('excluded.error'),
              clock_shift_ms: ref('excluded.clock_shift_ms'),
              ...(meter !== undefined && toMeterRow(meter)),
              last_seq: eb('sessions.last_seq', '+', ref('excluded.last_seq')),
            })),
          )
          .returning('last_seq')
          .executeTakeFirstOrThrow();
        const first = last_seq - events.length + 1;
        const stored = events.map((event, i) => ({ sessionId: session.id, seq: first + i, event }));
        if (stored.length > 0)
          await trx.insertInto('session_events').values(stored.map(toEventRow)).execute();
        if (observation !== undefined) {
          const row = toObservationRow(observation);
          const { session_id: _, ...fresh } = row;
          await trx
            .insertInto('observations')
            .values(row)
            .onConflict(conflict => conflict.column('session_id').doUpdateSet(fresh))
            .execute();
        }
        if (ledger !== undefined) await writeCharges(trx, ledger);
        return stored;
      }),

    async load(accountId, ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', 'in', [...new Set(ids)])
        .execute();
      return orderByIds(ids, rows, row => row.id, toSession);
    },

    list: query => listSessionPage(db, query),

    count: (accountId, statuses, search = null) => countSessions(db, { accountId, statuses, search }),

    async activeSessions() {
      const rows = await db.selectFrom('sessions').selectAll().where('status', '=', 'active').execute();
      return rows.map(toSession);
    },

    async recordSeen(meters, at) {
      if (meters.size === 0) return;
      await db.transaction().execute(async trx => {
        for (const [id, meter] of meters)
          await trx
            .updateTable('sessions')
            .set({ seen_at: at, ...toMeterRow(meter) })
            .where('id', '=', id)
            .where('status', '=', 'active')
            .execute();
      });
    },

    async meters(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'key_id', 'browser_ms', 'uncharged_ms', 'uncharged_micros'])
        .where('id', 'in', [...new Set(sessionIds)])
        .execute();
      return orderByIds(sessionIds, rows, row => row.id, toMeter);
    },

    async lastSeenAt(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'last_accessed_at', 'seen_at'])
        .where('id', 'in', [...new Set(sessionIds)])
        .execute();
      return orderByIds(
        sessionIds,
        rows,
        row => row.id,
        row => Math.max(row.last_accessed_at, row.seen_at ?? 0),
      );
    },

    async endedBefore(at, limit) {
      const rows = await db
        .selectFrom('sessions')
        .select('id')
        .where('ended_at', '<', at)
        .orderBy('ended_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async remove(sessionIds) {
      if (sessionIds.length === 0) return;
      // Deletes events and observations too (on delete cascade).
      await db
        .deleteFrom('sessions')
        .where('id', 'in', [...sessionIds])
        .execute();
    },

    async observations(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('observations')
        .selectAll()
        .where('session_id', 'in', [...new Set(sessionIds)])
        .execute();
      return orderByIds(sessionIds, rows, row => row.session_id, toObservation);
    },

    async lastSeqs(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'last_seq'])
        .where('id', 'in', [...new Set(sessionIds)])
        .execute();
      const bySession = new Map(rows.map(row => [row.id, row.last_seq]));
      return sessionIds.map(id => bySession.get(id) ?? 0);
    },

    async eventCounts(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('session_events')
        .select(({ fn }) => ['session_id', 'type', fn.countAll<number>().as('total')])
        .where('session_id', 'in', [...new Set(sessionIds)])
        .groupBy(['session_id', 'type'])
        .execute();
      const bySession = Map.groupBy(rows, row => row.session_id);
      return sessionIds.map(id => toEventCounts(bySession.get(id) ?? []));
    },

    async events(sessionId, after, limit) {
      const rows = await db
        .selectFrom('session_events')
        .selectAll()
        .where('session_id', '=', sessionId)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map(toStoredEvent);
    },

    async eventsInRanges(ranges) {
      const pages: (readonly StoredEvent[])[] = [];
      for (let start = 0; start < ranges.length; start += MAX_RANGES_PER_QUERY)
        pages.push(...(await readRanges(db, ranges.slice(start, start + MAX_RANGES_PER_QUERY))));
      return pages;
    },
  };
}

async function readRanges(
  db: Kysely<Tables>,
  ranges: readonly EventRange[],
): Promise<readonly (readonly StoredEvent[])[]> {
  const rows = await db
    .selectFrom('session_events')
    .selectAll()
    .where(({ or, and, eb }) =>
      or(
        ranges.map(({ sessionId, after, upTo }) =>
          and([eb('session_id', '=', sessionId), eb('seq', '>', after), eb('seq', '<=', upTo)]),
        ),
      ),
    )
    .orderBy('seq')
    .execute();
  const bySession = Map.groupBy(rows.map(toStoredEvent), event => event.sessionId);
  return ranges.map(({ sessionId, after, upTo }) =>
    (bySession.get(sessionId) ?? []).filter(({ seq }) => seq > after && seq <= upTo),
  );
}

const toMeterRow = (meter: SessionMeter) => ({
  key_id: meter.keyId,
  browser_ms: meter.browserMs,
  uncharged_ms: meter.unchargedMs,
  uncharged_micros: meter.unchargedMicros,
});

const toMeter = (
  row: Pick<Selectable<SessionRow>, 'key_id' | 'browser_ms' | 'uncharged_ms' | 'uncharged_micros'>,
): SessionMeter | null =>
  row.key_id === null
    ? null
    : {
        keyId: row.key_id,
        browserMs: Number(row.browser_ms),
        unchargedMs: Number(row.uncharged_ms),
        unchargedMicros: Number(row.uncharged_micros),
      };

const toEventRow = ({ sessionId, seq, event }: StoredEvent): EventRow => ({
  session_id: sessionId,
  seq,
  type: event.type,
  at: event.at,
  body: JSON.stringify(event),
});

const toStoredEvent = (row: EventRow): StoredEvent => ({
  sessionId: row.session_id,
  seq: row.seq,
  event: JSON.parse(row.body) as SessionEvent,
});

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
  space: { messages: [], ...(JSON.parse(row.space) as Omit<Space, 'messages'> & Partial<Space>) },
});

function toEventCounts(rows: readonly { type: EventRow['type']; total: number }[]): EventCounts {
  const counts = new Map(rows.map(row => [row.type, Number(row.total)]));
  // Safe: the object has a key for each type.
  return Object.fromEntries(SESSION_EVENT_TYPES.map(type => [type, counts.get(type) ?? 0])) as EventCounts;
}
