/** An account's own keys: listed, made, revoked. */

import { Failure } from '../domain/failures.ts';
import type { AccountStore, Clock } from '../domain/ports.ts';
import { issueKey, type KeyDesk } from './keys.ts';
import type { Keys } from './verbs.ts';

/** Keys of an account that work at once: enough for every program, too few to hide one. */
const MOST_KEYS = 100;

const MS_A_DAY = 86_400_000;

export function keyRing(accounts: AccountStore, desk: KeyDesk, clock: Clock): Keys {
  return {
    keys: viewer => accounts.keys(viewer.account.id),

    async createKey(viewer, { name, scopes, expiresInDays, spendCapMicros = null }) {
      const now = clock.now();
      const known = await accounts.keys(viewer.account.id);
      const working = known.filter(
        key => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now),
      );
      if (working.length >= MOST_KEYS)
        throw new Failure(
          'VALIDATION_ERROR',
          `This account has ${MOST_KEYS} keys that work. Revoke one before you make another.`,
        );
      const expiresAt = expiresInDays === null ? null : now + expiresInDays * MS_A_DAY;
      const wanted = { accountId: viewer.account.id, name, scopes, expiresAt, spendCapMicros };
      return issueKey(accounts, wanted, now);
    },

    async revokeKey(viewer, keyId) {
      const revoked = await desk.revoke(viewer.account.id, keyId);
      if (revoked !== null) return revoked;
      throw new Failure('KEY_NOT_FOUND', `No key of this account has the id "${keyId.slice(0, 64)}".`);
    },
  };
}
