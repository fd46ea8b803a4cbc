/** Transactions on PostgreSQL: repeated after a conflict or a lost connection, and written only by a node whose epoch is open. */
import { type Kysely, sql } from 'kysely';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { NodeEpoch } from '../../domain/ports/nodes.ts';
import type { SqlEngine, StoreTransaction } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';
import {
  type AccountWrites,
  type BegunTransaction,
  databaseRun,
  isCommitted,
  isConnectionLost,
  markDatabaseRun,
  repeat,
} from './postgresPool.ts';

/** Returns the epoch of this node; null before it has one and after it has lost it. */
export type Authority = () => NodeEpoch | null;

/**
 * Creates the engine of a PostgreSQL database.
 * @param authority absent for the command line, which has no epoch
 * @param writes absent for a database without accounts
 */
export function postgresEngine(db: Kysely<Tables>, authority?: Authority, writes?: AccountWrites): SqlEngine {
  return {
    db,
    transact: work => repeat(() => runOnce(db, work)),
    transactAsNode: (work, accountId) => {
      // The epoch is that of the call, also if the transaction waits.
      const run = asNode(db, authority, work);
      return accountId === undefined || writes === undefined ? run() : writes.run(accountId, run);
    },
    async lock(trx, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
    },
  };
}

/** Returns a function that runs `work` in a transaction of this node. */
function asNode<Result>(
  db: Kysely<Tables>,
  authority: Authority | undefined,
  work: (trx: StoreTransaction, owner: NodeEpoch | null) => Promise<Result>,
): () => Promise<Result> {
  if (authority === undefined) return () => repeat(() => runOnce(db, trx => work(trx, null)));
  // A repetition under a later epoch would write what the node knew before it lost its lease.
  const first = authority();
  return () =>
    repeat(async () => {
      const owner = authority();
      if (owner === null || owner.epoch !== first?.epoch) throw lostLease();
      return runOnce(db, trx => work(trx, owner), owner);
    });
}

async function runOnce<Result>(
  db: Kysely<Tables>,
  work: (trx: StoreTransaction) => Promise<Result>,
  owner: NodeEpoch | null = null,
): Promise<Result> {
  const trx = await db.startTransaction().execute();
  // A connection that is lost has nothing to roll back.
  const rollBack = () =>
    trx
      .rollback()
      .execute()
      .catch(() => {});
  let begun: BegunTransaction;
  let result: Result;
  try {
    begun = await begin(trx, owner);
    result = await work(trx);
  } catch (error) {
    await rollBack();
    throw error;
  }
  // After a crash of the server its new run has no token yet. If this fails, a later transaction does it.
  if (begun.run === null) void markDatabaseRun(db).catch(() => {});
  try {
    await trx.commit().execute();
  } catch (error) {
    await rollBack();
    const isLost = isFailure(error) && isConnectionLost(error.cause);
    // Another error than a lost connection is the server's answer: the transaction has not been committed.
    if (!isLost || !(await isCommitted(db, begun, error))) throw error;
  }
  return result;
}

/** Numbers the transaction. For a node, proves that its epoch is open, and keeps it open until the commit. */
async function begin(trx: StoreTransaction, owner: NodeEpoch | null): Promise<BegunTransaction> {
  // `for key share` conflicts only with the lock under which an epoch ends, not with a renewal of the lease.
  const proof =
    owner === null
      ? sql`true`
      : sql`(select true from nodes where epoch = ${owner.epoch} and node_id = ${owner.nodeId}
          and ended_at is null for key share)`;
  const { rows } = await sql<BegunTransaction & { is_open: boolean | null }>`
    select pg_current_xact_id()::text as xid, pg_backend_pid() as pid, ${databaseRun} as run,
      ${proof} as is_open`.execute(trx);
  const [row] = rows;
  if (row?.is_open !== true) throw lostLease();
  return row;
}

const lostLease = (): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'This node of the service lost its lease, so it may write nothing. Nothing was done; another node can do it.',
    { retryAfterSeconds: 2 },
  );
