/** Audits the store: sessions, operations, ledger and running totals must agree. Each rule is one query for the rows that break it. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LedgerAudit, LedgerFinding } from '../domain/account/ledger.ts';
import { jsonWord } from './sqlEngine.ts';
import type { Tables } from './tables.ts';

const MAX_FINDINGS = 100;
/** A running service polls tiers (`AccountBilling`) every five seconds. Milliseconds. */
const TIER_CHANGE_MS = 10_000;
/** Corrections of the wall clock below this are not recorded as jumps (`systemClock`), in milliseconds. */
const CLOCK_TOLERANCE_MS = 2_000;

interface FindingRow {
  readonly account_id: string;
  readonly subject: string | null;
  readonly expected: string | number | null;
  readonly found: string | number | null;
}

/** Returns the rules by name. A query returns the rows that break the rule, with what one side expects and what the other has. */
const rulesOf = (db: Kysely<Tables>): Readonly<Record<string, RawBuilder<FindingRow>>> => ({
  'row numbers have no gap': sql`
    select a.id as account_id, null as subject, a.ledger_seq as expected, count(l.seq) as found
    from accounts a left join ledger l on l.account_id = a.id
    group by a.id, a.ledger_seq
    having count(l.seq) <> a.ledger_seq or coalesce(max(l.seq), 0) <> a.ledger_seq`,
  'balance of a row': sql`
    select account_id, operation_id as subject, total as expected, balance_micros as found
    from (select account_id, operation_id, balance_micros,
        sum(amount_micros) over (partition by account_id order by seq) as total from ledger) as rows_with_total
    where balance_micros <> total`,
  'balance of an account': sql`
    select a.id as account_id, null as subject, coalesce(sum(l.amount_micros), 0) as expected,
      a.balance_micros as found
    from accounts a left join ledger l on l.account_id = a.id
    group by a.id, a.balance_micros
    having coalesce(sum(l.amount_micros), 0) <> a.balance_micros`,
  'spending of a key': sql`
    select k.account_id, k.id as subject, spent.micros as expected, k.spent_micros as found
    from api_keys k left join (select key_id, -sum(amount_micros) as micros from ledger group by key_id) as spent
      on spent.key_id = k.id
    where coalesce(spent.micros, 0) <> k.spent_micros`,
  'times are whole and not negative': sql`
    select account_id, operation_id as subject, 'a whole number from 0' as expected, browser_ms as found
    from ledger where browser_ms < 0 or browser_ms <> cast(browser_ms as bigint)`,
  'charges are not positive': sql`
    select account_id, operation_id as subject, 'an amount of at most 0' as expected, amount_micros as found
    from ledger where kind <> 'credit' and amount_micros > 0`,
  'time of a session': sql`
    select s.account_id, s.id as subject, s.browser_ms as expected,
      coalesce(charged.ms, 0) + s.uncharged_ms as found
    from sessions s left join (select session_id, sum(browser_ms) as ms from ledger group by session_id) as charged
      on charged.session_id = s.id
    where s.key_id is not null
      and (s.browser_ms <> coalesce(charged.ms, 0) + s.uncharged_ms or (s.status <> 'active' and s.uncharged_ms <> 0))`,
  'time of a session within its duration': sql`
    select account_id, id as subject, ended_at - created_at - clock_shift_ms as expected, browser_ms as found
    from sessions
    where key_id is not null and ended_at is not null
      and browser_ms > ended_at - created_at - clock_shift_ms + ${sql.lit(CLOCK_TOLERANCE_MS)}`,
  'one row for each operation': sql`
    select s.account_id, s.id as subject, logged.total || ' ' || logged.kind as expected,
      count(l.seq) || ' ' || logged.kind as found
    from (select session_id, kind, count(*) as total
        from (select session_id, case type when 'observed' then 'observe' when 'stepped' then 'step'
            when 'scraped' then 'scrape' else ${jsonWord(db, 'body', 'operation')} end as kind
          from session_events where type in ('observed', 'stepped', 'scraped', 'failed')) as operations
        where kind in ('observe', 'step', 'scrape') group by session_id, kind) as logged
      join sessions s on s.id = logged.session_id
      left join ledger l on l.session_id = s.id and l.kind = logged.kind
    where s.key_id is not null
    group by s.account_id, s.id, logged.kind, logged.total
    having count(l.seq) <> logged.total`,
  'an operation for each row': sql`
    select l.account_id, l.operation_id as subject, 'an event of the operation' as expected, 'none' as found
    from ledger l join sessions s on s.id = l.session_id
    where s.key_id is not null and l.kind in ('observe', 'step', 'scrape')
      and not exists (select 1 from session_events e where e.session_id = l.session_id
        and e.type in ('observed', 'stepped', 'scraped', 'failed'))`,
  'time after a credit has a price': sql`
    select l.account_id, l.operation_id as subject, 'a price' as expected, l.browser_ms || ' ms without one' as found
    from ledger l join accounts a on a.id = l.account_id join sessions s on s.id = l.session_id
    where a.tier = 'pay_as_you_go' and s.key_id is not null and l.minute_micros is null and l.kind <> 'credit'
      and l.browser_ms > 0
      and l.at - case when l.kind = 'idle' then 0 else l.browser_ms end > a.tier_since + ${sql.lit(TIER_CHANGE_MS)}`,
  'price of idle time': sql`
    select l.account_id, l.operation_id as subject,
      'at most ' || (l.browser_ms * coalesce(l.minute_micros, 0) / 60000 + 1) as expected, -l.amount_micros as found
    from ledger l join sessions s on s.id = l.session_id
    where s.key_id is not null and l.kind = 'idle'
      and -l.amount_micros > l.browser_ms * coalesce(l.minute_micros, 0) / 60000 + 1`,
  'numbers of sessions': sql`
    select a.id as account_id, null as subject,
      (select count(*) from sessions s where s.account_id = a.id) as expected,
      (select coalesce(sum(total), 0) from session_counts c where c.account_id = a.id) as found
    from accounts a
    where (select count(*) from sessions s where s.account_id = a.id)
        <> (select coalesce(sum(total), 0) from session_counts c where c.account_id = a.id)
      or exists (select 1 from session_counts c where c.account_id = a.id
        and c.total <> (select count(*) from sessions s where s.account_id = a.id and s.status = c.status))`,
  'numbers of events': sql`
    select s.account_id, s.id as subject, s.last_seq as expected, coalesce(sum(c.total), 0) as found
    from sessions s left join event_counts c on c.session_id = s.id
    group by s.account_id, s.id, s.last_seq
    having coalesce(sum(c.total), 0) <> s.last_seq`,
  'usage totals': sql`
    select account_id, null as subject, sum(charges) as expected, sum(totals) as found
    from (
      select account_id, -sum(amount_micros) * 1000003 + sum(browser_ms) as charges, 0 as totals, spans.span_ms
        from ledger cross join (select 3600000 as span_ms union select 86400000) as spans
        where kind <> 'credit' group by account_id, spans.span_ms
      union all
      select account_id, 0, -sum(amount_micros) * 1000003 + sum(browser_ms), span_ms
        from usage_totals group by account_id, span_ms
      union all
      select account_id, -sum(amount_micros) * 1000003 + sum(browser_ms), 0, 0
        from ledger where session_id is not null group by account_id
      union all
      select account_id, 0, -sum(amount_micros) * 1000003 + sum(browser_ms), 0
        from session_usage group by account_id
    ) as both_sides
    group by account_id, span_ms
    having sum(charges) <> sum(totals)`,
});

/** Checks every rule on the whole store. Takes some seconds for a million rows; the service can run meanwhile. */
export async function auditLedger(db: Kysely<Tables>): Promise<LedgerAudit> {
  const findings: LedgerFinding[] = [];
  const rules = rulesOf(db);
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } =
      await sql<FindingRow>`select * from (${query}) as broken limit ${sql.lit(MAX_FINDINGS)}`.execute(db);
    for (const row of rows)
      findings.push({
        rule,
        accountId: row.account_id,
        subject: row.subject,
        expected: String(row.expected),
        found: String(row.found),
      });
  }
  const count = async (table: 'accounts' | 'sessions' | 'ledger'): Promise<number> => {
    const { total } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  };
  return {
    accounts: await count('accounts'),
    sessions: await count('sessions'),
    ledgerRows: await count('ledger'),
    rules: Object.keys(rules),
    findings,
  };
}
