/** Transactions on PostgreSQL: repeated after a conflict or a lost connection, and written only by a node whose epoch is open. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Failure, isFailure } from '../domain/failures.ts';
import type { NodeEpoch } from '../domain/ports/nodeRegistry.ts';
import type { SqlEngine, StoreTransaction } from './sqlEngine.ts';
import type { Tables } from './tables.ts';
import { isConnectionLost, isRepeatable } from './toDatabaseFailure.ts';

/** Returns the epoch of this node; null before it has one and after it has lost it. */
export type Authority = () => NodeEpoch | null;

/** Maximum number of times that a transaction runs. */
const MAX_RUNS = 4;
/** Attempts to learn the outcome of a commit whose connection was lost, and the milliseconds between two of them. */
const OUTCOME_ATTEMPTS = 10;
const OUTCOME_INTERVAL_MS = 200;
/** Maximum time until the server has ended a lost transaction, in milliseconds. */
const TERMINATION_MS = 1_000;

/** Creates the engine of a PostgreSQL database. @param authority absent for the command line, which has no epoch */
export function postgresEngine(db: Kysely<Tables>, authority?: Authority): SqlEngine {
  return {
    db,
    transact: work => repeat(() => runOnce(db, work)),
    transactAsNode: work => {
      if (authority === undefined) return repeat(() => runOnce(db, trx => work(trx, null)));
      // A repetition under a later epoch would write what the node knew before it lost its lease.
      const first = authority();
      return repeat(() => {
        const owner = authority();
        if (owner === null || owner.epoch !== first?.epoch) throw lostLease();
        return runOnce(db, trx => work(trx, owner), owner);
      });
    },
    async lock(trx, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
    },
  };
}

async function repeat<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let runs = 1; ; runs++)
    try {
      return await run();
    } catch (error) {
      if (runs === MAX_RUNS || !isRepeatable(error)) throw error;
    }
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

interface BegunTransaction {
  /** Number of the transaction, 64 bits in decimal digits. */
  readonly xid: string;
  /** Process of the server that runs the transaction. */
  readonly pid: number;
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
    select pg_current_xact_id()::text as xid, pg_backend_pid() as pid, ${proof} as is_open`.execute(trx);
  const [row] = rows;
  if (row?.is_open !== true) throw lostLease();
  return row;
}

/**
 * Returns true if a transaction was committed, although its connection was lost before the answer.
 * @throws Failure OUTCOME_UNKNOWN if the database does not say it within about two seconds
 */
async function isCommitted(
  db: Kysely<Tables>,
  { xid, pid }: BegunTransaction,
  lost: Failure,
): Promise<boolean> {
  for (let attempts = 0; attempts < OUTCOME_ATTEMPTS; attempts++) {
    try {
      // The server may wait for a COMMIT that never reached it. The number of a transaction in pg_stat_activity has 32 bits.
      await sql`select pg_terminate_backend(pid, ${TERMINATION_MS}) from pg_stat_activity
        where pid = ${pid} and backend_xid::text = (${xid}::numeric % 4294967296)::text`.execute(db);
      const { rows } = await sql<{
        status: string | null;
      }>`select pg_xact_status(${xid}::xid8) as status`.execute(db);
      const status = rows[0]?.status;
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
    } catch (error) {
      if (!isFailure(error, 'DEPENDENCY_UNAVAILABLE')) throw error;
    }
    await wait(OUTCOME_INTERVAL_MS);
  }
  throw new Failure(
    'OUTCOME_UNKNOWN',
    'The connection to the database was lost while the result was being stored, and the database does not say whether it was.',
    { cause: lost },
  );
}

const lostLease = (): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'This node of the service lost its lease, so it may write nothing. Nothing was done; another node can do it.',
    { retryAfterSeconds: 2 },
  );
