/** Lists, creates and revokes the API keys of an account. */

import type { ApiKey, KeyScope, Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { ApiKeyAuthenticator } from './apiKeyAuthenticator.ts';
import { issueApiKey } from './issueApiKey.ts';

/** Maximum number of active API keys per account: enough for all programs, few enough to notice an unknown key. */
const MAX_ACTIVE_KEYS = 100;

const MS_PER_DAY = 86_400_000;

/** Properties of a new API key, as the caller sends them. */
export interface CreateKeyCommand {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Days until the key expires; null for a key that does not expire. */
  readonly expiresInDays: number | null;
  /** Maximum amount that can be charged to the key, in micro-units; null or absent for no maximum. */
  readonly spendCapMicros?: number | null;
  /** The records of the sessions of the key; absent for the setting of the service. */
  readonly recording?: Pick<ApiKey, 'record' | 'pageLog'>;
}

/** Lists, creates and revokes the API keys of the viewer's account. */
export interface KeyService {
  /** Returns all keys of the account, oldest first, including revoked and expired ones. */
  listKeys(viewer: Viewer): Promise<readonly ApiKey[]>;
  /**
   * Creates a key. `text` is the key itself, which is not stored and cannot be read again.
   * @throws Failure VALIDATION_ERROR if the account already has 100 active keys
   */
  createKey(
    viewer: Viewer,
    command: CreateKeyCommand,
  ): Promise<{ readonly text: string; readonly key: ApiKey }>;
  /** Revokes a key immediately. A key that was revoked before keeps its revocation time. @throws Failure KEY_NOT_FOUND */
  revokeKey(viewer: Viewer, keyId: string): Promise<ApiKey>;
}

/** Creates the key service. It revokes keys through the authenticator, which then refuses them immediately. */
export function createKeyService(
  accounts: AccountStore,
  authenticator: ApiKeyAuthenticator,
  clock: Clock,
): KeyService {
  return {
    listKeys: viewer => accounts.keys(viewer.account.id),

    async createKey(viewer, { name, scopes, expiresInDays, spendCapMicros = null, recording = {} }) {
      const now = clock.now();
      const keys = await accounts.keys(viewer.account.id);
      const active = keys.filter(
        key => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now),
      );
      if (active.length >= MAX_ACTIVE_KEYS)
        throw new Failure(
          'VALIDATION_ERROR',
          `This account has ${MAX_ACTIVE_KEYS} active keys. Revoke one before you create another.`,
        );
      const expiresAt = expiresInDays === null ? null : now + expiresInDays * MS_PER_DAY;
      const accountId = viewer.account.id;
      return issueApiKey(accounts, { accountId, name, scopes, expiresAt, spendCapMicros, ...recording }, now);
    },

    async revokeKey(viewer, keyId) {
      const revoked = await authenticator.revoke(viewer.account.id, keyId);
      if (revoked !== null) return revoked;
      throw new Failure('KEY_NOT_FOUND', `No key of this account has the id "${cutText(keyId, 64)}".`);
    },
  };
}
