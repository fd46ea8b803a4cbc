/** Recognizes the errors of the system and of SQLite about a full disk. */
import { Failure } from '../../domain/failure/failures.ts';

/** Codes of system errors about a full disk: no space left, quota exceeded, file too large. */
const SYSTEM_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** SQLite's codes for a file that could not grow: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE (https://www.sqlite.org/rescode.html). */
const SQLITE_CODES = new Set([13, 778, 4_874]);

/** Returns Failure STORAGE_FULL for an error about a full disk, and any other error unchanged. */
export function toStorageFull(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (!SYSTEM_CODES.has(String(code)) && !SQLITE_CODES.has(Number(errcode))) return error;
  return storageFull(error);
}

/** Creates Failure STORAGE_FULL. */
export const storageFull = (cause?: unknown): Failure =>
  new Failure(
    'STORAGE_FULL',
    'The disk of the service is full, so the result could not be written. Try again later, or tell the operator of the service.',
    { cause, retryAfterSeconds: 30 },
  );
