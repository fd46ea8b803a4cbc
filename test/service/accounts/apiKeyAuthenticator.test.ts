import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/domain/account/account.ts';
import { type FailureCode, isFailure } from '../../../src/domain/failure/failures.ts';
import type { AccountStore } from '../../../src/domain/ports/accountStore.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import {
  type ApiKeyAuthenticator,
  createApiKeyAuthenticator,
  generateApiKey,
  issueApiKey,
  parseApiKey,
} from '../../../src/service/accounts/apiKeys.ts';
import type { Store } from '../../../src/store/store.ts';
import { openMemoryStore } from '../../support/migratedStore.ts';

describe('generateApiKey() and parseApiKey()', () => {
  it('generate psk_, 43 characters of secret and 6 of checksum', () => {
    expect(generateApiKey().text).toMatch(/^psk_[0-9A-Za-z]{49}$/);
  });

  it('return the same hash and prefix for the same text', () => {
    const key = generateApiKey();
    expect(parseApiKey(key.text)).toEqual(key);
    expect(key.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(key.text.startsWith(key.prefix)).toBe(true);
  });

  it('never generate the same key twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => generateApiKey().text)).size).toBe(1_000);
  });

  it('return null if one character differs', () => {
    const { text } = generateApiKey();
    fc.assert(
      fc.property(fc.nat(52), fc.constantFrom(...'09AZaz_-'), (at, character) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        expect(parseApiKey(changed) === null).toBe(changed !== text);
      }),
    );
  });

  it.each(['', 'psk_', ' ', 'psk_short', `${generateApiKey().text}x`, generateApiKey().text.slice(0, -1)])(
    'return null for %j',
    text => {
      expect(parseApiKey(text)).toBeNull();
    },
  );
});

const account: Account = { id: 'a-1', name: 'local', tier: 'local', createdAt: 1 };

describe('authenticate()', () => {
  let store: Store;
  let now: number;
  let lookups: number;
  let uses: number[];
  let authenticator: ApiKeyAuthenticator;
  let accounts: AccountStore;
  const clock: Clock = { now: () => now, monotonicNow: () => now, scheduleAfter: () => () => {} };

  beforeEach(async () => {
    store = await openMemoryStore();
    await store.accounts.createAccount(account);
    now = Date.UTC(2026, 0, 1);
    lookups = 0;
    uses = [];
    accounts = {
      ...store.accounts,
      findKeyByHash: hash => {
        lookups += 1;
        return store.accounts.findKeyByHash(hash);
      },
      recordKeyUse: (id, at) => {
        uses.push(at);
        return store.accounts.recordKeyUse(id, at);
      },
    };
    authenticator = createApiKeyAuthenticator(accounts, clock);
  });
  afterEach(() => store.close());

  const issue = (more: { expiresAt?: number } = {}) =>
    issueApiKey(
      accounts,
      { accountId: account.id, name: 'k', scopes: ['read', 'operate'], expiresAt: more.expiresAt ?? null },
      now,
    );

  async function refusal(authorization: string | null | undefined): Promise<FailureCode | null> {
    try {
      await authenticator.authenticate(authorization);
      return null;
    } catch (error) {
      if (isFailure(error)) return error.code;
      throw error;
    }
  }

  it('returns the account, the id and name of the key, and its scopes', async () => {
    const { text, key } = await issue();
    expect(await authenticator.authenticate(`Bearer ${text}`)).toEqual({
      account,
      keyId: key.id,
      keyName: key.name,
      scopes: ['read', 'operate'],
    });
  });

  it('accepts the scheme in upper and lower case', async () => {
    const { text } = await issue();
    expect(await refusal(`bearer  ${text} `)).toBeNull();
  });

  it.each([null, undefined, '', '   ', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz'])(
    'rejects %j with MISSING_API_KEY',
    async header => {
      expect(await refusal(header)).toBe('MISSING_API_KEY');
    },
  );

  it('rejects a malformed key with INVALID_API_KEY without a lookup', async () => {
    expect(await refusal('Bearer psk_nonsense')).toBe('INVALID_API_KEY');
    expect(lookups).toBe(0);
  });

  it('rejects an unknown key with INVALID_API_KEY', async () => {
    expect(await refusal(`Bearer ${generateApiKey().text}`)).toBe('INVALID_API_KEY');
    expect(lookups).toBe(1);
  });

  it('rejects a key with EXPIRED_API_KEY from the millisecond of its expiry on', async () => {
    const { text } = await issue({ expiresAt: now + 1_000 });
    now += 999;
    expect(await refusal(`Bearer ${text}`)).toBeNull();
    now += 1;
    expect(await refusal(`Bearer ${text}`)).toBe('EXPIRED_API_KEY');
  });

  it('rejects a key with REVOKED_API_KEY at once after revoke()', async () => {
    const { text, key } = await issue();
    await authenticator.authenticate(`Bearer ${text}`);
    await authenticator.revoke(account.id, key.id);
    expect(await refusal(`Bearer ${text}`)).toBe('REVOKED_API_KEY');
  });

  it('does not cache a lookup that overlaps the revocation', async () => {
    const { text, key } = await issue();
    const read = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    authenticator = createApiKeyAuthenticator(
      {
        ...accounts,
        findKeyByHash: async hash => {
          const found = await store.accounts.findKeyByHash(hash);
          read.resolve();
          await goOn.promise;
          return found;
        },
      },
      clock,
    );
    const early = authenticator.authenticate(`Bearer ${text}`);
    await read.promise;
    await authenticator.revoke(account.id, key.id);
    goOn.resolve();
    await early;
    expect(await refusal(`Bearer ${text}`)).toBe('REVOKED_API_KEY');
  });

  it('notices a revocation by another process within five seconds', async () => {
    const { text, key } = await issue();
    await authenticator.authenticate(`Bearer ${text}`);
    await store.accounts.revokeKey(account.id, key.id, now);
    now += 5_000;
    expect(await refusal(`Bearer ${text}`)).toBe('REVOKED_API_KEY');
  });

  it('looks a key up once for many requests in a row', async () => {
    const { text } = await issue();
    for (let i = 0; i < 20; i += 1) await authenticator.authenticate(`Bearer ${text}`);
    expect(lookups).toBe(1);
  });

  it('accepts a key even if its last use cannot be written', async () => {
    const { text, key } = await issue();
    accounts.recordKeyUse = () => Promise.reject(new Error('database or disk is full'));
    await expect(authenticator.authenticate(`Bearer ${text}`)).resolves.toMatchObject({ keyId: key.id });
  });

  it('writes the last use of a key at most once a minute', async () => {
    const { text, key } = await issue();
    const begin = now;
    for (; now <= begin + 60_000; now += 1_000) await authenticator.authenticate(`Bearer ${text}`);
    expect(uses).toEqual([begin, begin + 60_000]);
    expect((await store.accounts.findKeyByHash(key.hash))?.lastUsedAt).toBe(begin + 60_000);
  });

  it("revoke() does not revoke another account's key", async () => {
    const { text, key } = await issue();
    expect(await authenticator.revoke('someone-else', key.id)).toBeNull();
    expect(await refusal(`Bearer ${text}`)).toBeNull();
  });
});
