/** Recognizes the errors of PostgreSQL and of the connection to it that pass by themselves. */
import { Failure } from '../../domain/failure/failures.ts';

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
export const isSilence = (error: unknown): boolean => {
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
