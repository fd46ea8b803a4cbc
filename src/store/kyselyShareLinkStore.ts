/** Implements ShareLinkStore with Kysely. */
import type { Kysely, Selectable } from 'kysely';
import type { ShareLink, ShareVisit } from '../domain/account/account.ts';
import type { ShareLinkStore } from '../domain/ports/accountStore.ts';
import type { ShareLinkRow, ShareVisitRow, Tables } from './tables.ts';

export function kyselyShareLinkStore(db: Kysely<Tables>): ShareLinkStore {
  const link = async (column: 'hash' | 'id', value: string): Promise<ShareLink | null> => {
    const row = await db.selectFrom('share_links').selectAll().where(column, '=', value).executeTakeFirst();
    return row === undefined ? null : toLink(row);
  };

  return {
    async create({ id, accountId, sessionId, mode, hash, createdAt, expiresAt, revokedAt, views }) {
      await db
        .insertInto('share_links')
        .values({
          id,
          account_id: accountId,
          session_id: sessionId,
          mode,
          hash,
          created_at: createdAt,
          expires_at: expiresAt,
          revoked_at: revokedAt,
          views,
        })
        .execute();
    },

    async ofSessions(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('share_links')
        .selectAll()
        .where('session_id', 'in', [...new Set(sessionIds)])
        .orderBy('created_at')
        .execute();
      const bySession = Map.groupBy(rows.map(toLink), each => each.sessionId);
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
      return rows.map(toLink);
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

    async addVisit({ id, linkId, hash, beganAt, seenAt, isOpen }, keep, quietSince) {
      await db
        .insertInto('share_visits')
        .values({
          id,
          link_id: linkId,
          hash,
          began_at: beganAt,
          seen_at: seenAt,
          is_open: isOpen ? 1 : 0,
        })
        .execute();
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

const toLink = (row: Selectable<ShareLinkRow>): ShareLink => ({
  id: row.id,
  accountId: row.account_id,
  sessionId: row.session_id,
  mode: row.mode,
  hash: row.hash,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  views: row.views,
});

const toVisit = (row: Selectable<ShareVisitRow>): ShareVisit => ({
  id: row.id,
  linkId: row.link_id,
  hash: row.hash,
  beganAt: Number(row.began_at),
  seenAt: Number(row.seen_at),
  isOpen: row.is_open === 1,
});
