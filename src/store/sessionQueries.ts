/** Lists sessions with keyset pagination: a page without a filter always costs the same, one with a filter reads some thousand sessions at a time. */

import { type Kysely, type Selectable, sql } from 'kysely';
import { fieldFailure } from '../domain/failure/failures.ts';
import type { SessionFilter, SessionOrder, SessionPage, SessionQuery } from '../domain/ports/sessionStore.ts';
import { toSession } from './sessionRows.ts';
import { containsText } from './sqlEngine.ts';
import type { Reader } from './store.ts';
import type { SessionRow, Tables } from './tables.ts';

/** Sort column and direction of each order of a list of sessions. Rows with the same value are ordered by id in the same direction. */
const ORDERS = {
  created_at_desc: { column: 'created_at', direction: 'desc' },
  created_at_asc: { column: 'created_at', direction: 'asc' },
  last_accessed_at_desc: { column: 'last_accessed_at', direction: 'desc' },
} as const satisfies Record<
  SessionOrder,
  { column: 'created_at' | 'last_accessed_at'; direction: 'asc' | 'desc' }
>;

/** Position of a session in a sorted list: the value of the sort column (milliseconds since the epoch) and the session id. */
interface CursorPosition {
  readonly sortKey: number;
  readonly id: string;
}

/** Returns the cursor of a session in a list. It contains the sort column, so that `decodeCursor` detects a cursor of another list. */
const encodeCursor = (order: SessionOrder, position: CursorPosition): string =>
  Buffer.from(`${ORDERS[order].column}:${position.sortKey}:${position.id}`).toString('base64url');

/** Decodes a caller's cursor. @throws Failure VALIDATION_ERROR at `path` if it is not valid, or is of a list with another sort column */
function decodeCursor(order: SessionOrder, cursor: string, path: 'after' | 'before'): CursorPosition {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, column, key, id] = /^([a-z_]+):(\d{1,15}):([\w-]{1,100})$/.exec(text) ?? [];
  if (column === ORDERS[order].column && key !== undefined && id !== undefined) {
    const position = { sortKey: Number(key), id };
    // Base64 ignores foreign characters and spare bits, so that many texts would be the same cursor.
    if (encodeCursor(order, position) === cursor) return position;
  }
  throw fieldFailure(path, 'must be a cursor from a list in the same order');
}

type Filter = Pick<SessionQuery, 'accountId' | 'statuses' | 'search' | 'filter'>;

/** One query of a filter reads at most so many sessions: other reads run between two queries. */
const SESSIONS_PER_QUERY = 5_000;

/** Counts the sessions that a query selects, on all its pages. @throws Failure VALIDATION_ERROR if the search is too long */
export async function countSessions(db: Kysely<Tables>, reader: Reader, filter: Filter): Promise<number> {
  if (hasSearch(filter)) {
    let total = 0;
    for await (const range of ranges(db, reader, filter, 'created_at', 'asc', null, null)) {
      const query = selectMatching(db, range, filter).select(({ fn }) => fn.countAll<number>().as('total'));
      const [counted] = await reader.all(filter.accountId, query);
      total += Number(counted?.total ?? 0);
    }
    return total;
  }
  let counts = db.selectFrom('session_counts').where('account_id', '=', filter.accountId);
  if (filter.statuses !== null) counts = counts.where('status', 'in', [...filter.statuses]);
  if (filter.statuses?.length === 0) return 0;
  const row = await counts.select(({ fn }) => fn.sum<number>('total').as('total')).executeTakeFirst();
  return Number(row?.total ?? 0);
}

const MAX_SEARCH_LENGTH = 1_000;

/**
 * Returns one page of the sessions that a query selects: of the sessions between `after` and `before`, the last `limit` with `fromEnd`,
 * otherwise the first.
 * @throws Failure VALIDATION_ERROR for an invalid cursor (path `after` or `before`) or a search that is too long (path
 * `search`)
 */
export async function listSessionPage(
  db: Kysely<Tables>,
  reader: Reader,
  query: SessionQuery,
): Promise<SessionPage> {
  const after = query.after === null ? null : decodeCursor(query.order, query.after, 'after');
  const before = query.before === null ? null : decodeCursor(query.order, query.before, 'before');
  const backward = query.fromEnd === true;
  const { column, direction } = ORDERS[query.order];
  const scanDirection = backward ? opposite(direction) : direction;
  const [start, end] = backward ? [before, after] : [after, before];

  const found = await scan(
    db,
    reader,
    query,
    { column, direction: scanDirection, start, end },
    query.limit + 1,
  );
  const hasMore = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  if (backward) rows.reverse();

  // The scan does not show the other side of the cursor from which it starts: check if there is a row at or beyond it.
  const otherSide = { column, direction: opposite(scanDirection), start, end: null, includesStart: true };
  const existsBeforeStart = start !== null && (await scan(db, reader, query, otherSide, 1)).length > 0;
  return {
    rows: rows.map(row => ({
      session: toSession(row),
      cursor: encodeCursor(query.order, { sortKey: row[column], id: row.id }),
    })),
    hasNext: backward ? existsBeforeStart : hasMore,
    hasPrevious: backward ? hasMore : existsBeforeStart,
  };
}

type Column = 'created_at' | 'last_accessed_at';
type Direction = 'asc' | 'desc';

