/** Implements LedgerStore with Kysely. The rows of the account and the key contain the running totals. */
import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { parseTier, type Tier } from '../domain/account.ts';
import {
  type Charge,
  LEDGER_KINDS,
  type LedgerEntry,
  type Period,
  type TierInForce,
  type UsageGroup,
  type UsageTotals,
  ZERO_USAGE,
} from '../domain/ledger.ts';
import type { LedgerStore } from '../domain/ports/ledgerStore.ts';
import { startOfUtcDay } from '../domain/tiers.ts';
import { orderByIds } from './orderByIds.ts';
import type { LedgerRow, Tables } from './tables.ts';

/** Creates the store of the ledger on a database. */
export function kyselyLedgerStore(db: Kysely<Tables>): LedgerStore {
  return {
    credit: ({ accountId, reference, amountMicros, at }) =>
      db.transaction().execute(async trx => {
        const operationId = `credit:${accountId}:${reference}`;
        // An account that receives a credit becomes a paying account.
        await trx
          .updateTable('accounts')
          .set({ tier: 'pay_as_you_go' satisfies Tier, tier_since: at })
          .where('id', '=', accountId)
          .where('tier', '=', 'free' satisfies Tier)
          .execute();
        await insertEntry(trx, {
          operation_id: operationId,
          account_id: accountId,
          reference,
          session_id: null,
          key_id: null,
          kind: 'credit',
          at,
          browser_ms: 0,
          amount_micros: amountMicros,
          minute_micros: null,
        });
        const row = await trx
          .selectFrom('ledger')
          .selectAll()
          .where('operation_id', '=', operationId)
          .executeTakeFirstOrThrow();
        return toEntry(row);
      }),

    async accountBalance(accountId, keyId, day) {
      const row = await db
        .selectFrom('accounts')
        .leftJoin('api_keys', join =>
          join.onRef('api_keys.account_id', '=', 'accounts.id').on('api_keys.id', '=', keyId),
        )
        .select([
          'accounts.tier',
          'accounts.tier_since',
          'accounts.balance_micros',
          'accounts.day_began_at',
          'accounts.day_browser_ms',
          'api_keys.spent_micros',
          'api_keys.spend_cap_micros',
        ])
        .where('accounts.id', '=', accountId)
        .executeTakeFirstOrThrow();
      return {
        tierInForce: toTierInForce(row),
        balanceMicros: Number(row.balance_micros),
        dayBrowserMs: Number(row.day_began_at) >= day ? Number(row.day_browser_ms) : 0,
        keySpentMicros: Number(row.spent_micros ?? 0),
        keySpendCapMicros: row.spend_cap_micros === null ? null : Number(row.spend_cap_micros),
      };
    },

    async usage(accountId, period) {
      const row = await selectTotals(selectCharges(db, accountId, period)).executeTakeFirstOrThrow();
      return toTotals(row);
    },

    async usageByGroup(accountId, period, group, limit) {
      const name = GROUP_EXPRESSIONS[group];
      const rows = await selectTotals(selectCharges(db, accountId, period))
        .select(name.as('name'))
        .groupBy(name)
        .orderBy(name)
        .limit(limit)
        .execute();
      const groupName = (value: string | number | null): string =>
        group === 'hour' || group === 'day' ? new Date(Number(value)).toISOString() : String(value ?? '');
      return rows.map(row => ({ name: groupName(row.name), ...toTotals(row) }));
    },

    async sessionUsage(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await selectTotals(
        db.selectFrom('ledger').where('session_id', 'in', [...new Set(sessionIds)]),
      )
        .select('session_id')
        .groupBy('session_id')
        .execute();
      const bySession = new Map(rows.map(row => [row.session_id, toTotals(row)]));
      return sessionIds.map(id => bySession.get(id) ?? ZERO_USAGE);
    },

    async accountTiers(accountIds) {
      if (accountIds.length === 0) return [];
      const rows = await db
        .selectFrom('accounts')
        .select(['id', 'tier', 'tier_since'])
        .where('id', 'in', [...new Set(accountIds)])
        .execute();
      return orderByIds(accountIds, rows, row => row.id, toTierInForce);
    },

    async newestEntries(accountId, before, limit) {
      const rows = await db
        .selectFrom('ledger')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(before !== null, query => query.where('seq', '<', before ?? 0))
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },

    async oldestEntries(accountId, { from, to }, after, limit) {
      const rows = await db
        .selectFrom('ledger')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('at', '>=', from)
        .where('at', '<', to)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },
  };
}

