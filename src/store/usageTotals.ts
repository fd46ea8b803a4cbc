/** The totals of the charges by hour, by day and by session: written with each charge, read instead of the ledger. */
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import { MS_PER_DAY, startOfUtcDay } from '../domain/account/account.ts';
import {
  type Period,
  type UsageGroup,
  type UsageGroupTotals,
  type UsageTotals,
  ZERO_USAGE,
} from '../domain/account/ledger.ts';
import { prepareQuery, type StoreTransaction, type Write } from './sqlEngine.ts';
import type { Reader } from './store.ts';
import type { LedgerRow, SessionUsageRow, Tables, UsageTotalsRow } from './tables.ts';

const MS_PER_HOUR = 3_600_000;

/** Maximum number of single charges that one query adds up: some milliseconds of work. */
const CHARGES_PER_QUERY = 5_000;

export function usageWrites(
  trx: StoreTransaction,
  entry: Omit<LedgerRow, 'seq' | 'balance_micros'>,
): readonly Write[] {
  if (entry.kind === 'credit') return [];
  const { account_id, kind, session_id, browser_ms, amount_micros, at } = entry;
  const operations = kind === 'idle' ? 0 : 1;
  const sums = { operations, browser_ms, amount_micros };
  const key_id = entry.key_id ?? '';
  const spans = [MS_PER_HOUR, MS_PER_DAY].map(span_ms => ({
    account_id,
    span_ms,
    began_at: at - (at % span_ms),
    kind,
    key_id,
    ...sums,
  }));
  const ofAccount = addUsage.write(trx, spans);
  if (session_id === null) return [ofAccount];
  return [ofAccount, addSessionUsage.write(trx, { session_id, day: startOfUtcDay(at), account_id, ...sums })];
}

const addUsage = prepareQuery((trx, rows: readonly UsageTotalsRow[]) =>
  trx
    .insertInto('usage_totals')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'span_ms', 'began_at', 'kind', 'key_id'])
        .doUpdateSet(({ eb, ref }) => ({
          operations: eb('usage_totals.operations', '+', ref('excluded.operations')),
          browser_ms: eb('usage_totals.browser_ms', '+', ref('excluded.browser_ms')),
          amount_micros: eb('usage_totals.amount_micros', '+', ref('excluded.amount_micros')),
        })),
    ),
);

const addSessionUsage = prepareQuery((trx, row: SessionUsageRow) =>
  trx
    .insertInto('session_usage')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['session_id', 'day']).doUpdateSet(({ eb, ref }) => ({
        operations: eb('session_usage.operations', '+', ref('excluded.operations')),
        browser_ms: eb('session_usage.browser_ms', '+', ref('excluded.browser_ms')),
        amount_micros: eb('session_usage.amount_micros', '+', ref('excluded.amount_micros')),
      })),
    ),
);

/** Returns the browser time that was charged to an account on a day, in milliseconds. @param day start of the day (UTC) */
export async function chargedOnDay(db: Kysely<Tables>, accountId: string, day: number): Promise<number> {
  const [row] = await selectDay.run(db, { accountId, day });
  return Number(row?.browser_ms ?? 0);
}

const selectDay = prepareQuery(
  (db, { accountId, day }: { readonly accountId: string; readonly day: number }) =>
    db
      .selectFrom('usage_totals')
      .select(({ fn }) => fn.sum<number>('browser_ms').as('browser_ms'))
      .where('account_id', '=', accountId)
      .where('span_ms', '=', MS_PER_DAY)
      .where('began_at', '=', day),
);

