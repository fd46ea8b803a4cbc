import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Insertable, Kysely, Selectable } from 'kysely';
import type { EventCounts, EventRange, StoredObservation } from '../domain/ports/sessionStore.ts';
import type { ShownOptions } from '../domain/session/browserOptions.ts';
import type { Caller } from '../domain/session/performedOperation.ts';
import { endedAt, isActive, type Session, sessionError } from '../domain/session/session.ts';
import { SESSION_EVENT_TYPES, type SessionEvent, type StoredEvent } from '../domain/session/sessionEvent.ts';
import { NOTHING_PENDING, type Space } from '../domain/space/space.ts';
import { excluded, prepareQuery, type SqlEngine, type StoreTransaction, type Write } from './sqlEngine.ts';
import {
  type EventCountRow,
  type EventRow,
  fromColumns,
  type ObservationRow,
  type SessionRow,
  type Tables,
  toColumns,
} from './tables.ts';

/** Separates the parts of `search_text`: a character that no search contains. */
const SEARCH_SEPARATOR = '\u001f';

/** Converts a session to its row. `newEvents`, written with it, is the `last_seq` of a new row; for an existing one the caller adds it. */
export const toSessionRow = (session: Session, newEvents: number): Insertable<SessionRow> => ({
  id: session.id,
  account_id: session.accountId,
  status: session.status,
  created_at: session.createdAt,
  last_accessed_at: session.lastAccessedAt,
  timeout_minutes: session.timeoutMinutes,
  running: isActive(session) ? session.running : 0,
  url: session.url,
  page_title: session.pageTitle,
  ended_at: endedAt(session),
  error: session.status === 'closed' ? (session.reason ?? null) : sessionError(session),
  last_seq: newEvents,
  clock_shift_ms: session.clockShiftMs ?? 0,
  search_text: [session.id, session.url ?? '', session.pageTitle ?? '', session.name ?? '']
    .join(SEARCH_SEPARATOR)
    .toLowerCase(),
  name: session.name ?? null,
  labels: session.labels === undefined ? null : JSON.stringify(session.labels),
  record: session.record ?? null,
  page_log: session.pageLog === true ? 'on' : null,
  options: session.options === undefined ? null : JSON.stringify(session.options),
  started_by: session.startedBy === undefined ? null : JSON.stringify(session.startedBy),
  ended_by:
    session.status === 'closed' && session.endedBy !== undefined ? JSON.stringify(session.endedBy) : null,
});

/** Converts a row of the table `sessions` to a session. @throws Error if the row has values that `toSessionRow` never writes */
export function toSession(row: Selectable<SessionRow>): Session {
  const fields = {
    id: row.id,
    accountId: row.account_id,
    createdAt: row.created_at,
    lastAccessedAt: row.last_accessed_at,
    timeoutMinutes: row.timeout_minutes,
    ...(row.clock_shift_ms !== 0 && { clockShiftMs: row.clock_shift_ms }),
    url: row.url,
    pageTitle: row.page_title,
    ...(row.name !== null && { name: row.name }),
    ...(row.labels !== null && { labels: JSON.parse(row.labels) as readonly string[] }),
    ...(row.record !== null && { record: row.record }),
    ...(row.page_log === 'on' && { pageLog: true }),
    ...(row.options !== null && { options: JSON.parse(row.options) as ShownOptions }),
    ...(row.started_by !== null && { startedBy: JSON.parse(row.started_by) as Caller }),
  };
  if (row.status === 'active') return { ...fields, status: 'active', running: row.running };
  if (row.ended_at === null)
    throw new Error(`Session ${row.id} is stored as ${row.status} without an end time.`);
  const ended = { ...fields, endedAt: row.ended_at };
  switch (row.status) {
    case 'closed':
      return {
        ...ended,
        status: 'closed',
        ...(row.ended_by !== null && { endedBy: JSON.parse(row.ended_by) as Caller }),
        ...(row.error !== null && { reason: row.error }),
      };
    case 'timed_out':
      return { ...ended, status: 'timed_out' };
    case 'error':
      return { ...ended, status: 'error', error: row.error ?? '' };
  }
}

const EVENTS_PER_REMOVAL = 2_000;

/** Maximum number of event ranges in one query. SQLite allows expression trees of depth 1,000, and each range adds one level. */
const MAX_RANGES_PER_QUERY = 200;

export function eventWrites(
  trx: StoreTransaction,
  { id: sessionId, accountId }: Pick<Session, 'id' | 'accountId'>,
  events: readonly StoredEvent[],
): readonly Write[] {
  if (events.length === 0) return [];
  const byType = Map.groupBy(events, ({ event }) => event.type);
  return [
    insertEvents.write(
      trx,
      events.map(event => toEventRow(accountId, event)),
    ),
    addEventCounts.write(
      trx,
      [...byType].map(([type, { length }]) => ({ session_id: sessionId, type, total: length })),
    ),
  ];
}

