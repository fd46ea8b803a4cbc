import { randomUUID } from 'node:crypto';
import type { ApiKey, KeyScope } from '../../domain/account/account.ts';
import type { KeyPolicy } from '../../domain/account/keyPolicy.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import { generateApiKey } from './apiKeyText.ts';

/** Properties of a new API key. */
export interface NewApiKey {
  /** Default: a random UUID. */
  readonly id?: string;
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Expiry in milliseconds since the epoch; null for a key that does not expire. */
  readonly expiresAt: number | null;
  /** Maximum amount that can be charged to the key, in micro-units; null or absent for no maximum. */
  readonly spendCapMicros?: number | null;
  /** Absent: the key may do all that its scopes allow. */
  readonly policy?: KeyPolicy;
}

/**
 * Generates an API key, and stores its hash and properties.
 * @param now milliseconds since the epoch
 * @returns the key itself as `text`, which cannot be read again, and its stored form as `key`
 */
export async function issueApiKey(
  accounts: AccountStore,
  options: NewApiKey,
  now: number,
): Promise<{ readonly text: string; readonly key: ApiKey }> {
  const { text, prefix, hash } = generateApiKey();
  const key: ApiKey = {
    ...options,
    id: options.id ?? randomUUID(),
    prefix,
    hash,
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
    spentMicros: 0,
    spendCapMicros: options.spendCapMicros ?? null,
  };
  await accounts.createKey(key);
  return { text, key };
}