export async function readSessionUsage(
  db: Kysely<Tables>,
  sessionIds: readonly string[],
): Promise<readonly UsageTotals[]> {
  if (sessionIds.length === 0) return [];
  const rows = await db
    .selectFrom('session_usage')
    .select(({ fn }) => [
      'session_id',
      fn.sum<number>('operations').as('operations'),
      fn.sum<number>('browser_ms').as('browser_ms'),
      fn.sum<number>('amount_micros').as('amount_micros'),
    ])
    .where('session_id', 'in', [...new Set(sessionIds)])
    .groupBy('session_id')
    .execute();
  const bySession = new Map(rows.map(row => [row.session_id, toTotals(row)]));
  return sessionIds.map(id => bySession.get(id) ?? ZERO_USAGE);
}

/** Reads usage from the totals. Only the rest of a period before its first and after its last whole hour is read from the ledger. */
export class UsageReader {
  readonly #db: Kysely<Tables>;
  readonly #reader: Reader;

  constructor(db: Kysely<Tables>, reader: Reader) {
    this.#db = db;
    this.#reader = reader;
  }

  async usage(accountId: string, period: Period): Promise<UsageTotals> {
    let total = ZERO_USAGE;
    for await (const source of this.#sources(accountId, period, [MS_PER_DAY, MS_PER_HOUR])) {
      const [row] = await this.#all<SumRow>(accountId, sql`select ${SUMS} from (${source}) as charges`);
      if (row !== undefined) total = addTotals(total, toTotals(row));
    }
    return total;
  }

  /** At most `limit` groups, ordered by name. */
  async usageByGroup(
    accountId: string,
    period: Period,
    group: UsageGroup,
    limit: number,
  ): Promise<readonly UsageGroupTotals[]> {
    const { expression, spans } = GROUPS[group];
    let totals = new Map<string | number, UsageTotals>();
    for await (const source of this.#sources(accountId, period, spans, group === 'session')) {
      // A group that is among the first of all sources is among the first of each of them that has it, so the others are left out.
      const rows = await this.#all<SumRow & { name: string | number }>(
        accountId,
        sql`select ${expression} as name, ${SUMS} from (${source}) as charges
          group by ${expression} order by ${expression} limit ${limit}`,
      );
      for (const row of rows) {
        const name = group === 'hour' || group === 'day' ? Number(row.name) : row.name;
        totals.set(name, addTotals(totals.get(name) ?? ZERO_USAGE, toTotals(row)));
      }
      totals = firstGroups(totals, limit);
    }
    return [...totals].map(([name, sums]) => ({
      name: typeof name === 'number' ? new Date(name).toISOString() : name,
      ...sums,
    }));
  }

  /**
   * Yields queries for all totals and charges of a period. Single charges are read some thousands at a time: an hour can have
   * a million of them, and other accounts read between two queries.
   * @param spans lengths of the totals to read, the longest first
   */
  async *#sources(
    accountId: string,
    period: Period,
    spans: readonly number[],
    bySession = false,
  ): AsyncGenerator<RawBuilder<unknown>, void, undefined> {
    const [bounds] = await this.#all<{ first: number | null; last: number | null }>(
      accountId,
      sql`select (select min(at) from ledger where account_id = ${accountId}) as first,
        (select max(at) from ledger where account_id = ${accountId}) as last`,
    );
    const first = Number(bounds?.first ?? 0);
    const last = Number(bounds?.last ?? 0);
    // Where a period begins before the first row or ends after the last one, whole days have the same charges.
    const from = period.from <= first ? startOfUtcDay(first) : period.from;
    const to = period.to > last ? startOfUtcDay(last) + MS_PER_DAY : period.to;
    const parts = splitPeriod({ from, to }, spans);
    const totals = parts.flatMap(part => {
      if (part.span === null) return [];
      if (bySession)
        return sql`select day as began_at, '' as kind, '' as key_id, session_id, operations, browser_ms, amount_micros
          from session_usage where account_id = ${accountId} and day >= ${part.from} and day < ${part.to}`;
      return sql`select began_at, kind, key_id, null as session_id, operations, browser_ms, amount_micros
        from usage_totals where account_id = ${accountId} and span_ms = ${part.span}
          and began_at >= ${part.from} and began_at < ${part.to}`;
    });
    if (totals.length > 0) yield sql.join(totals, sql` union all `);
    for (const part of parts) if (part.span === null) yield* this.#charges(accountId, part);
  }

  /** Yields queries for the charges of a period, each for at most `CHARGES_PER_QUERY` of them and those of the same millisecond. */
  async *#charges(
    accountId: string,
    { from, to }: Period,
  ): AsyncGenerator<RawBuilder<unknown>, void, undefined> {
    for (let start = from; start < to; ) {
      const [edge] = await this.#all<{ at: number }>(
        accountId,
        sql`select at from ledger where account_id = ${accountId} and at >= ${start} and at < ${to}
          order by at limit 1 offset ${CHARGES_PER_QUERY - 1}`,
      );
      const end = edge === undefined ? to : Number(edge.at) + 1;
      yield sql`select at as began_at, kind, coalesce(key_id, '') as key_id, session_id,
          case when kind = 'idle' then 0 else 1 end as operations, browser_ms, amount_micros
        from ledger where account_id = ${accountId} and at >= ${start} and at < ${end} and kind <> 'credit'`;
      start = end;
    }
  }

  #all<Row>(accountId: string, query: RawBuilder<unknown>): Promise<readonly Row[]> {
    // Safe: the caller names the columns that its query selects.
    const compilable = { compile: () => query.compile(this.#db) } as Compilable<Row>;
    return this.#reader.all(accountId, compilable);
  }
}

