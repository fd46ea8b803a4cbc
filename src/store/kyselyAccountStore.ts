import type { Insertable, Kysely, Selectable } from 'kysely';
import {
  type Account,
  type ApiKey,
  KEY_SCOPES,
  parseTier,
  type WebSession,
} from '../domain/account/account.ts';
import type { KeyPolicy } from '../domain/account/keyPolicy.ts';
import type { AccountStore, WalletStore } from '../domain/ports/accountStore.ts';
import { byIds, type SqlEngine } from './sqlEngine.ts';
import { type AccountRow, type ApiKeyRow, fromColumns, type Tables, toColumns } from './tables.ts';

export function kyselyWalletStore(engine: SqlEngine): WalletStore {
  const { db } = engine;
  return {
    async saveNonce(nonce, expiresAt, now) {
      await db.deleteFrom('nonces').where('expires_at', '<=', now).execute();
      await db.insertInto('nonces').values({ nonce, expires_at: expiresAt }).execute();
    },

    async consumeNonce(nonce, now) {
      const row = await db
        .deleteFrom('nonces')
        .where('nonce', '=', nonce)
        .returning('expires_at')
        .executeTakeFirst();
      return row !== undefined && row.expires_at > now;
    },

    findOrCreateAccount: (address, fresh) =>
      engine.transact(async trx => {
        // Two nodes can see a new wallet at once.
        await engine.lock(trx, `wallet ${address}`);
        const accounts = kyselyAccountStore(trx);
        const known = await trx
          .selectFrom('wallets')
          .select('account_id')
          .where('address', '=', address)
          .executeTakeFirst();
        const [account] = known === undefined ? [] : await accounts.accounts([known.account_id]);
        if (account != null) return account;
        await accounts.createAccount(fresh);
        const row = { address, account_id: fresh.id, created_at: fresh.createdAt };
        await trx.insertInto('wallets').values(row).execute();
        return fresh;
      }),

    async saveWebSession(session, now) {
      await db.deleteFrom('web_visits').where('expires_at', '<=', now).execute();
      await db.insertInto('web_visits').values(toColumns(session)).execute();
    },

    async findWebSession(hash) {
      const row = await db.selectFrom('web_visits').selectAll().where('hash', '=', hash).executeTakeFirst();
      return row === undefined ? null : fromColumns<WebSession>(row);
    },

    async deleteWebSession(hash) {
      await db.deleteFrom('web_visits').where('hash', '=', hash).execute();
    },
  };
}

/** Maximum number of keys that a list has. An account has at most 100 active ones; the others are revoked or expired. */
const MAX_LISTED_KEYS = 1_000;

const FILE_LINKS = 'file-links';

/** Creates the store of accounts and API keys, on a database or in a transaction. */
export function kyselyAccountStore(db: Kysely<Tables>): AccountStore {
  return {
    async createAccount(account) {
      const row = { ...toColumns(account), tier_since: account.createdAt };
      await db.insertInto('accounts').values(row).execute();
    },

    accounts: ids =>
      byIds(ids, each => db.selectFrom('accounts').selectAll().where('id', 'in', each), toAccount, null),

    async allAccounts() {
      const rows = await db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toAccount);
    },

    async findAccountByName(name) {
      const row = await db
        .selectFrom('accounts')
        .selectAll()
        .where('name', '=', name)
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : toAccount(row);
    },

    async signingKey(fresh) {
      await db
        .insertInto('service_keys')
        .values({ name: FILE_LINKS, value: fresh })
        .onConflict(conflict => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom('service_keys')
        .select('value')
        .where('name', '=', FILE_LINKS)
        .executeTakeFirstOrThrow();
      return row.value;
    },

    async createKey(key) {
      await db.insertInto('api_keys').values(toKeyRow(key)).execute();
    },

    async findKeyByHash(hash) {
      const row = await db.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },

    keysById: ids =>
      byIds(ids, each => db.selectFrom('api_keys').selectAll().where('id', 'in', each), toKey, null),

    async keys(accountId) {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        // Keys that are not revoked first, then those created last.
        .orderBy(({ eb }) => eb.case().when('revoked_at', 'is', null).then(0).else(1).end())
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_LISTED_KEYS)
        .execute();
      return rows.map(toKey).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },

    async revokeKey(accountId, keyId, at) {
      const row = await db
        .updateTable('api_keys')
        .set(({ fn, ref, val }) => ({ revoked_at: fn.coalesce(ref('revoked_at'), val(at)) }))
        .where('account_id', '=', accountId)
        .where('id', '=', keyId)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },

    async setKeyPolicy(accountId, keyId, policy) {
      const row = await db
        .updateTable('api_keys')
        .set({ policy: policy === null ? null : JSON.stringify(policy) })
        .where('account_id', '=', accountId)
        .where('id', '=', keyId)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },

    async recordKeyUse(keyId, at) {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: at })
        .where('id', '=', keyId)
        .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute();
    },
  };
}

const toAccount = (row: Selectable<AccountRow>): Account => ({
  id: row.id,
  name: row.name,
  tier: parseTier(row.tier),
  createdAt: row.created_at,
});

const toKeyRow = ({ scopes, record, pageLog, policy, ...key }: ApiKey): Insertable<ApiKeyRow> => ({
  ...toColumns(key),
  scopes: scopes.join(' '),
  record: record ?? null,
  page_log: pageLog === undefined ? null : pageLog ? 'on' : 'off',
  policy: policy === undefined ? null : JSON.stringify(policy),
});

const toKey = ({ scopes, record, page_log, policy, ...row }: Selectable<ApiKeyRow>): ApiKey => ({
  ...fromColumns<Omit<ApiKey, 'scopes' | 'record' | 'pageLog' | 'policy'>>(row),
  // Ignore scopes that only newer versions know.
  scopes: KEY_SCOPES.filter(scope => scopes.split(' ').includes(scope)),
  ...(record !== null && { record }),
  ...(page_log !== null && { pageLog: page_log === 'on' }),
  ...(policy !== null && { policy: JSON.parse(policy) as KeyPolicy }),
});
