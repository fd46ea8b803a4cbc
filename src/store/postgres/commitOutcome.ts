/** Finds out whether a transaction on PostgreSQL whose connection was lost before the answer was committed. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Tables } from '../tables.ts';

/** Codes of system errors of a connection. */
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
]);
/** The message of `pg` when no connection became free in time. A caller that tries again at once would wait behind all others. */
const BUSY_MESSAGE = 'timeout exceeded when trying to connect';
/** The messages of `pg` when the server did not answer in time, to a statement or to a new connection. */
const SILENT_MESSAGES = /^(timeout expired|Query read timeout)/;
/** The messages of `pg` for a lost connection, which have no code. */
const LOST_MESSAGES =
  /^(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;
/**
 * Classes and codes of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) after which the same
 * statement can succeed later: connection, shutdown and crash, authorization, too many connections, out of memory,
 * timeouts, a standby, a missing database.
 */
const TRANSIENT_STATES = /^(08|28|53[02-4]|57P0[1-5]|57014|58|3D000|55P03|25P03|25006|40001|40P01)/;
/** The codes after which the connection is closed. */
const FATAL_STATES = /^(08|57P0[1-5]|25P03)/;
const DISK_FULL = '53100';
/** Another transaction was in the way: deadlock, serialization, and a row that it inserted first. */
const CONFLICT_STATES = new Set(['40P01', '40001', '23505']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** True if the connection of this error cannot be used again. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error &&
  (SYSTEM_CODES.has(codeOf(error)) || LOST_MESSAGES.test(error.message) || FATAL_STATES.test(codeOf(error)));

/** True if the server did not answer in time. A caller that tries again at once waits as long once more. */
const isSilence = (error: unknown): boolean => {
  const cause = error instanceof Failure ? error.cause : error;
  return cause instanceof Error && SILENT_MESSAGES.test(cause.message);
};

/** True if a transaction that failed with this error before its commit can succeed when it is run again at once. */
export const isRepeatable = (error: unknown): boolean => {
  const cause = error instanceof Failure ? error.cause : error;
  return (isConnectionLost(cause) && !isSilence(cause)) || CONFLICT_STATES.has(codeOf(cause));
};

/** Returns Failure DEPENDENCY_UNAVAILABLE or STORAGE_FULL for an error that passes by itself, and any other error unchanged. */
export function toDatabaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  if (codeOf(error) === DISK_FULL)
    return new Failure(
      'STORAGE_FULL',
      'The disk of the database is full, so the result could not be written. Try again later, or tell the operator of the service.',
      { cause: error, retryAfterSeconds: 30 },
    );
  if (error.message !== BUSY_MESSAGE && !isConnectionLost(error) && !TRANSIENT_STATES.test(codeOf(error)))
    return error;
  return new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'The database of the service (PostgreSQL) cannot be used now. Nothing was done.',
    { cause: error, retryAfterSeconds: 2 },
  );
}

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
