/** The contract of every ShareLinkStore. */
import { describe, expect, it } from 'vitest';
import type { ShareLink } from '../../src/domain/account/account.ts';
import { newSession } from '../../src/domain/session/session.ts';
import type { Store } from '../../src/store/store.ts';
import { alice, bob } from './storeSamples.ts';

/** @param store the store of the running test, empty but for the accounts `alice` and `bob` */
export function describeShareLinkStoreContract(store: () => Store): void {
  describe('ShareLinkStore', () => {
    const session = newSession({ id: 'shared', accountId: alice.id, at: 1, timeoutMinutes: 5 });
    const link: ShareLink = {
      id: 'link',
      accountId: alice.id,
      sessionId: session.id,
      mode: 'read',
      hash: 'secret hash',
      createdAt: 1_785_000_000_000,
      expiresAt: 1_785_000_600_000,
      revokedAt: null,
      views: 0,
    };

    it('keeps a link, its revocation and its last visits, and removes them with the session', async () => {
      const { shareLinks, sessions } = store();
      await sessions.commit({ session, events: [] });
      await shareLinks.create(link);
      expect(await shareLinks.findByHash('secret hash')).toEqual(link);
      // The first one is still open: it was seen at 9, and the others have left before 4.
      for (const nth of [0, 1, 2, 3])
        await shareLinks.addVisit(
          {
            id: `v${nth}`,
            linkId: 'link',
            hash: `t${nth}`,
            beganAt: nth,
            seenAt: nth === 0 ? 9 : nth,
            isOpen: nth === 0,
          },
          2,
          4,
        );
      await shareLinks.recordSeen('v3', 9, true);
      const visits = await shareLinks.visits('link');
      expect(visits.map(({ id, seenAt, isOpen }) => [id, seenAt, isOpen])).toEqual([
        ['v3', 9, true],
        ['v2', 2, false],
        ['v0', 9, true],
      ]);
      expect(await shareLinks.findVisit('t1')).toBe(null);
      expect((await shareLinks.findVisit('t3'))?.link.views).toBe(4);
      expect(await shareLinks.revoke(bob.id, session.id, 'link', 5)).toBe(null);
      await shareLinks.revoke(alice.id, session.id, 'link', 5);
      await shareLinks.revoke(alice.id, session.id, 'link', 6);
      expect(await shareLinks.byIds(['link', 'none'])).toMatchObject([{ id: 'link', revokedAt: 5 }]);
      expect(await shareLinks.ofSessions(['none', session.id])).toMatchObject([[], [{ id: 'link' }]]);
      await sessions.remove([session.id]);
      expect(await shareLinks.findVisit('t3')).toBe(null);
      expect(await shareLinks.byIds(['link'])).toEqual([]);
    });
  });
}
