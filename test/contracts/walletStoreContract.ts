/** The contract of every WalletStore. */
import { describe, expect, it } from 'vitest';
import type { Account } from '../../src/domain/account/account.ts';
import type { Store } from '../../src/store/store.ts';
import { alice } from './storeSamples.ts';

/** @param store the store of the running test, empty but for the accounts `alice` and `bob` */
export function describeWalletStoreContract(store: () => Store): void {
  describe('WalletStore', () => {
    const fresh = (id: string): Account => ({ id, name: '0xabc', tier: 'free', createdAt: 5 });

    it('findOrCreateAccount() creates one account for a wallet that signs in several times at once', async () => {
      const found = await Promise.all(
        Array.from({ length: 8 }, (_, i) => store().wallets.findOrCreateAccount('0xabc', fresh(`new-${i}`))),
      );
      expect(new Set(found.map(({ id }) => id)).size).toBe(1);
      expect(await store().accounts.allAccounts()).toHaveLength(3);
      expect(await store().wallets.findOrCreateAccount('0xabc', fresh('later'))).toEqual(found[0]);
    });

    it('consumeNonce() accepts a nonce once, before it expires', async () => {
      await store().wallets.saveNonce('n', 1_000, 0);
      await store().wallets.saveNonce('late', 1_000, 0);
      const consumed = await Promise.all([0, 1, 2].map(() => store().wallets.consumeNonce('n', 500)));
      expect(consumed.filter(Boolean)).toHaveLength(1);
      expect(await store().wallets.consumeNonce('late', 1_000)).toBe(false);
    });

    it('keeps a web session until it is deleted', async () => {
      const web = { hash: 'h', accountId: alice.id, address: '0xabc', expiresAt: 9_000 };
      await store().wallets.saveWebSession(web, 0);
      expect(await store().wallets.findWebSession('h')).toEqual(web);
      await store().wallets.deleteWebSession('h');
      expect(await store().wallets.findWebSession('h')).toBeNull();
    });
  });
}
