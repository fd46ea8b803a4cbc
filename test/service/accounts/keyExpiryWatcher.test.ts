import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiKeyAuthenticator,
  createApiKeyAuthenticator,
} from '../../../src/service/accounts/apiKeys.ts';
import type { Store } from '../../../src/store/store.ts';
import { manualClock } from '../../support/manualClock.ts';
import { openMemoryStore } from '../../support/migratedStore.ts';
import { addAccount } from '../../support/startService.ts';

describe('onKeyEnd()', () => {
  const clock = manualClock();
  let store: Store;
  let authenticator: ApiKeyAuthenticator;
  beforeAll(async () => {
    store = await openMemoryStore();
    authenticator = createApiKeyAuthenticator(store.accounts, clock);
  });
  afterAll(() => store.close());

  const viewer = async () => {
    const { key } = await addAccount(store, clock, randomUUID());
    return authenticator.authenticate(`Bearer ${key}`);
  };
  /** Runs `act` and returns the code that the listener receives. */
  async function codeAfter(watched: Awaited<ReturnType<typeof viewer>>, act: () => unknown): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    authenticator.onKeyEnd(watched, failure => resolve(failure.code));
    await act();
    return promise;
  }

  it('calls the listener at once after revoke()', async () => {
    const watched = await viewer();
    const code = codeAfter(watched, () => authenticator.revoke(watched.account.id, watched.keyId));
    expect(await code).toBe('REVOKED_API_KEY');
  });

  it('calls the listener within five seconds after a revocation by another process', async () => {
    const watched = await viewer();
    const code = codeAfter(watched, async () => {
      await store.accounts.revokeKey(watched.account.id, watched.keyId, clock.now());
      clock.advance(5_000);
    });
    expect(await code).toBe('REVOKED_API_KEY');
  });

  it('does not call the listener for another key, nor after it was removed', async () => {
    const [watched, other] = [await viewer(), await viewer()];
    const codes: string[] = [];
    const release = authenticator.onKeyEnd(watched, ({ code }) => codes.push(code));
    await authenticator.revoke(other.account.id, other.keyId);
    release();
    release();
    await authenticator.revoke(watched.account.id, watched.keyId);
    expect(codes).toEqual([]);
  });
});
