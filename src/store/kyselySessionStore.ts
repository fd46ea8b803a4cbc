/** Implements SessionStore with Kysely. */
import type { Selectable } from 'kysely';
import type { SessionMeter } from '../domain/account/ledger.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import { changeCounts, commitSession, toMeterRow, toOwner } from './commitSession.ts';
import {
  readAccountEvents,
  readEventCounts,
  readEventRanges,
  readEvents,
  removeEvents,
} from './eventRows.ts';
import { readObservations } from './observationRows.ts';
import { orderByIds } from './preparedQuery.ts';
import { countSessions, listSessionPage } from './sessionQueries.ts';
import { toSession } from './sessionRow.ts';
import type { SqlEngine } from './sqlEngine.ts';
import type { Reader } from './store.ts';
import type { SessionRow } from './tables.ts';

/** Some pages of the database: more than the start of a session writes. */
const PROBE_TEXT = 'x'.repeat(65_536);

/** Creates the store of sessions, events and observations on a database. */
export function kyselySessionStore(engine: SqlEngine, reader: Reader): SessionStore {
  const { db } = engine;
  const sessionsWith = (ids: readonly string[]) =>
    db.selectFrom('sessions').where('id', 'in', [...new Set(ids)]);
  return {
    commit: change => commitSession(engine, change),

    async load(accountId, ids) {
      if (ids.length === 0) return [];
      const rows = await sessionsWith(ids).selectAll().where('account_id', '=', accountId).execute();
      return orderByIds(ids, rows, row => row.id, toSession);
    },

    list: query => listSessionPage(db, reader, query),

    count: (accountId, statuses, search = null, filter = {}) =>
      countSessions(db, reader, { accountId, statuses, search, filter }),

    async activeSessions(owner) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('status', '=', 'active')
        .$if(owner !== undefined, query => query.where('epoch', '=', owner?.epoch ?? 0))
        .execute();
      return rows.map(toSession);
    },

    async owners(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await sessionsWith(sessionIds)
        .select(['id', 'node_id', 'epoch'])
        .where('status', '=', 'active')
        .execute();
      return orderByIds(sessionIds, rows, row => row.id, toOwner);
    },

    async accountIds(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await sessionsWith(sessionIds).select(['id', 'account_id']).execute();
      return orderByIds(
        sessionIds,
        rows,
        row => row.id,
        row => row.account_id,
      );
    },

    async lastNodes(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await sessionsWith(sessionIds).select(['id', 'node_id']).execute();
      return orderByIds(
        sessionIds,
        rows,
        row => row.id,
        row => row.node_id,
      );
    },

    async activeMeters(accountId) {
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'key_id', 'browser_ms', 'uncharged_ms', 'uncharged_micros'])
        .where('account_id', '=', accountId)
        .where('status', '=', 'active')
        .execute();
      return new Map(
        rows.flatMap(row => {
          const meter = toMeter(row);
          return meter === null ? [] : [[row.id, meter] as const];
        }),
      );
    },

    async recordSeen(meters, at) {
      if (meters.size === 0) return;
      const sorted = [...meters].sort(([a], [b]) => (a < b ? -1 : 1));
      await engine.transactAsNode(async (trx, owner) => {
        for (const [id, meter] of sorted)
          await trx
            .updateTable('sessions')
            .set({ seen_at: at, ...toMeterRow(meter) })
            .where('id', '=', id)
            .where('status', '=', 'active')
            // A change of the session that was written meanwhile has a later time, and its charges.
            .where('browser_ms', '<', meter.browserMs)
            .$if(owner !== null, query => query.where('epoch', '=', owner?.epoch ?? 0))
            .execute();
      });
    },

    async meters(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await sessionsWith(sessionIds)
        .select(['id', 'key_id', 'browser_ms', 'uncharged_ms', 'uncharged_micros'])
        .execute();
      return orderByIds(sessionIds, rows, row => row.id, toMeter);
    },

    async lastSeenAt(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await sessionsWith(sessionIds).select(['id', 'last_accessed_at', 'seen_at']).execute();
      return orderByIds(
        sessionIds,
        rows,
        row => row.id,
        row => Math.max(row.last_accessed_at, row.seen_at ?? 0),
      );
    },

    async endedSince(accountId, at) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('ended_at', '>=', at)
        .orderBy('ended_at')
        .execute();
      return rows.map(toSession);
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
      await removeEvents(engine, sessionIds);
      await engine.transactAsNode(async (trx, owner) => {
        // Deletes counts and observations too (on delete cascade). Another node may remove the same sessions.
        const removed = await trx
          .deleteFrom('sessions')
          .where('id', 'in', [...sessionIds])
          .$if(owner !== null, query => query.where('status', '<>', 'active'))
          .returning(['account_id', 'status'])
          .execute();
        const byAccount = Map.groupBy(removed, row => row.account_id);
        for (const accountId of [...byAccount.keys()].sort()) {
          const byStatus = Map.groupBy(byAccount.get(accountId) ?? [], row => row.status);
          const changes = [...byStatus].map(([status, { length }]) => [status, -length]);
          await changeCounts(trx, accountId, Object.fromEntries(changes));
        }
      });
    },

    observations: sessionIds => readObservations(db, sessionIds),

    async lastSeqs(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await sessionsWith(sessionIds).select(['id', 'last_seq']).execute();
      const bySession = new Map(rows.map(row => [row.id, row.last_seq]));
      return sessionIds.map(id => bySession.get(id) ?? 0);
    },

    eventCounts: sessionIds => readEventCounts(db, sessionIds),
    events: (sessionId, after, limit) => readEvents(db, sessionId, after, limit),
    accountEvents: (accountId, after, limit) => readAccountEvents(db, accountId, after, limit),
    eventsInRanges: ranges => readEventRanges(db, ranges),

    assertWritable: () =>
      engine.transactAsNode(async trx => {
        await trx.insertInto('storage_probes').values({ body: PROBE_TEXT }).execute();
        await trx.deleteFrom('storage_probes').execute();
      }),
  };
}

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
