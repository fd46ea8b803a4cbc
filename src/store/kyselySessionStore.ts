import type { Insertable, Selectable } from 'kysely';
import type { SessionMeter } from '../domain/account/ledger.ts';
import { Failure } from '../domain/failure/failures.ts';
import type { NodeEpoch } from '../domain/ports/nodes.ts';
import type { SessionChange, SessionStore } from '../domain/ports/sessionStore.ts';
import type { Session, SessionStatus } from '../domain/session/session.ts';
import type { StoredEvent } from '../domain/session/sessionEvent.ts';
import { writeCharges } from './kyselyLedgerStore.ts';
import { countSessions, listSessionPage } from './sessionQueries.ts';
import {
  eventWrites,
  observationRemoval,
  observationWrite,
  readAccountEvents,
  readEventCounts,
  readEventRanges,
  readEvents,
  readObservations,
  removeEvents,
  toSession,
  toSessionRow,
} from './sessionRows.ts';
import {
  byIds,
  excluded,
  isPostgres,
  prepareQuery,
  type SqlEngine,
  type StoreTransaction,
  writeAll,
} from './sqlEngine.ts';
import type { Reader } from './store.ts';
import {
  type AccountEventCounterRow,
  fromColumns,
  type MeterRow,
  type SessionRow,
  toColumns,
} from './tables.ts';

/** Writes the session with its events, observation and charges. Implements `SessionStore.commit`. */
function commitSession(engine: SqlEngine, change: SessionChange): Promise<readonly StoredEvent[]> {
  const { session, events, observation, ledger, meter, maxActive = null } = change;
  const commit = async (trx: StoreTransaction, owner: NodeEpoch | null) => {
    // Starts of an account wait for each other from here to their commits: each counts the sessions of those before it.
    if (maxActive !== null) await engine.lock(trx, `sessions ${session.accountId}`);
    const [before] = await lockSession.run(trx, { id: session.id });
    if (owner !== null && before?.epoch != null && before.epoch !== owner.epoch)
      await assertEnded(trx, session.id, before.epoch);
    // In a cluster another node may have ended the session: an end is final, and is written once.
    if (owner !== null && before !== undefined && before.status !== 'active') {
      if (session.status === 'active') throw endedSession(session.id);
      return [];
    }
    if (maxActive !== null && before === undefined)
      await assertBelowMaximum(trx, session.accountId, maxActive);
    // The session's row counts its events. The upsert locks the row, so numbers have no gaps or duplicates.
    const [row] = await upsertSession.run(trx, {
      ...toSessionRow(session, events.length),
      ...(owner !== null && { node_id: owner.nodeId, epoch: owner.epoch }),
      ...(meter !== undefined && toColumns(meter)),
    });
    if (row === undefined) throw new Error(`The session ${session.id} could not be written.`);
    const first = row.last_seq - events.length + 1;
    const firstNumber = await takeAccountNumbers(trx, session.accountId, events.length);
    const stored = events.map((event, i) => ({
      sessionId: session.id,
      seq: first + i,
      accountNumber: firstNumber + i,
      event,
    }));
    if (change.labelsChanged === true || (before === undefined && session.labels !== undefined))
      await writeLabels(trx, session);
    await writeAll(trx, [
      ...eventWrites(trx, session, stored),
      ...(observation == null ? [] : [observationWrite(trx, observation)]),
      ...(observation === null ? [observationRemoval(trx, session.id)] : []),
    ]);
    if (before?.status !== session.status)
      await changeCounts(trx, session.accountId, {
        [session.status]: 1,
        ...(before && { [before.status]: -1 }),
      });
    if (ledger !== undefined) await writeCharges(trx, ledger);
    return stored;
  };
  return engine.transactAsNode(commit, session.accountId);
}

const lockSession = prepareQuery((trx, { id }: { readonly id: string }) =>
  trx
    .selectFrom('sessions')
    .select(['status', 'epoch'])
    .where('id', '=', id)
    .$if(isPostgres(trx), query => query.forNoKeyUpdate()),
);

const upsertSession = prepareQuery((trx, row: Insertable<SessionRow>) =>
  trx
    .insertInto('sessions')
    .values(row)
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(({ ref, eb }) => ({
        ...excluded(
          'status',
          'last_accessed_at',
          'timeout_minutes',
          'running',
          'url',
          'page_title',
          'ended_at',
        ),
        ...excluded('error', 'ended_by', 'clock_shift_ms', 'search_text', 'name', 'labels', 'options'),
        ...('key_id' in row && excluded('key_id', 'browser_ms', 'uncharged_ms', 'uncharged_micros')),
        last_seq: eb('sessions.last_seq', '+', ref('excluded.last_seq')),
      })),
    )
    .returning('last_seq'),
);

/** Takes the next numbers of the account's events. @returns the first of them. The row stays locked until the commit, so that numbers become visible in their order. */
async function takeAccountNumbers(trx: StoreTransaction, accountId: string, count: number): Promise<number> {
  if (count === 0) return 0;
  const [row] = await addAccountNumbers.run(trx, { account_id: accountId, last_number: count });
  if (row === undefined) throw new Error(`The events of account ${accountId} could not be numbered.`);
  return row.last_number - count + 1;
}

const addAccountNumbers = prepareQuery((trx, row: AccountEventCounterRow) =>
  trx
    .insertInto('account_event_counters')
    .values(row)
    .onConflict(conflict =>
      conflict.column('account_id').doUpdateSet(({ ref, eb }) => ({
        last_number: eb('account_event_counters.last_number', '+', ref('excluded.last_number')),
      })),
    )
    .returning('last_number'),
);

