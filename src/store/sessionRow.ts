/** Converts a session to a row, and back. */
import type { Insertable, Selectable } from 'kysely';
import type { ShownOptions } from '../domain/session/browserOptions.ts';
import type { Caller } from '../domain/session/performedOperation.ts';
import { endedAt, isActive, type Session, sessionError } from '../domain/session/session.ts';
import type { SessionRow } from './tables.ts';

/** Separates the parts of `search_text`: a character that no search contains. */
const SEARCH_SEPARATOR = '\u001f';

/**
 * Converts a session to its row in the table `sessions`.
 * @param newEvents number of events that are written with the session. It is the `last_seq` of a new row; for an existing
 * row, the caller adds it.
 */
export const toSessionRow = (session: Session, newEvents: number): Insertable<SessionRow> => ({
  id: session.id,
  account_id: session.accountId,
  status: session.status,
  created_at: session.createdAt,
  last_accessed_at: session.lastAccessedAt,
  timeout_minutes: session.timeoutMinutes,
  running: isActive(session) ? session.running : 0,
  url: session.url,
  page_title: session.pageTitle,
  ended_at: endedAt(session),
  error: session.status === 'closed' ? (session.reason ?? null) : sessionError(session),
  last_seq: newEvents,
  clock_shift_ms: session.clockShiftMs ?? 0,
  search_text: [session.id, session.url ?? '', session.pageTitle ?? '', session.name ?? '']
    .join(SEARCH_SEPARATOR)
    .toLowerCase(),
  name: session.name ?? null,
  labels: session.labels === undefined ? null : JSON.stringify(session.labels),
  record: session.record ?? null,
  page_log: session.pageLog === true ? 'on' : null,
  options: session.options === undefined ? null : JSON.stringify(session.options),
  started_by: session.startedBy === undefined ? null : JSON.stringify(session.startedBy),
  ended_by:
    session.status === 'closed' && session.endedBy !== undefined ? JSON.stringify(session.endedBy) : null,
});

/** Converts a row of the table `sessions` to a session. @throws Error if the row has values that `toSessionRow` never writes */
export function toSession(row: Selectable<SessionRow>): Session {
  const fields = {
    id: row.id,
    accountId: row.account_id,
    createdAt: row.created_at,
    lastAccessedAt: row.last_accessed_at,
    timeoutMinutes: row.timeout_minutes,
    ...(row.clock_shift_ms !== 0 && { clockShiftMs: row.clock_shift_ms }),
    url: row.url,
    pageTitle: row.page_title,
    ...(row.name !== null && { name: row.name }),
    ...(row.labels !== null && { labels: JSON.parse(row.labels) as readonly string[] }),
    ...(row.record !== null && { record: row.record }),
    ...(row.page_log === 'on' && { pageLog: true }),
    ...(row.options !== null && { options: JSON.parse(row.options) as ShownOptions }),
    ...(row.started_by !== null && { startedBy: JSON.parse(row.started_by) as Caller }),
  };
  if (row.status === 'active') return { ...fields, status: 'active', running: row.running };
  if (row.ended_at === null)
    throw new Error(`Session ${row.id} is stored as ${row.status} without an end time.`);
  const ended = { ...fields, endedAt: row.ended_at };
  switch (row.status) {
    case 'closed':
      return {
        ...ended,
        status: 'closed',
        ...(row.ended_by !== null && { endedBy: JSON.parse(row.ended_by) as Caller }),
        ...(row.error !== null && { reason: row.error }),
      };
    case 'timed_out':
      return { ...ended, status: 'timed_out' };
    case 'error':
      return { ...ended, status: 'error', error: row.error ?? '' };
  }
}
