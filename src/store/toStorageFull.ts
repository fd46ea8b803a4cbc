/** What the system and SQLite say when there is no room left, as a failure that callers understand. */
import { Failure } from '../domain/failures.ts';

/** No space, over quota, file too large. */
const SYSTEM_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** SQLITE_FULL, SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE (https://www.sqlite.org/rescode.html): a file could not grow. */
const SQLITE_CODES = new Set([13, 778, 4_874]);

/** @returns STORAGE_FULL where the error says that there is no room; any other error as it is */
export function toStorageFull(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (!SYSTEM_CODES.has(String(code)) && !SQLITE_CODES.has(Number(errcode))) return error;
  return new Failure(
    'STORAGE_FULL',
    'The disk of the service is full, and this could not be written. Try again later, or tell whoever runs the service.',
    { cause: error, retryAfterSeconds: 30 },
  );
}
