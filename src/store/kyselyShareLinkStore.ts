import type { Kysely } from 'kysely';
import type { ShareLink, ShareVisit } from '../domain/account/account.ts';
import type { ShareLinkStore } from '../domain/ports/accountStore.ts';
import { fromColumns, type ShareVisitRow, type Tables, toColumns } from './tables.ts';

export function kyselyShareLinkStore(db: Kysely<Tables>): ShareLinkStore {
  const link = async (column: 'hash' | 'id', value: string): Promise<ShareLink | null> => {
    const row = await db.selectFrom('share_links').selectAll().where(column, '=', value).executeTakeFirst();
    return row === undefined ? null : fromColumns<ShareLink>(row);
  };

  return {
    async create(fresh) {
      await db.insertInto('share_links').values(toColumns(fresh)).execute();
    },

    async ofSessions(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('share_links')
        .selectAll()
        .where('session_id', 'in', [...new Set(sessionIds)])
        .orderBy('created_at')
        .execute();
      const bySession = Map.groupBy(rows.map(fromColumns<ShareLink>), each => each.sessionId);
      return sessionIds.map(id => bySession.get(id) ?? []);
    },

    findByHash: hash => link('hash', hash),

    async byIds(ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('share_links')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute();
      return rows.map(fromColumns<ShareLink>);
    },

    async revoke(accountId, sessionId, id, at) {
      const ofAccount = db
        .updateTable('share_links')
        .set({ revoked_at: at })
        .where('account_id', '=', accountId)
        .where('session_id', '=', sessionId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null);
      await ofAccount.execute();
      const found = await link('id', id);
      return found?.accountId === accountId && found.sessionId === sessionId ? found : null;
    },

    async addVisit({ isOpen, ...visit }, keep, quietSince) {
      const { linkId } = visit;
      const row = { ...toColumns(visit), is_open: isOpen ? 1 : 0 };
      await db.insertInto('share_visits').values(row).execute();
      await db
        .updateTable('share_links')
        .set(({ eb, ref }) => ({ views: eb(ref('views'), '+', 1) }))
        .where('id', '=', linkId)
        .execute();
      const oldest = await db
        .selectFrom('share_visits')
        .select('id')
        .where('link_id', '=', linkId)
        .where('seen_at', '<', quietSince)
        .orderBy('began_at', 'desc')
        .offset(keep)
        .limit(100)
        .execute();
      if (oldest.length > 0)
        await db
          .deleteFrom('share_visits')
          .where(
            'id',
            'in',
            oldest.map(each => each.id),
          )
          .execute();
    },

    async findVisit(hash) {
      const row = await db.selectFrom('share_visits').selectAll().where('hash', '=', hash).executeTakeFirst();
      const of = row === undefined ? null : await link('id', row.link_id);
      return row === undefined || of === null ? null : { visit: toVisit(row), link: of };
    },

    async recordSeen(visitId, at, isOpen) {
      await db
        .updateTable('share_visits')
        .set({ seen_at: at, is_open: isOpen ? 1 : 0 })
        .where('id', '=', visitId)
        .execute();
    },

    async visits(linkId) {
      const rows = await db
        .selectFrom('share_visits')
        .selectAll()
        .where('link_id', '=', linkId)
        .orderBy('began_at', 'desc')
        .execute();
      return rows.map(toVisit);
    },
  };
}

const toVisit = ({ is_open, ...row }: ShareVisitRow): ShareVisit => ({
  ...fromColumns<Omit<ShareVisit, 'isOpen'>>(row),
  isOpen: is_open === 1,
});
