/** An account's own keys: listed, made, revoked. */

import { Failure } from '../../domain/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { KeyService } from '../pagespace.ts';
import { type ApiKeyAuthenticator, issueApiKey } from './apiKeyAuthenticator.ts';

/** Keys of an account that work at once: enough for every program, too few to hide one. */
const MAX_ACTIVE_KEYS = 100;

const MS_PER_DAY = 86_400_000;

export function createKeyService(
  accounts: AccountStore,
  authenticator: ApiKeyAuthenticator,
  clock: Clock,
): KeyService {
  return {
    listKeys: viewer => accounts.keys(viewer.account.id),

    async createKey(viewer, { name, scopes, expiresInDays, spendCapMicros = null }) {
      const now = clock.now();
      const known = await accounts.keys(viewer.account.id);
      const active = known.filter(
        key => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now),
      );
      if (active.length >= MAX_ACTIVE_KEYS)
        throw new Failure(
          'VALIDATION_ERROR',
          `This account has ${MAX_ACTIVE_KEYS} keys that work. Revoke one before you make another.`,
        );
      const expiresAt = expiresInDays === null ? null : now + expiresInDays * MS_PER_DAY;
      const options = { accountId: viewer.account.id, name, scopes, expiresAt, spendCapMicros };
      return issueApiKey(accounts, options, now);
    },

    async revokeKey(viewer, keyId) {
      const revoked = await authenticator.revoke(viewer.account.id, keyId);
      if (revoked !== null) return revoked;
      throw new Failure('KEY_NOT_FOUND', `No key of this account has the id "${keyId.slice(0, 64)}".`);
    },
  };
}
