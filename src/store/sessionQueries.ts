/** Lists sessions with keyset pagination: every page costs the same. */
import { type Kysely, sql } from 'kysely';
import { Failure } from '../domain/failures.ts';
import type { SessionPage, SessionQuery } from '../domain/ports/sessionStore.ts';
import { type CursorPosition, decodeCursor, encodeCursor, ORDERS } from './sessionCursor.ts';
import { toSession } from './sessionRow.ts';
import type { Tables } from './tables.ts';

/** Counts the sessions that a query selects, on all its pages. @throws Failure VALIDATION_ERROR if the search is too long */
export async function countSessions(
  db: Kysely<Tables>,
  query: Pick<SessionQuery, 'accountId' | 'statuses' | 'search'>,
): Promise<number> {
  const { total } = await selectMatching(db, query)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Maximum length of the text to search for, in characters: databases limit patterns (SQLite to 50,000 bytes). */
const MAX_SEARCH_LENGTH = 1_000;

/**
 * Returns one page of the sessions that a query selects: of the sessions between `after` and `before`, the last `limit` with `fromEnd`,
 * otherwise the first.
 * @throws Failure VALIDATION_ERROR for an invalid cursor (path `after` or `before`) or a search that is too long (path
 * `search`)
 */
export async function listSessionPage(db: Kysely<Tables>, query: SessionQuery): Promise<SessionPage> {
  const after = query.after === null ? null : decodeCursor(query.order, query.after, 'after');
  const before = query.before === null ? null : decodeCursor(query.order, query.before, 'before');
  const backward = query.fromEnd === true;
  const { column, direction } = ORDERS[query.order];
  const later = direction === 'asc' ? '>' : '<';
  const earlier = direction === 'asc' ? '<' : '>';
  const scanDirection = backward ? opposite(direction) : direction;

  let range = selectMatching(db, query).selectAll();
  if (after !== null) range = range.where(compareToPosition(column, later, after));
  if (before !== null) range = range.where(compareToPosition(column, earlier, before));
  const found = await range
    .orderBy(column, scanDirection)
    .orderBy('id', scanDirection)
    .limit(query.limit + 1)
    .execute();
  const hasMore = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  if (backward) rows.reverse();

  // The scan does not show the other side of the cursor from which it starts: check if there is a row at or beyond it.
  const exists = async (position: CursorPosition | null, operator: '<=' | '>='): Promise<boolean> =>
    position !== null &&
    (await selectMatching(db, query)
      .select('id')
      .where(compareToPosition(column, operator, position))
      .limit(1)
      .executeTakeFirst()) !== undefined;
  const atOrEarlier = direction === 'asc' ? '<=' : '>=';
  const atOrLater = direction === 'asc' ? '>=' : '<=';
  return {
    rows: rows.map(row => ({
      session: toSession(row),
      cursor: encodeCursor(query.order, { sortKey: row[column], id: row.id }),
    })),
    hasNext: backward ? await exists(before, atOrLater) : hasMore,
    hasPrevious: backward ? hasMore : await exists(after, atOrEarlier),
  };
}

const opposite = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc');

const compareToPosition = (
  column: 'created_at' | 'last_accessed_at',
  operator: '<' | '>' | '<=' | '>=',
  position: CursorPosition,
) => sql<boolean>`(${sql.ref(column)}, id) ${sql.raw(operator)} (${position.sortKey}, ${position.id})`;

function selectMatching(
  db: Kysely<Tables>,
  { accountId, statuses, search }: Pick<SessionQuery, 'accountId' | 'statuses' | 'search'>,
) {
  let rows = db.selectFrom('sessions').where('account_id', '=', accountId);
  if (statuses !== null)
    rows = statuses.length === 0 ? rows.where(sql<boolean>`1 = 0`) : rows.where('status', 'in', statuses);
  if (search !== null && search !== '') {
    if (search.length > MAX_SEARCH_LENGTH) throw searchTooLong();
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    rows = rows.where(({ or }) =>
      or([
        sql<boolean>`lower(id) like ${pattern} escape '\\'`,
        sql<boolean>`lower(url) like ${pattern} escape '\\'`,
        sql<boolean>`lower(page_title) like ${pattern} escape '\\'`,
      ]),
    );
  }
  return rows;
}

function searchTooLong(): Failure {
  const message = `must be at most ${MAX_SEARCH_LENGTH} characters`;
  return new Failure('VALIDATION_ERROR', `search ${message}.`, { errors: [{ path: 'search', message }] });
}
