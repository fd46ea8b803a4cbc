/** The contract of every AccountStore. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { alice, bob, key } from './storeSamples.ts';

/** @param store the store of the running test, empty but for the accounts `alice` and `bob` */
export function describeAccountStoreContract(store: () => Store): void {
  describe('AccountStore: accounts', () => {
    it('are returned in the order of the ids, null for an unknown id', async () => {
      expect(await store().accounts.accounts([bob.id, 'nobody', alice.id])).toEqual([bob, null, alice]);
    });

    it('are found by name, the oldest if several match', async () => {
      await store().accounts.createAccount({ ...alice, id: 'younger', createdAt: 5 });
      expect(await store().accounts.findAccountByName('alice')).toEqual(alice);
      expect(await store().accounts.findAccountByName('carol')).toBeNull();
    });
  });

  describe('AccountStore: keys', () => {
    it('are found by their hash, unchanged', async () => {
      const given = key('k', { expiresAt: 99, scopes: ['admin'] });
      await store().accounts.createKey(given);
      expect(await store().accounts.findKeyByHash(given.hash)).toEqual(given);
      expect(await store().accounts.findKeyByHash('unknown')).toBeNull();
    });

    it('are listed by account, oldest first', async () => {
      await store().accounts.createKey(key('young', { createdAt: 20 }));
      await store().accounts.createKey(key('old', { createdAt: 10 }));
      await store().accounts.createKey(key('other', { accountId: bob.id }));
      expect((await store().accounts.keys(alice.id)).map(each => each.id)).toEqual(['old', 'young']);
    });

    it('are listed up to 1,000, with all that are not revoked', async () => {
      const { accounts } = store();
      await accounts.createKey(key('active', { createdAt: 0 }));
      for (let index = 1; index <= 1_001; index++)
        await accounts.createKey(key(`k${index}`, { createdAt: index, revokedAt: 5_000 }));
      const listed = (await accounts.keys(alice.id)).map(({ id }) => id);
      expect(listed).toHaveLength(1_000);
      expect([listed[0], listed[1], listed.at(-1)]).toEqual(['active', 'k3', 'k1001']);
    });

    it('cannot be stored twice with the same hash', async () => {
      await store().accounts.createKey(key('k'));
      await expect(store().accounts.createKey(key('l', { hash: key('k').hash }))).rejects.toThrow();
    });

    it('keep the time of their first revocation', async () => {
      await store().accounts.createKey(key('k'));
      expect(await store().accounts.revokeKey(alice.id, 'k', 50)).toEqual(key('k', { revokedAt: 50 }));
      expect(await store().accounts.revokeKey(alice.id, 'k', 60)).toEqual(key('k', { revokedAt: 50 }));
    });

    it('can be revoked only by their own account', async () => {
      await store().accounts.createKey(key('k'));
      expect(await store().accounts.revokeKey(bob.id, 'k', 50)).toBeNull();
      expect(await store().accounts.findKeyByHash(key('k').hash)).toEqual(key('k'));
    });

    it('keep the time of their latest use', async () => {
      await store().accounts.createKey(key('k'));
      await store().accounts.recordKeyUse('k', 80);
      await store().accounts.recordKeyUse('k', 70);
      expect(await store().accounts.findKeyByHash(key('k').hash)).toMatchObject({ lastUsedAt: 80 });
    });
  });
}
