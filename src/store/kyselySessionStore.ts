/** Implements SessionStore with Kysely. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { SessionMeter } from '../domain/ledger.ts';
import { NOTHING_PENDING } from '../domain/pending.ts';
import type { SessionStore, StoredObservation } from '../domain/ports/sessionStore.ts';
import type { SessionStatus } from '../domain/session.ts';
import type { Space } from '../domain/space.ts';
import { insertEvents, readEventCounts, readEventRanges, readEvents, removeEvents } from './eventRows.ts';
import { writeCharges } from './kyselyLedgerStore.ts';
import { orderByIds } from './orderByIds.ts';
import type { Reader } from './reader.ts';
import { countSessions, listSessionPage } from './sessionQueries.ts';
import { toSession, toSessionRow } from './sessionRow.ts';
import type { ObservationRow, SessionRow, Tables } from './tables.ts';

/** Some pages of the database: more than the start of a session writes. */
const PROBE_TEXT = 'x'.repeat(65_536);

/** Creates the store of sessions, events and observations on a database. */
export function kyselySessionStore(db: Kysely<Tables>, reader: Reader): SessionStore {
  return {
    commit: ({ session, events, observation, ledger, meter }) =>
      db.transaction().execute(async trx => {
        const before = await trx
          .selectFrom('sessions')
          .select('status')
          .where('id', '=', session.id)
          .executeTakeFirst();
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
              search_text: ref('excluded.search_text'),
              ...(meter !== undefined && toMeterRow(meter)),
              last_seq: eb('sessions.last_seq', '+', ref('excluded.last_seq')),
            })),
          )
          .returning('last_seq')
          .executeTakeFirstOrThrow();
        const first = last_seq - events.length + 1;
        const stored = events.map((event, i) => ({ sessionId: session.id, seq: first + i, event }));
        await insertEvents(trx, session.id, stored);
        if (before?.status !== session.status) {
          await countSession(trx, session.accountId, session.status, 1);
          if (before !== undefined) await countSession(trx, session.accountId, before.status, -1);
        }
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

    list: query => listSessionPage(db, reader, query),

    count: (accountId, statuses, search = null) => countSessions(db, reader, { accountId, statuses, search }),

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
      await removeEvents(db, sessionIds);
      await db.transaction().execute(async trx => {
        const counts = await trx
          .selectFrom('sessions')
          .select(({ fn }) => ['account_id', 'status', fn.countAll<number>().as('total')])
          .where('id', 'in', [...sessionIds])
          .groupBy(['account_id', 'status'])
          .execute();
        for (const { account_id, status, total } of counts)
          await countSession(trx, account_id, status, -Number(total));
        // Deletes counts and observations too (on delete cascade).
        await trx
          .deleteFrom('sessions')
          .where('id', 'in', [...sessionIds])
          .execute();
      });
    },

    async observations(sessionIds) {
      if (sessionIds.length === 0) return [];
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

    eventCounts: sessionIds => readEventCounts(db, sessionIds),
    events: (sessionId, after, limit) => readEvents(db, sessionId, after, limit),
    eventsInRanges: ranges => readEventRanges(db, ranges),

    assertWritable: () =>
      db.transaction().execute(async trx => {
        await trx.insertInto('storage_probes').values({ body: PROBE_TEXT }).execute();
        await trx.deleteFrom('storage_probes').execute();
      }),
  };
}

/** Adds `by` to the number of sessions of an account with a status. */
async function countSession(
  trx: Transaction<Tables>,
  accountId: string,
  status: SessionStatus,
  by: number,
): Promise<void> {
  await trx
    .insertInto('session_counts')
    .values({ account_id: accountId, status, total: by })
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'status'])
        .doUpdateSet(({ eb, ref }) => ({ total: eb('session_counts.total', '+', ref('excluded.total')) })),
    )
    .execute();
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