interface Scan {
  readonly column: Column;
  readonly direction: Direction;
  /** Position after which the scan starts; null for the first row. */
  readonly start: CursorPosition | null;
  /** Position before which the scan ends; null for the last row. */
  readonly end: CursorPosition | null;
  /** True if the row at `start` belongs to the scan. */
  readonly includesStart?: boolean;
}

async function scan(
  db: Kysely<Tables>,
  reader: Reader,
  filter: Filter,
  { column, direction, start, end, includesStart = false }: Scan,
  limit: number,
): Promise<Selectable<SessionRow>[]> {
  const select = (range: SessionRange, count: number) =>
    selectMatching(db, range, filter)
      .selectAll()
      .orderBy(column, direction)
      .orderBy('id', direction)
      .limit(count);
  if (!hasSearch(filter) && filter.statuses === null) {
    // Every row matches, so the index leads straight to them.
    const range = between(ownSessions(db, filter), column, direction, start, end, includesStart);
    return select(range, limit).execute();
  }
  const rows: Selectable<SessionRow>[] = [];
  if (filter.statuses?.length === 0) return rows;
  for await (const range of ranges(db, reader, filter, column, direction, start, end, includesStart)) {
    rows.push(...(await reader.all(filter.accountId, select(range, limit - rows.length))));
    if (rows.length >= limit) break;
  }
  return rows;
}

async function* ranges(
  db: Kysely<Tables>,
  reader: Reader,
  filter: Filter,
  column: Column,
  direction: Direction,
  start: CursorPosition | null,
  end: CursorPosition | null,
  includesStart = false,
): AsyncGenerator<SessionRange, void, undefined> {
  for (let from = start, isIncluded = includesStart; ; isIncluded = false) {
    const rest = between(ownSessions(db, filter), column, direction, from, end, isIncluded);
    const edge = rest
      .select([column, 'id'])
      .orderBy(column, direction)
      .orderBy('id', direction)
      .limit(1)
      .offset(SESSIONS_PER_QUERY - 1);
    const [last] = await reader.all<{ id: string; created_at?: number; last_accessed_at?: number }>(
      filter.accountId,
      edge,
    );
    const position = last === undefined ? null : { sortKey: Number(last[column]), id: last.id };
    yield position === null
      ? rest
      : rest.where(compareToPosition(column, direction === 'asc' ? '<=' : '>=', position));
    if (position === null) return;
    from = position;
  }
}

const opposite = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc');

const ownSessions = (db: Kysely<Tables>, { accountId }: Pick<SessionQuery, 'accountId'>) =>
  db.selectFrom('sessions').where('account_id', '=', accountId);

type SessionRange = ReturnType<typeof ownSessions>;

function between(
  rows: SessionRange,
  column: Column,
  direction: Direction,
  start: CursorPosition | null,
  end: CursorPosition | null,
  includesStart: boolean,
): SessionRange {
  const [later, earlier] = direction === 'asc' ? (['>', '<'] as const) : (['<', '>'] as const);
  let range = rows;
  if (start !== null)
    range = range.where(compareToPosition(column, includesStart ? `${later}=` : later, start));
  if (end !== null) range = range.where(compareToPosition(column, earlier, end));
  return range;
}

const compareToPosition = (column: Column, operator: '<' | '>' | '<=' | '>=', position: CursorPosition) =>
  sql<boolean>`(${sql.ref(column)}, id) ${sql.raw(operator)} (${position.sortKey}, ${position.id})`;

const hasSearch = ({ search, filter = {} }: Filter): boolean =>
  (search !== null && search !== '') || Object.values(filter).some(value => value !== undefined);

function selectMatching(
  db: Kysely<Tables>,
  rows: SessionRange,
  { statuses, search, filter = {}, accountId }: Filter,
): SessionRange {
  const { keyId, name, labels = [], createdFrom, createdBefore, node, hasFailures }: SessionFilter = filter;
  let matching = rows;
  if (statuses !== null)
    matching =
      statuses.length === 0 ? rows.where(sql<boolean>`1 = 0`) : rows.where('status', 'in', [...statuses]);
  if (keyId !== undefined) matching = matching.where('key_id', '=', keyId);
  if (name !== undefined) matching = matching.where(containsText(db, sql`lower(name)`, name.toLowerCase()));
  for (const label of labels)
    matching = matching.where('id', 'in', eb =>
      eb
        .selectFrom('session_labels')
        .select('session_id')
        .where('session_labels.account_id', '=', accountId)
        .where('label', '=', label),
    );
  if (createdFrom !== undefined) matching = matching.where('created_at', '>=', createdFrom);
  if (createdBefore !== undefined) matching = matching.where('created_at', '<', createdBefore);
  if (node !== undefined) matching = matching.where('node_id', '=', node);
  if (hasFailures !== undefined) {
    const failed = sql<boolean>`(status = 'error' or exists (select 1 from event_counts
      where event_counts.session_id = sessions.id and event_counts.type = 'failed'))`;
    matching = matching.where(hasFailures ? failed : sql<boolean>`not ${failed}`);
  }
  if (search === null || search === '') return matching;
  if (search.length > MAX_SEARCH_LENGTH)
    throw fieldFailure('search', `must be at most ${MAX_SEARCH_LENGTH} characters`);
  return matching.where(containsText(db, sql.ref('search_text'), search.toLowerCase()));
}
