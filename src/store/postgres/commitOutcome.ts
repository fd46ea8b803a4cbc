/** Finds out whether a transaction on PostgreSQL whose connection was lost before the answer was committed. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Tables } from '../tables.ts';
import { isSilence } from './toDatabaseFailure.ts';

/** Identifies a transaction from its beginning. */
export interface BegunTransaction {
  /** Number of the transaction, 64 bits in decimal digits. */
  readonly xid: string;
  /** Process of the server that runs the transaction. */
  readonly pid: number;
  /** Token of the run of the server; null before `markDatabaseRun`. */
  readonly run: string | null;
}

/** Attempts to learn the outcome, and the milliseconds between two of them. */
const ATTEMPTS = 10;
const INTERVAL_MS = 200;
/** Maximum time until the server has ended a lost transaction, in milliseconds. */
const TERMINATION_MS = 1_000;
/** SQLSTATE of pg_xact_status for a number that the server has not given yet: it crashed and has forgotten the transaction. */
const IN_THE_FUTURE = '22023';

/** SQL of the token of the present run of the server: a crash and a failover empty the unlogged table. */
export const databaseRun = sql<string | null>`(select token from database_runs)`;

/** Gives the present run of the server a token unless it has one. */
export async function markDatabaseRun(db: Kysely<Tables>): Promise<void> {
  await sql`insert into database_runs default values on conflict do nothing`.execute(db);
}

/**
 * Returns true if the transaction was committed, false if the server has not written anything of it.
 * @throws Failure OUTCOME_UNKNOWN if the database does not say it within about two seconds, or cannot know it: a server that
 * crashed gives the number of a transaction that it has lost to another one
 */
export async function isCommitted(
  db: Kysely<Tables>,
  transaction: BegunTransaction,
  lost: unknown,
): Promise<boolean> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    const { status, run, isSilent } = await readStatus(db, transaction);
    if (isSilent === true) break;
    if (status === 'aborted') return false;
    if (status === 'committed') {
      if (run !== null && run === transaction.run) return true;
      break;
    }
    await wait(INTERVAL_MS);
  }
  throw new Failure(
    'OUTCOME_UNKNOWN',
    'The connection to the database was lost while the result was being stored, and the database does not say whether it was.',
    { cause: lost },
  );
}

interface TransactionStatus {
  /** Null if the server does not say it now. */
  readonly status: 'committed' | 'aborted' | 'in progress' | null;
  readonly run: string | null;
  /** True if the server accepts connections or statements and does not answer. */
  readonly isSilent?: boolean;
}

async function readStatus(db: Kysely<Tables>, { xid, pid }: BegunTransaction): Promise<TransactionStatus> {
  try {
    // The server may wait for a COMMIT that never reached it. The number of a transaction in pg_stat_activity has 32 bits.
    await sql`select pg_terminate_backend(pid, ${TERMINATION_MS}) from pg_stat_activity
      where pid = ${pid} and backend_xid::text = (${xid}::numeric % 4294967296)::text`.execute(db);
    const { rows } =
      await sql<TransactionStatus>`select pg_xact_status(${xid}::xid8) as status, ${databaseRun} as run`.execute(
        db,
      );
    return rows[0] ?? { status: null, run: null };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === IN_THE_FUTURE)
      return { status: 'aborted', run: null };
    if (!isFailure(error, 'DEPENDENCY_UNAVAILABLE')) throw error;
    return { status: null, run: null, isSilent: isSilence(error) };
  }
}