interface Part extends Period {
  /** Length of the totals that cover the part, in milliseconds; null for single charges. */
  readonly span: number | null;
}

function splitPeriod({ from, to }: Period, [span, ...shorter]: readonly number[]): readonly Part[] {
  if (from >= to) return [];
  if (span === undefined) return [{ from, to, span: null }];
  const begin = Math.ceil(from / span) * span;
  const end = Math.floor(to / span) * span;
  if (begin >= end) return splitPeriod({ from, to }, shorter);
  return [
    ...splitPeriod({ from, to: begin }, shorter),
    { from: begin, to: end, span },
    ...splitPeriod({ from: end, to }, shorter),
  ];
}

const GROUPS: Readonly<Record<UsageGroup, { expression: RawBuilder<unknown>; spans: readonly number[] }>> = {
  hour: { expression: sql`began_at - began_at % ${sql.lit(MS_PER_HOUR)}`, spans: [MS_PER_HOUR] },
  day: { expression: sql`began_at - began_at % ${sql.lit(MS_PER_DAY)}`, spans: [MS_PER_DAY, MS_PER_HOUR] },
  kind: { expression: sql`kind`, spans: [MS_PER_DAY, MS_PER_HOUR] },
  key: { expression: sql`key_id`, spans: [MS_PER_DAY, MS_PER_HOUR] },
  session: { expression: sql`coalesce(session_id, '')`, spans: [MS_PER_DAY] },
};

const SUMS = sql`sum(operations) as operations, sum(browser_ms) as browser_ms, sum(amount_micros) as amount_micros`;

interface SumRow {
  readonly operations: number | null;
  readonly browser_ms: number | null;
  readonly amount_micros: number | null;
}

const toTotals = (row: SumRow): UsageTotals => ({
  operations: Number(row.operations ?? 0),
  browserMs: Number(row.browser_ms ?? 0),
  priceMicros: 0 - Number(row.amount_micros ?? 0),
});

const addTotals = (a: UsageTotals, b: UsageTotals): UsageTotals => ({
  operations: a.operations + b.operations,
  browserMs: a.browserMs + b.browserMs,
  priceMicros: a.priceMicros + b.priceMicros,
});

const firstGroups = <Name extends string | number>(
  totals: ReadonlyMap<Name, UsageTotals>,
  limit: number,
): Map<Name, UsageTotals> => new Map([...totals].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit));
