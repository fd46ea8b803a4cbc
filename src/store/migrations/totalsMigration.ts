/** Adds the totals: counts and sums that are kept with each write, so that no read adds up what is stored. */
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../sqlEngine.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export const totals: Migration = {
  async up(db) {
    await db.schema
      .createTable('session_counts')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('total', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('session_counts_pk', ['account_id', 'status'])
      .execute();
    await db.schema
      .createTable('event_counts')
      .addColumn('session_id', 'text', column =>
        column.notNull().references('sessions.id').onDelete('cascade'),
      )
      .addColumn('type', 'text', column => column.notNull())
      .addColumn('total', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('event_counts_pk', ['session_id', 'type'])
      .execute();
    await db.schema
      .createTable('usage_totals')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('span_ms', 'bigint', column => column.notNull())
      .addColumn('began_at', 'bigint', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('key_id', 'text', column => column.notNull())
      .addColumn('operations', 'bigint', column => column.notNull())
      .addColumn('browser_ms', 'bigint', column => column.notNull())
      .addColumn('amount_micros', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('usage_totals_pk', ['account_id', 'span_ms', 'began_at', 'kind', 'key_id'])
      .execute();
    await db.schema
      .createTable('session_usage')
      // No foreign key to sessions: charges are kept when the session is removed.
      .addColumn('session_id', 'text', column => column.notNull())
      .addColumn('day', 'bigint', column => column.notNull())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('operations', 'bigint', column => column.notNull())
      .addColumn('browser_ms', 'bigint', column => column.notNull())
      .addColumn('amount_micros', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('session_usage_pk', ['session_id', 'day'])
      .execute();
    await db.schema
      .createIndex('session_usage_of_account')
      .on('session_usage')
      .columns(['account_id', 'day', 'session_id', 'operations', 'browser_ms', 'amount_micros'])
      .execute();
    await db.schema
      .alterTable('sessions')
      .addColumn('search_text', 'text', column => column.notNull().defaultTo(''))
      .execute();
    // The counts replace the index, and the totals of the day replace the columns of the account.
    await db.schema.dropIndex('session_events_by_type').execute();
    for (const column of ['day_began_at', 'day_browser_ms'])
      await db.schema.alterTable('accounts').dropColumn(column).execute();
    await computeTotals(db);
  },
};

/** Computes all totals from sessions, events and ledger. The tables of the totals must be empty. */
export async function computeTotals(db: QueryExecutorProvider): Promise<void> {
  // SQLite only: no version without the column ran on PostgreSQL, and its function has another name there.
  if (!isPostgres(db))
    await sql`update sessions set search_text =
    lower(id) || char(31) || lower(coalesce(url, '')) || char(31) || lower(coalesce(page_title, ''))`.execute(
      db,
    );
  await sql`insert into session_counts (account_id, status, total)
    select account_id, status, count(*) from sessions group by account_id, status`.execute(db);
  await sql`insert into event_counts (session_id, type, total)
    select session_id, type, count(*) from session_events group by session_id, type`.execute(db);
  for (const span of [HOUR_MS, DAY_MS])
    await sql`insert into usage_totals
        (account_id, span_ms, began_at, kind, key_id, operations, browser_ms, amount_micros)
      select account_id, ${sql.lit(span)}, at - at % ${sql.lit(span)}, kind, coalesce(key_id, ''),
        sum(case when kind = 'idle' then 0 else 1 end), sum(browser_ms), sum(amount_micros)
      from ledger where kind <> 'credit'
      group by account_id, at - at % ${sql.lit(span)}, kind, coalesce(key_id, '')`.execute(db);
  await sql`insert into session_usage (session_id, day, account_id, operations, browser_ms, amount_micros)
    select session_id, at - at % ${sql.lit(DAY_MS)}, account_id,
      sum(case when kind = 'idle' then 0 else 1 end), sum(browser_ms), sum(amount_micros)
    from ledger where session_id is not null
    group by session_id, at - at % ${sql.lit(DAY_MS)}, account_id`.execute(db);
}
