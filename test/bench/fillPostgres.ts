/** Fills a PostgreSQL database with sessions, events and charges of one account. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { computeTotals } from '../../src/store/migrations/migrationSteps.ts';
import { postgresPool } from '../../src/store/postgres/postgresPool.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import type { Tables } from '../../src/store/tables.ts';
import { COSTLY_ACCOUNT } from './fillStore.ts';

const DAY_MS = 86_400_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Creates the tables and fills them as `fillStore` fills a file, with statistics for the planner as autovacuum collects them.
 * @returns the milliseconds that the totals took
 */
export async function fillPostgres(
  url: string,
  sessions: number,
  eventsPerSession: number,
  days: number,
): Promise<number> {
  const store = await openPostgresStore(url);
  await store.accounts.createAccount({ id: COSTLY_ACCOUNT, name: 'costly', tier: 'local', createdAt: 1 });
  await store.close();
  const pool = postgresPool(url, {
    maxConnections: 1,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queueTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: null,
    idleTransactionTimeoutMs: 0,
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    const begin = Date.now() - days * DAY_MS;
    const address = sql`'https://shop-' || n % 500 || '.example/products/' || n || '?colour=blue'`;
    await sql`insert into sessions (id, account_id, status, created_at, last_accessed_at, timeout_minutes, running, url,
        page_title, ended_at, last_seq, key_id)
      select gen_random_uuid()::text, ${COSTLY_ACCOUNT}, 'closed', at, at + 60000, 5, 0, ${address},
        'Product ' || n || ' of a shop', at + 60000, ${sql.lit(eventsPerSession)}, 'k'
      from (select n, ${sql.lit(begin)} + (n::bigint * ${sql.lit(days * DAY_MS)}) / ${sql.lit(sessions)} as at
        from generate_series(0, ${sql.lit(sessions - 1)}) as n) as numbers`.execute(db);
    await sql`update sessions set search_text =
      lower(id) || chr(31) || lower(coalesce(url, '')) || chr(31) || lower(coalesce(page_title, ''))`.execute(
      db,
    );
    await sql`insert into session_events (session_id, seq, type, at, body)
      select id, e, case when e = 1 then 'created' else 'observed' end, created_at + e,
        json_build_object('type', 'observed', 'at', created_at + e, 'url', url, 'actions', 40)::text
      from sessions, generate_series(1, ${sql.lit(eventsPerSession)}) as e`.execute(db);
    await sql`insert into ledger (operation_id, account_id, seq, reference, session_id, key_id, kind, at, browser_ms,
        amount_micros, balance_micros)
      select gen_random_uuid()::text, ${COSTLY_ACCOUNT}, seq, 'r' || seq, session_id, 'k', 'observe', at, 100, -500, -500 * seq
      from (select session_id, at, row_number() over (order by at, seq) as seq from session_events) as charges`.execute(
      db,
    );
    const charges = sessions * eventsPerSession;
    await sql`update accounts set ledger_seq = ${charges}, balance_micros = ${-500 * charges}
      where id = ${COSTLY_ACCOUNT}`.execute(db);
    const before = performance.now();
    await computeTotals(db);
    const duration = performance.now() - before;
    await sql`vacuum analyze`.execute(db);
    return duration;
  } finally {
    await db.destroy();
  }
}