/** Writes charges to the ledger, in the transaction that writes their session. Skips a charge whose operation id exists already. */
export async function writeCharges(trx: Transaction<Tables>, ledger: readonly Charge[]): Promise<void> {
  for (const charge of ledger)
    await insertEntry(trx, {
      operation_id: charge.operationId,
      account_id: charge.accountId,
      reference: charge.kind === 'idle' ? charge.sessionId : charge.operationId,
      session_id: charge.sessionId,
      key_id: charge.keyId,
      kind: charge.kind,
      at: charge.at,
      browser_ms: charge.browserMs,
      amount_micros: -charge.priceMicros,
      minute_micros: charge.minuteMicros,
    });
}

/**
 * Adds a row to the ledger of an account, and the amount to the totals of the account and the key. Does nothing if the
 * operation id exists already. The update of the account's row locks that row, so `seq` has no gaps or duplicates.
 */
async function insertEntry(
  trx: Transaction<Tables>,
  entry: Omit<LedgerRow, 'seq' | 'balance_micros'>,
): Promise<void> {
  const day = startOfUtcDay(entry.at);
  const account = await trx
    .updateTable('accounts')
    .set(({ eb }) => ({
      ledger_seq: eb('ledger_seq', '+', 1),
      balance_micros: eb('balance_micros', '+', entry.amount_micros),
      day_browser_ms: sql<number>`case when day_began_at >= ${day} then day_browser_ms else 0 end + ${entry.browser_ms}`,
      day_began_at: sql<number>`case when day_began_at >= ${day} then day_began_at else ${day} end`,
    }))
    .where('id', '=', entry.account_id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('ledger').select('seq').where('operation_id', '=', entry.operation_id))),
    )
    .returning(['ledger_seq', 'balance_micros'])
    .executeTakeFirst();
  if (account === undefined) return;
  await trx
    .insertInto('ledger')
    .values({ ...entry, seq: account.ledger_seq, balance_micros: account.balance_micros })
    .execute();
  if (entry.key_id !== null && entry.amount_micros !== 0)
    await trx
      .updateTable('api_keys')
      .set(({ eb }) => ({ spent_micros: eb('spent_micros', '-', entry.amount_micros) }))
      .where('id', '=', entry.key_id)
      .execute();
}

const toTierInForce = (row: { tier: string; tier_since: number | null }): TierInForce => ({
  tier: parseTier(row.tier),
  since: row.tier_since === null ? null : Number(row.tier_since),
});

const truncateTo = (ms: number) => sql<string | number | null>`at - at % ${sql.lit(ms)}`;

const GROUP_EXPRESSIONS = {
  hour: truncateTo(3_600_000),
  day: truncateTo(86_400_000),
  kind: sql<string | number | null>`kind`,
  key: sql<string | number | null>`key_id`,
  session: sql<string | number | null>`session_id`,
} as const satisfies Record<UsageGroup, unknown>;

const selectCharges = (db: Kysely<Tables>, accountId: string, { from, to }: Period) =>
  db
    .selectFrom('ledger')
    .where('account_id', '=', accountId)
    .where('kind', '!=', 'credit')
    .where('at', '>=', from)
    .where('at', '<', to);

// biome-ignore lint/complexity/noBannedTypes: Kysely's type of a query without a selection
const selectTotals = (query: SelectQueryBuilder<Tables, 'ledger', {}>) =>
  query.select(({ fn }) => [
    fn.sum<number>(sql`case when kind = 'idle' then 0 else 1 end`).as('operations'),
    fn.sum<number>('browser_ms').as('browser_ms'),
    fn.sum<number>('amount_micros').as('amount_micros'),
  ]);

const toTotals = (row: {
  operations: number | null;
  browser_ms: number | null;
  amount_micros: number | null;
}): UsageTotals => ({
  operations: Number(row.operations ?? 0),
  browserMs: Number(row.browser_ms ?? 0),
  priceMicros: 0 - Number(row.amount_micros ?? 0),
});

function toEntry(row: LedgerRow): LedgerEntry {
  const kind = LEDGER_KINDS.find(known => known === row.kind);
  if (kind === undefined)
    throw new Error(`The ledger row ${row.operation_id} has the unknown kind "${row.kind}".`);
  return {
    seq: row.seq,
    accountId: row.account_id,
    reference: row.reference,
    sessionId: row.session_id,
    keyId: row.key_id,
    kind,
    at: Number(row.at),
    browserMs: Number(row.browser_ms),
    amountMicros: Number(row.amount_micros),
    balanceMicros: Number(row.balance_micros),
  };
}