const insertEvents = prepareQuery((trx, rows: readonly Insertable<EventRow>[]) =>
  trx.insertInto('session_events').values(rows),
);

const addEventCounts = prepareQuery((trx, rows: readonly EventCountRow[]) =>
  trx
    .insertInto('event_counts')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['session_id', 'type'])
        .doUpdateSet(({ eb, ref }) => ({ total: eb('event_counts.total', '+', ref('excluded.total')) })),
    ),
);

/** Returns the number of events of each session by type, in the order of the ids. */
export async function readEventCounts(
  db: Kysely<Tables>,
  sessionIds: readonly string[],
): Promise<readonly EventCounts[]> {
  if (sessionIds.length === 0) return [];
  const rows = await db
    .selectFrom('event_counts')
    .selectAll()
    .where('session_id', 'in', [...new Set(sessionIds)])
    .execute();
  const bySession = Map.groupBy(rows, row => row.session_id);
  return sessionIds.map(id => toEventCounts(bySession.get(id) ?? []));
}

/** Returns at most `limit` events of the session with `seq > after`, in the order of `seq`. */
export const readEvents = (
  db: Kysely<Tables>,
  sessionId: string,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> => readAfter(db, ['session_id', sessionId], 'seq', after, limit);

/** Returns at most `limit` events of the account with `account_number > after`, in the order of their numbers. */
export const readAccountEvents = (
  db: Kysely<Tables>,
  accountId: string,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> =>
  readAfter(db, ['account_id', accountId], 'account_number', after, limit);

async function readAfter(
  db: Kysely<Tables>,
  [column, id]: readonly ['session_id' | 'account_id', string],
  number: 'seq' | 'account_number',
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const events = db.selectFrom('session_events').selectAll().where(column, '=', id);
  const rows = await events.where(number, '>', after).orderBy(number).limit(limit).execute();
  return rows.map(toStoredEvent);
}

/** Removes the events of the sessions, some thousands at a time, so that a session with a million of them delays no request. */
export async function removeEvents(engine: SqlEngine, sessionIds: readonly string[]): Promise<void> {
  for (const id of sessionIds)
    for (;;) {
      const last = await engine.db
        .selectFrom('session_events')
        .select('seq')
        .where('session_id', '=', id)
        .orderBy('seq')
        .limit(1)
        .offset(EVENTS_PER_REMOVAL)
        .executeTakeFirst();
      await engine.transactAsNode(trx =>
        trx
          .deleteFrom('session_events')
          .where('session_id', '=', id)
          .$if(last !== undefined, query => query.where('seq', '<', last?.seq ?? 0))
          .execute(),
      );
      if (last === undefined) break;
      await nextTurn();
    }
}

export async function readEventRanges(
  db: Kysely<Tables>,
  ranges: readonly EventRange[],
): Promise<readonly (readonly StoredEvent[])[]> {
  const pages: (readonly StoredEvent[])[] = [];
  for (let start = 0; start < ranges.length; start += MAX_RANGES_PER_QUERY)
    pages.push(...(await readRanges(db, ranges.slice(start, start + MAX_RANGES_PER_QUERY))));
  return pages;
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

const toEventRow = (
  accountId: string,
  { sessionId, seq, accountNumber, event }: StoredEvent,
): Insertable<EventRow> => ({
  session_id: sessionId,
  seq,
  type: event.type,
  at: event.at,
  body: JSON.stringify(event),
  account_id: accountId,
  account_number: accountNumber ?? null,
});

const toStoredEvent = (row: Selectable<EventRow>): StoredEvent => ({
  sessionId: row.session_id,
  seq: row.seq,
  ...(row.account_number !== null && { accountNumber: row.account_number }),
  event: JSON.parse(row.body) as SessionEvent,
});

function toEventCounts(rows: readonly EventCountRow[]): EventCounts {
  const counts = new Map(rows.map(row => [row.type, row.total]));
  // Safe: the object has a key for each type.
  return Object.fromEntries(SESSION_EVENT_TYPES.map(type => [type, counts.get(type) ?? 0])) as EventCounts;
}

export const observationWrite = (trx: StoreTransaction, observation: StoredObservation): Write =>
  upsertObservation.write(trx, { ...toColumns(observation), space: JSON.stringify(observation.space) });

const upsertObservation = prepareQuery((trx, row: ObservationRow) =>
  trx
    .insertInto('observations')
    .values(row)
    .onConflict(conflict =>
      conflict
        .column('session_id')
        .doUpdateSet(excluded('observed_at', 'url', 'title', 'http_status', 'space')),
    ),
);

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

const toObservation = ({ space, ...row }: ObservationRow): StoredObservation => ({
  ...fromColumns<Omit<StoredObservation, 'space'>>(row),
  // Spaces that an earlier version stored have no messages.
  space: {
    messages: [],
    pending: NOTHING_PENDING,
    downloads: [],
    ...(JSON.parse(space) as Omit<Space, 'messages' | 'pending' | 'downloads'> & Partial<Space>),
  },
});
