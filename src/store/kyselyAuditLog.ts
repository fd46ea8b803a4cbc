import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type {
  AuditCheck,
  AuditEntry,
  AuditedStores,
  AuditLog,
  AuditRecord,
  BrokenChain,
} from '../domain/ports/auditLog.ts';
import { kyselyAccountStore } from './kyselyAccountStore.ts';
import { kyselyProfileStore } from './kyselyProfileStore.ts';
import { kyselyShareLinkStore } from './kyselyShareLinkStore.ts';
import { kyselyVaultStore } from './kyselyVaultStore.ts';
import { type SqlEngine, within } from './sqlEngine.ts';
import { type AuditLogRow, fromColumns } from './tables.ts';

const ROWS_PER_QUERY = 1_000;
const NO_HASH = '';

type Row = Selectable<AuditLogRow>;

/** Returns the hash of a row. The texts of the columns are in it as they are stored. */
const hashOf = (row: Omit<Row, 'hash'>, before: string): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[row.account_id, row.seq, row.at, row.actor, row.action],
        ...[row.subject, row.details, before],
      ]),
    )
    .digest('hex');

export function kyselyAuditLog(engine: SqlEngine): AuditLog {
  const { db } = engine;

  async function* allRows(): AsyncGenerator<Row> {
    for (let last: Row | undefined; ; ) {
      const rows: readonly Row[] = await db
        .selectFrom('audit_log')
        .selectAll()
        .$if(last !== undefined, query =>
          query.where(({ eb, or, and }) =>
            or([
              eb('account_id', '>', last?.account_id ?? ''),
              and([eb('account_id', '=', last?.account_id ?? ''), eb('seq', '>', last?.seq ?? 0)]),
            ]),
          ),
        )
        .orderBy('account_id')
        .orderBy('seq')
        .limit(ROWS_PER_QUERY)
        .execute();
      yield* rows;
      last = rows.at(-1);
      if (rows.length < ROWS_PER_QUERY) return;
    }
  }

  return {
    append: <Result>(
      accountId: string,
      { at, actor, action, subject, details }: AuditRecord,
      act?: (stores: AuditedStores) => Promise<Result>,
    ) =>
      engine.transact(async trx => {
        // Two rows must not follow the same one.
        await engine.lock(trx, `audit log ${accountId}`);
        const last = await trx
          .selectFrom('audit_log')
          .select(['seq', 'hash'])
          .where('account_id', '=', accountId)
          .orderBy('seq', 'desc')
          .limit(1)
          .executeTakeFirst();
        const row = {
          account_id: accountId,
          seq: (last?.seq ?? 0) + 1,
          ...{ at, actor, action, subject },
          details: JSON.stringify(details),
        };
        await trx
          .insertInto('audit_log')
          .values({ ...row, hash: hashOf(row, last?.hash ?? NO_HASH) })
          .execute();
        return (await act?.({
          accounts: kyselyAccountStore(trx),
          profiles: kyselyProfileStore(within(engine, trx)),
          shareLinks: kyselyShareLinkStore(trx),
          vault: kyselyVaultStore(trx),
        })) as Result;
      }),

    async entries(accountId, before, limit) {
      const rows = await db
        .selectFrom('audit_log')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(before !== null, query => query.where('seq', '<', before ?? 0))
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },

    async check() {
      const heads = new Map<string, AuditCheck['heads'][number]>();
      const broken = new Map<string, BrokenChain>();
      let rows = 0;
      for await (const row of allRows()) {
        rows++;
        const { account_id: accountId, seq, hash } = row;
        const before = heads.get(accountId);
        const isNext = seq === (before?.seq ?? 0) + 1;
        const isSame = hash === hashOf(row, before?.hash ?? NO_HASH);
        if (!broken.has(accountId) && !(isNext && isSame)) {
          const reason = isNext ? 'it was changed, or the row before it' : 'rows before it are missing';
          broken.set(accountId, { accountId, seq, reason });
        }
        heads.set(accountId, { accountId, seq, hash });
      }
      return { rows, heads: [...heads.values()], broken: [...broken.values()] };
    },
  };
}

const toEntry = ({ account_id: _account, details, ...row }: Row): AuditEntry => ({
  ...fromColumns<Omit<AuditEntry, 'details'>>(row),
  details: JSON.parse(details) as AuditEntry['details'],
});
