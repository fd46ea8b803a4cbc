/** The contract of every Store, on any database. */
import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { describeAccountStoreContract } from './accountStoreContract.ts';
import { describeLedgerStoreContract } from './ledgerStoreContract.ts';
import { describeSecretStoresContract } from './secretStoresContract.ts';
import { describeSessionListContract } from './sessionListContract.ts';
import { describeSessionStoreContract } from './sessionStoreContract.ts';
import { describeShareLinkStoreContract } from './shareLinkStoreContract.ts';
import { alice, bob } from './storeSamples.ts';
import { describeWalletStoreContract } from './walletStoreContract.ts';

/** Runs the contract over a store; `open` makes an empty one. */
export function describeStoreContract(name: string, open: () => Promise<Store>): void {
  describe(`a store on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.accounts.createAccount(alice);
      await store.accounts.createAccount(bob);
    });
    afterEach(() => store.close());

    describeSessionStoreContract(() => store);
    describeSessionListContract(() => store);
    describeAccountStoreContract(() => store);
    describeLedgerStoreContract(() => store);
    describeWalletStoreContract(() => store);
    describeShareLinkStoreContract(() => store);
    describeSecretStoresContract(() => store);
  });
}
