/** Writes a change of one session in one transaction. */
import type { Insertable } from 'kysely';
import type { SessionMeter } from '../domain/account/ledger.ts';
import { Failure } from '../domain/failure/failures.ts';
import type { NodeEpoch } from '../domain/ports/nodeRegistry.ts';
import type { SessionChange } from '../domain/ports/sessionStore.ts';
import type { Session, SessionStatus } from '../domain/session/session.ts';
import type { StoredEvent } from '../domain/session/sessionEvent.ts';
import { eventWrites } from './eventRows.ts';
import { writeCharges } from './kyselyLedgerStore.ts';
import { observationRemoval, observationWrite } from './observationRows.ts';
import { prepareQuery } from './preparedQuery.ts';
import { toSessionRow } from './sessionRow.ts';
import { isPostgres, type SqlEngine, type StoreTransaction, writeAll } from './sqlEngine.ts';
import type { AccountEventCounterRow, SessionRow } from './tables.ts';

/**
 * Writes the session with its events, observation and charges. Implements `SessionStore.commit`.
 * @throws Failure CONCURRENCY_LIMIT, STORAGE_FULL, DEPENDENCY_UNAVAILABLE
 */
export function commitSession(engine: SqlEngine, change: SessionChange): Promise<readonly StoredEvent[]> {
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
      ...(meter !== undefined && toMeterRow(meter)),
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
        name: ref('excluded.name'),
        labels: ref('excluded.labels'),
        options: ref('excluded.options'),
        ...('key_id' in row && {
          key_id: ref('excluded.key_id'),
          browser_ms: ref('excluded.browser_ms'),
          uncharged_ms: ref('excluded.uncharged_ms'),
          uncharged_micros: ref('excluded.uncharged_micros'),
        }),
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
  return Number(row.last_number) - count + 1;
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
  if (Number(counted?.total ?? 0) >= maxActive)
    throw new Failure(
      'CONCURRENCY_LIMIT',
      `This account already has its maximum of ${maxActive} sessions at once. Close one, or wait until one ends.`,
    );
}

/**
 * Adds to the numbers of sessions of an account by status. All transactions write them in the same order, so that none
 * waits for another in a circle.
 */
export async function changeCounts(
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

/** Converts the browser time of a session to columns of its row. */
export const toMeterRow = (meter: SessionMeter) => ({
  key_id: meter.keyId,
  browser_ms: meter.browserMs,
  uncharged_ms: meter.unchargedMs,
  uncharged_micros: meter.unchargedMicros,
});

/** Returns the columns of a session's row as the epoch of its node; null for a session without one. */
export const toOwner = (row: { node_id: string | null; epoch: number | null }): NodeEpoch | null =>
  row.node_id === null || row.epoch === null ? null : { nodeId: row.node_id, epoch: row.epoch };
