/** What every store does, whichever database is under it. */
import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '../../src/store/sqlite.ts';
import { describeAccountStore } from './accountStoreContract.ts';
import { alice, bob } from './samples.ts';
import { describeSessionList } from './sessionListContract.ts';
import { describeSessionStore } from './sessionStoreContract.ts';

/** Runs the contract over a store; `open` makes an empty one. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(`a store on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.accounts.createAccount(alice);
      await store.accounts.createAccount(bob);
    });
    afterEach(() => store.close());

    describeSessionStore(() => store);
    describeSessionList(() => store);
    describeAccountStore(() => store);
  });
}