async function writeLabels(trx: StoreTransaction, { id, accountId, labels = [] }: Session): Promise<void> {
  await trx.deleteFrom('session_labels').where('session_id', '=', id).execute();
  if (labels.length > 0)
    await trx
      .insertInto('session_labels')
      .values(labels.map(label => ({ account_id: accountId, label, session_id: id })))
      .execute();
}

/** @throws Failure DEPENDENCY_UNAVAILABLE if another node runs the session */
async function assertEnded(trx: StoreTransaction, sessionId: string, epoch: number): Promise<void> {
  const other = await trx
    .selectFrom('nodes')
    .select('node_id')
    .where('epoch', '=', epoch)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (other !== undefined)
    throw new Failure(
      'DEPENDENCY_UNAVAILABLE',
      `The session ${sessionId} belongs to another node (${other.node_id}). Nothing was written.`,
      { retryAfterSeconds: 1 },
    );
}

const endedSession = (sessionId: string): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    `The session ${sessionId} was ended while this node had lost its lease. Nothing was written.`,
    { retryAfterSeconds: 1 },
  );

async function assertBelowMaximum(
  trx: StoreTransaction,
  accountId: string,
  maxActive: number,
): Promise<void> {
  const counted = await trx
    .selectFrom('session_counts')
    .select('total')
    .where('account_id', '=', accountId)
    .where('status', '=', 'active' satisfies SessionStatus)
    .executeTakeFirst();
  if ((counted?.total ?? 0) >= maxActive)
    throw new Failure(
      'CONCURRENCY_LIMIT',
      `This account already has its maximum of ${maxActive} sessions at once. Close one, or wait until one ends.`,
    );
}

/** All transactions write the counts in the same order, so that none waits for another in a circle. */
async function changeCounts(
  trx: StoreTransaction,
  accountId: string,
  changes: Readonly<Partial<Record<SessionStatus, number>>>,
): Promise<void> {
  const sorted = Object.entries(changes).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [status, by] of sorted)
    await trx
      .insertInto('session_counts')
      // Safe: the keys of `changes` are statuses.
      .values({ account_id: accountId, status: status as SessionStatus, total: by })
      .onConflict(conflict =>
        conflict
          .columns(['account_id', 'status'])
          .doUpdateSet(({ eb, ref }) => ({ total: eb('session_counts.total', '+', ref('excluded.total')) })),
      )
      .execute();
}

const toOwner = (row: { node_id: string | null; epoch: number | null }): NodeEpoch | null =>
  row.node_id === null || row.epoch === null ? null : { nodeId: row.node_id, epoch: row.epoch };

/** Some pages of the database: more than the start of a session writes. */
const PROBE_TEXT = 'x'.repeat(65_536);

export function kyselySessionStore(engine: SqlEngine, reader: Reader): SessionStore {
  const { db } = engine;
  const sessionsWith = (ids: string[]) => db.selectFrom('sessions').where('id', 'in', ids);
  /** Reads a column of each session; `none` for an unknown one. */
  const columnOf =
    <Column extends 'account_id' | 'node_id' | 'last_seq', None>(column: Column, none: None) =>
    (sessionIds: readonly string[]) =>
      byIds(
        sessionIds,
        ids =>
          sessionsWith(ids).select(['id', column]).$castTo<Pick<Selectable<SessionRow>, 'id' | Column>>(),
        row => row[column],
        none,
      );
  return {
    commit: change => commitSession(engine, change),

    load: (accountId, ids) =>
      byIds(ids, each => sessionsWith(each).selectAll().where('account_id', '=', accountId), toSession, null),

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

    owners: sessionIds =>
      byIds(
        sessionIds,
        ids => sessionsWith(ids).select(['id', 'node_id', 'epoch']).where('status', '=', 'active'),
        row => toOwner(row),
        null,
      ),

    accountIds: columnOf('account_id', null),
    lastNodes: columnOf('node_id', null),

    async activeMeters(accountId) {
      const rows = await db
        .selectFrom('sessions')
        .select(METER_COLUMNS)
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
            .set({ seen_at: at, ...toColumns(meter) })
            .where('id', '=', id)
            .where('status', '=', 'active')
            // A change of the session that was written meanwhile has a later time, and its charges.
            .where('browser_ms', '<', meter.browserMs)
            .$if(owner !== null, query => query.where('epoch', '=', owner?.epoch ?? 0))
            .execute();
      });
    },

    meters: sessionIds => byIds(sessionIds, ids => sessionsWith(ids).select(METER_COLUMNS), toMeter, null),

    lastSeenAt: sessionIds =>
      byIds(
        sessionIds,
        ids => sessionsWith(ids).select(['id', 'last_accessed_at', 'seen_at']),
        row => Math.max(row.last_accessed_at, row.seen_at ?? 0),
        null,
      ),

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

    lastSeqs: columnOf('last_seq', 0),
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

const METER_COLUMNS = ['id', 'key_id', 'browser_ms', 'uncharged_ms', 'uncharged_micros'] as const;

const toMeter = ({
  id: _id,
  key_id,
  ...row
}: Pick<Selectable<SessionRow>, 'id' | keyof MeterRow>): SessionMeter | null =>
  key_id === null ? null : fromColumns<SessionMeter>({ key_id, ...row });
