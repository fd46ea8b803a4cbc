/** Implements WalletStore with Kysely. */
import type { WalletStore } from '../domain/ports/walletStore.ts';
import { kyselyAccountStore } from './kyselyAccountStore.ts';
import type { SqlEngine } from './sqlEngine.ts';

/** Creates the store of wallet sign-in on a database. */
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
      return row !== undefined && Number(row.expires_at) > now;
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

    async saveWebSession({ hash, accountId, address, expiresAt }, now) {
      await db.deleteFrom('web_visits').where('expires_at', '<=', now).execute();
      const row = { hash, account_id: accountId, address, expires_at: expiresAt };
      await db.insertInto('web_visits').values(row).execute();
    },

    async findWebSession(hash) {
      const row = await db.selectFrom('web_visits').selectAll().where('hash', '=', hash).executeTakeFirst();
      if (row === undefined) return null;
      return { hash, accountId: row.account_id, address: row.address, expiresAt: Number(row.expires_at) };
    },

    async deleteWebSession(hash) {
      await db.deleteFrom('web_visits').where('hash', '=', hash).execute();
    },
  };
}
