import type { ProfileStore, ProfileVersion } from '../domain/ports/accountStore.ts';
import { excluded, type SqlEngine } from './sqlEngine.ts';
import { fromColumns, toColumns } from './tables.ts';

const KEPT_VERSIONS = 5;
/** A session that has begun to start is not in the store yet: for this time it is a writer all the same. Milliseconds. */
const STARTING_MS = 120_000;

export function kyselyProfileStore(engine: SqlEngine): ProfileStore {
  const { db } = engine;
  return {
    acquire: (accountId, name, sessionId, now) =>
      engine.transact(async trx => {
        // Two nodes can start a writer at once.
        await engine.lock(trx, `profile ${accountId} ${name}`);
        const holder = await trx
          .selectFrom('profile_writers')
          .leftJoin('sessions', 'sessions.id', 'profile_writers.session_id')
          .select(['profile_writers.session_id', 'profile_writers.since', 'sessions.status'])
          .where('profile_writers.account_id', '=', accountId)
          .where('profile_writers.name', '=', name)
          .executeTakeFirst();
        const isStarting = holder?.status === null && now - holder.since < STARTING_MS;
        if (holder !== undefined && (holder.status === 'active' || isStarting)) return holder.session_id;
        const row = { account_id: accountId, name, session_id: sessionId, since: now };
        await trx
          .insertInto('profile_writers')
          .values(row)
          .onConflict(conflict =>
            conflict.columns(['account_id', 'name']).doUpdateSet(excluded('session_id', 'since')),
          )
          .execute();
        return null;
      }),

    async release(accountId, name, sessionId) {
      await db
        .deleteFrom('profile_writers')
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .where('session_id', '=', sessionId)
        .execute();
    },

    async latest(accountId, name) {
      const row = await db
        .selectFrom('profiles')
        .select(['version', 'sealed'])
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .orderBy('version', 'desc')
        .executeTakeFirst();
      return row ?? null;
    },

    async find(accountId, name, version) {
      const row = await db
        .selectFrom('profiles')
        .select('sealed')
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .where('version', '=', version)
        .executeTakeFirst();
      return row?.sealed ?? null;
    },

    save: (accountId, { origins, ...saved }, sealed) =>
      engine.transact(async trx => {
        const { name, version } = saved;
        const row = { account_id: accountId, ...toColumns(saved), sealed, origins: origins.join(' ') };
        await trx
          .insertInto('profiles')
          .values(row)
          .onConflict(conflict =>
            conflict
              .columns(['account_id', 'name', 'version'])
              .doUpdateSet(excluded('saved_at', 'bytes', 'sealed', 'origins')),
          )
          .execute();
        await trx
          .deleteFrom('profiles')
          .where('account_id', '=', accountId)
          .where('name', '=', name)
          .where('version', '<=', version - KEPT_VERSIONS)
          .execute();
      }),

    async list(accountId) {
      const rows = await db
        .selectFrom('profiles')
        .select(['name', 'version', 'saved_at', 'bytes', 'origins'])
        .where('account_id', '=', accountId)
        .orderBy('saved_at', 'desc')
        .execute();
      return rows.map(({ origins, ...row }) => ({
        ...fromColumns<Omit<ProfileVersion, 'origins'>>(row),
        origins: origins === '' ? [] : origins.split(' '),
      }));
    },

    async remove(accountId, name) {
      const removed = await db
        .deleteFrom('profiles')
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .returning('version')
        .execute();
      return removed.length > 0;
    },
  };
}
