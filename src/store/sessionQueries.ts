/** One page of an account's sessions, by keyset: a page costs the same however deep it lies. */
import { type Kysely, sql } from 'kysely';
import { Failure } from '../domain/failures.ts';
import type { SessionPage, SessionQuery } from '../domain/ports/sessionStore.ts';
import { type CursorPosition, decodeCursor, encodeCursor, ORDERS } from './sessionCursor.ts';
import { toSession } from './sessionRow.ts';
import type { Tables } from './tables.ts';

/** How many sessions a query finds, on all pages. @throws Failure VALIDATION_ERROR as sessionPage */
export async function countSessions(
  db: Kysely<Tables>,
  query: Pick<SessionQuery, 'accountId' | 'statuses' | 'search'>,
): Promise<number> {
  const { total } = await selectMatching(db, query)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Databases refuse patterns far longer (SQLite at 50,000 bytes); nobody looks for so much. */
const MAX_SEARCH_LENGTH = 1_000;

/**
 * With `before` (or `fromEnd`) and no `after` the page is the last `limit` rows before it (of all), else the first `limit` rows of the range.
 * @throws Failure VALIDATION_ERROR with path `after` or `before` for a bad cursor, `search` for a search that is too long
 */
export async function listSessionPage(db: Kysely<Tables>, query: SessionQuery): Promise<SessionPage> {
  const after = query.after === null ? null : decodeCursor(query.order, query.after, 'after');
  const before = query.before === null ? null : decodeCursor(query.order, query.before, 'before');
  const backward = (before !== null || query.fromEnd === true) && after === null;
  const { column, direction } = ORDERS[query.order];
  const later = direction === 'asc' ? '>' : '<';
  const earlier = direction === 'asc' ? '<' : '>';
  const walk = backward ? opposite(direction) : direction;

  let range = selectMatching(db, query).selectAll();
  if (after !== null) range = range.where(compareToPosition(column, later, after));
  if (before !== null) range = range.where(compareToPosition(column, earlier, before));
  const found = await range
    .orderBy(column, walk)
    .orderBy('id', walk)
    .limit(query.limit + 1)
    .execute();
  const cut = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  if (backward) rows.reverse();

  // Only the side that was not walked needs asking: does anything lie at or beyond the cursor itself?
  const behind = async (place: CursorPosition | null, operator: '<=' | '>='): Promise<boolean> =>
    place !== null &&
    (await selectMatching(db, query)
      .select('id')
      .where(compareToPosition(column, operator, place))
      .limit(1)
      .executeTakeFirst()) !== undefined;
  const atOrEarlier = direction === 'asc' ? '<=' : '>=';
  const atOrLater = direction === 'asc' ? '>=' : '<=';
  return {
    rows: rows.map(row => ({
      session: toSession(row),
      cursor: encodeCursor(query.order, { sortKey: row[column], id: row.id }),
    })),
    hasNext: (!backward && cut) || (await behind(before, atOrLater)),
    hasPrevious: (backward && cut) || (await behind(after, atOrEarlier)),
  };
}

const opposite = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc');

const compareToPosition = (
  column: 'created_at' | 'last_accessed_at',
  operator: '<' | '>' | '<=' | '>=',
  place: CursorPosition,
) => sql<boolean>`(${sql.ref(column)}, id) ${sql.raw(operator)} (${place.sortKey}, ${place.id})`;

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
