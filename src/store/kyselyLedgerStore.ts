/** Implements LedgerStore with Kysely. The rows of the account and the key contain the running totals. */
import { MS_PER_DAY, parseTier, type Tier } from '../domain/account/account.ts';
import {
  type Charge,
  LEDGER_KINDS,
  type LedgerEntry,
  MAX_BALANCE_MICROS,
  type TierInForce,
} from '../domain/account/ledger.ts';
import { Failure } from '../domain/failure/failures.ts';
import type { LedgerStore } from '../domain/ports/accountStore.ts';
import { byIds, prepareQuery, type SqlEngine, type StoreTransaction, writeAll } from './sqlEngine.ts';
import type { Reader } from './store.ts';
import { fromColumns, type LedgerRow } from './tables.ts';
import { chargedOnDay, readSessionUsage, UsageReader, usageWrites } from './usageTotals.ts';

/** Maximum number of rows that one query reads while it looks for the rows of a period: a range of row numbers, which have no gaps. */
const ROWS_PER_QUERY = 5_000;

export function kyselyLedgerStore(engine: SqlEngine, reader: Reader): LedgerStore {
  const { db } = engine;
  const usage = new UsageReader(db, reader);
  const accountsWith = (ids: string[]) => db.selectFrom('accounts').selectAll().where('id', 'in', ids);
  const newestSeqs = (accountIds: readonly string[]) =>
    byIds(accountIds, accountsWith, row => row.ledger_seq, 0);
  return {
    credit: ({ accountId, reference, amountMicros, at }) =>
      engine.transact(async trx => {
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
        const entry = toEntry(row);
        if (entry.balanceMicros > MAX_BALANCE_MICROS) throw balanceTooHigh();
        return entry;
      }),

    async accountBalance(accountId, keyId, day) {
      const [row] = await selectBalance.run(db, { accountId, keyId });
      if (row === undefined) throw new Error(`There is no account ${accountId}.`);
      return {
        tierInForce: toTierInForce(row),
        balanceMicros: row.balance_micros,
        dayBrowserMs: await chargedOnDay(db, accountId, day),
        keySpentMicros: row.spent_micros ?? 0,
        keySpendCapMicros: row.spend_cap_micros,
      };
    },

    async keyUsageOnDay(accountId, keyId, day) {
      const row = await db
        .selectFrom('usage_totals')
        .select(({ fn }) => [
          fn.sum<number>('browser_ms').as('browser_ms'),
          fn.sum<number>('amount_micros').as('amount_micros'),
        ])
        .where('account_id', '=', accountId)
        .where('span_ms', '=', MS_PER_DAY)
        .where('began_at', '=', day)
        .where('key_id', '=', keyId)
        .executeTakeFirst();
      return { browserMs: Number(row?.browser_ms ?? 0), amountMicros: -Number(row?.amount_micros ?? 0) };
    },

    usage: (accountId, period) => usage.usage(accountId, period),
    usageByGroup: (accountId, period, group, limit) => usage.usageByGroup(accountId, period, group, limit),
    sessionUsage: sessionIds => readSessionUsage(db, sessionIds),

    newestSeqs,

    balances: accountIds => byIds(accountIds, accountsWith, row => row.balance_micros, 0),

    async accountTiers(accountIds) {
      const [accountId, ...others] = accountIds;
      if (accountId === undefined || others.length > 0)
        return byIds(accountIds, accountsWith, toTierInForce, null);
      const [row] = await selectTier.run(db, { accountId });
      return [row === undefined ? null : toTierInForce(row)];
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
      const [newest = 0] = await newestSeqs([accountId]);
      const rows: LedgerRow[] = [];
      for (let start = after; start < newest && rows.length < limit; start += ROWS_PER_QUERY) {
        const query = db
          .selectFrom('ledger')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('seq', '>', start)
          .where('seq', '<=', start + ROWS_PER_QUERY)
          .where('at', '>=', from)
          .where('at', '<', to)
          .orderBy('seq')
          .limit(limit - rows.length);
        rows.push(...(await reader.all(accountId, query)));
      }
      return rows.map(toEntry);
    },
  };
}

/** Writes charges to the ledger, in the transaction that writes their session. Skips a charge whose operation id exists already. */
export async function writeCharges(trx: StoreTransaction, ledger: readonly Charge[]): Promise<void> {
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

/** Adds a row to the ledger and to the totals of account and key, once for each operation id. The lock of the account's row keeps `seq` without gaps. */
async function insertEntry(
  trx: StoreTransaction,
  entry: Omit<LedgerRow, 'seq' | 'balance_micros'>,
): Promise<void> {
  const { account_id, operation_id, amount_micros, key_id } = entry;
  const [account] = await addToBalance.run(trx, { account_id, operation_id, amount_micros });
  if (account === undefined) return;
  await writeAll(trx, [
    insertLedgerRow.write(trx, {
      ...entry,
      seq: account.ledger_seq,
      balance_micros: account.balance_micros,
    }),
    ...usageWrites(trx, entry),
    ...(key_id === null || amount_micros === 0 ? [] : [addSpending.write(trx, { key_id, amount_micros })]),
  ]);
}

const balanceTooHigh = (): Failure =>
  new Failure(
    'VALIDATION_ERROR',
    `The balance of an account may be at most ${MAX_BALANCE_MICROS.toLocaleString('en')} micro-units. Credit less.`,
  );

/** Prepared, because every request reads the tier of its account. */
const selectTier = prepareQuery((db, { accountId }: { readonly accountId: string }) =>
  db.selectFrom('accounts').select(['id', 'tier', 'tier_since']).where('id', '=', accountId),
);

const selectBalance = prepareQuery(
  (db, { accountId, keyId }: { readonly accountId: string; readonly keyId: string }) =>
    db
      .selectFrom('accounts')
      .leftJoin('api_keys', join =>
        join.onRef('api_keys.account_id', '=', 'accounts.id').on('api_keys.id', '=', keyId),
      )
      .select([
        'accounts.tier',
        'accounts.tier_since',
        'accounts.balance_micros',
        'api_keys.spent_micros',
        'api_keys.spend_cap_micros',
      ])
      .where('accounts.id', '=', accountId),
);

const addToBalance = prepareQuery(
  (trx, entry: Pick<LedgerRow, 'account_id' | 'operation_id' | 'amount_micros'>) =>
    trx
      .updateTable('accounts')
      .set(({ eb }) => ({
        ledger_seq: eb('ledger_seq', '+', 1),
        balance_micros: eb('balance_micros', '+', entry.amount_micros),
      }))
      .where('id', '=', entry.account_id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('ledger').select('seq').where('operation_id', '=', entry.operation_id))),
      )
      .returning(['ledger_seq', 'balance_micros']),
);

const insertLedgerRow = prepareQuery((trx, row: LedgerRow) => trx.insertInto('ledger').values(row));

const addSpending = prepareQuery(
  (trx, { key_id, amount_micros }: { readonly key_id: string; readonly amount_micros: number }) =>
    trx
      .updateTable('api_keys')
      .set(({ eb }) => ({ spent_micros: eb('spent_micros', '-', amount_micros) }))
      .where('id', '=', key_id),
);

const toTierInForce = (row: { tier: string; tier_since: number | null }): TierInForce => ({
  tier: parseTier(row.tier),
  since: row.tier_since,
});

function toEntry({ operation_id, minute_micros: _price, ...row }: LedgerRow): LedgerEntry {
  if (!LEDGER_KINDS.includes(row.kind))
    throw new Error(`The ledger row ${operation_id} has the unknown kind "${row.kind}".`);
  return fromColumns<LedgerEntry>(row);
}
