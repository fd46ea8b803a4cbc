/** Encodes cursors in an ordered list of sessions. Callers must not interpret them. */
import { Failure } from '../domain/failure/failures.ts';
import type { SessionOrder } from '../domain/ports/sessionStore.ts';

/** Sort column and direction of each order of a list of sessions. Rows with the same value are ordered by id in the same direction. */
export const ORDERS = {
  created_at_desc: { column: 'created_at', direction: 'desc' },
  created_at_asc: { column: 'created_at', direction: 'asc' },
  last_accessed_at_desc: { column: 'last_accessed_at', direction: 'desc' },
} as const satisfies Record<
  SessionOrder,
  { column: 'created_at' | 'last_accessed_at'; direction: 'asc' | 'desc' }
>;

/** Position of a session in a sorted list: the value of the sort column (milliseconds since the epoch) and the session id. */
export interface CursorPosition {
  readonly sortKey: number;
  readonly id: string;
}

/** Returns the cursor of a session in a list. It contains the sort column, so that `decodeCursor` detects a cursor of another list. */
export const encodeCursor = (order: SessionOrder, position: CursorPosition): string =>
  Buffer.from(`${ORDERS[order].column}:${position.sortKey}:${position.id}`).toString('base64url');

/**
 * Decodes the cursor that a caller sent.
 * @param order the order of the requested list
 * @param path name of the caller's argument, for the failure
 * @throws Failure VALIDATION_ERROR if the cursor is not valid, or is of a list with another sort column
 */
export function decodeCursor(order: SessionOrder, cursor: string, path: 'after' | 'before'): CursorPosition {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, column, key, id] = /^([a-z_]+):(\d{1,15}):([\w-]{1,100})$/.exec(text) ?? [];
  if (column === ORDERS[order].column && key !== undefined && id !== undefined) {
    const position = { sortKey: Number(key), id };
    // Base64 ignores foreign characters and spare bits, so that many texts would be the same cursor.
    if (encodeCursor(order, position) === cursor) return position;
  }
  const message = 'must be a cursor from a list in the same order';
  throw new Failure('VALIDATION_ERROR', `${path} ${message}.`, { errors: [{ path, message }] });
}
