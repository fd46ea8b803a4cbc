/** Reads and writes the events of sessions, and the numbers of events by type. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Insertable, Kysely, Selectable } from 'kysely';
import type { EventCounts, EventRange } from '../domain/ports/sessionStore.ts';
import type { Session } from '../domain/session/session.ts';
import { SESSION_EVENT_TYPES, type SessionEvent, type StoredEvent } from '../domain/session/sessionEvent.ts';
import { prepareQuery } from './preparedQuery.ts';
import type { SqlEngine, StoreTransaction, Write } from './sqlEngine.ts';
import type { EventCountRow, EventRow, Tables } from './tables.ts';

/** Number of events that one statement removes. */
const EVENTS_PER_REMOVAL = 2_000;

/** Maximum number of event ranges in one query. SQLite allows expression trees of depth 1,000, and each range adds one level. */
const MAX_RANGES_PER_QUERY = 200;

/** Returns the writes of the events of a session, which also add them to its counts. */
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
export async function readEvents(
  db: Kysely<Tables>,
  sessionId: string,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const rows = await db
    .selectFrom('session_events')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(toStoredEvent);
}

/** Returns at most `limit` events of the account with `account_number > after`, in the order of their numbers. */
export async function readAccountEvents(
  db: Kysely<Tables>,
  accountId: string,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const rows = await db
    .selectFrom('session_events')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('account_number', '>', after)
    .orderBy('account_number')
    .limit(limit)
    .execute();
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

/** Returns the events of each range, in the order of the ranges. */
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
  ...(row.account_number !== null && { accountNumber: Number(row.account_number) }),
  event: JSON.parse(row.body) as SessionEvent,
});

function toEventCounts(rows: readonly { type: EventRow['type']; total: number }[]): EventCounts {
  const counts = new Map(rows.map(row => [row.type, Number(row.total)]));
  // Safe: the object has a key for each type.
  return Object.fromEntries(SESSION_EVENT_TYPES.map(type => [type, counts.get(type) ?? 0])) as EventCounts;
}
