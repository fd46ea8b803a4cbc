/** API keys: made, read, hashed; and who is behind an Authorization header. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Account, ApiKey, KeyScope, Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ApiKeyAuth } from '../pagespace.ts';
import { KeyExpiryWatcher, unusableKeyFailure } from './keyExpiryWatcher.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^psk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** 256 bits fill 43 characters of 62: 43 × log2(62) = 256.03. */
const SECRET_BYTES = 32;
const PREFIX_LENGTH = 10;

/** A key in the open, and what is kept of it. */
export interface ParsedApiKey {
  /** `psk_<43 base62><6 checksum>`; shown once, never stored. */
  readonly text: string;
  /** Its first characters, to tell keys apart in a list. */
  readonly prefix: string;
  /** SHA-256 of the whole text, hex. */
  readonly hash: string;
}

/** A new key of 256 random bits; its last six characters are a CRC-32 that finds typing errors and cut ends. */
export function generateApiKey(): ParsedApiKey {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), 43);
  return toParsedKey(`psk_${secret}${checksum(secret)}`);
}

/** @returns the key, or null when it is malformed: such a one was never made anywhere */
export function parseApiKey(text: string): ParsedApiKey | null {
  const [, secret, check] = KEY_PATTERN.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === check ? toParsedKey(text) : null;
}

const toParsedKey = (text: string): ParsedApiKey => ({
  text,
  prefix: text.slice(0, PREFIX_LENGTH),
  hash: createHash('sha256').update(text).digest('hex'),
});

const checksum = (secret: string): string => base62(BigInt(crc32(secret)), 6);

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = `${ALPHABET[Number(rest % 62n)]}${digits}`;
  return digits.padStart(length, '0');
}

/** What a new key is to be. */
export interface NewApiKey {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Milliseconds since the epoch; null for a key that does not expire. */
  readonly expiresAt: number | null;
  /** What may be charged to it in all, in micro-units; any amount when absent. */
  readonly spendCapMicros?: number | null;
}

/** Makes a key and stores what is kept of it. `text` is had here and never again. */
export async function issueApiKey(
  accounts: AccountStore,
  options: NewApiKey,
  now: number,
): Promise<{ readonly text: string; readonly key: ApiKey }> {
  const { text, prefix, hash } = generateApiKey();
  const key: ApiKey = {
    ...options,
    id: randomUUID(),
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

/** Keys looked up are remembered this long: a revocation made by another process takes effect within it. */
const KEY_CACHE_TTL_MS = 5_000;
const MAX_CACHED_KEYS = 10_000;
/** `lastUsedAt` is written at most this often for a key. */
const LAST_USED_INTERVAL_MS = 60_000;

/** SignIn, and the way to revoke a key so that it is refused from that moment on. */
export interface ApiKeyAuthenticator extends ApiKeyAuth {
  /** @returns the revoked key, or null if the account has no such key */
  revoke(accountId: string, keyId: string): Promise<ApiKey | null>;
}

interface CachedKey {
  readonly key: ApiKey;
  readonly account: Account;
  readonly readAt: number;
  lastUsedAt: number | null;
}

/**
 * Signs callers in by their keys.
 *
 * A key is looked up by its SHA-256: how long that takes tells nothing of the secret, so nothing here has to compare in
 * constant time. The checksum is no secret.
 */
export function createApiKeyAuthenticator(accounts: AccountStore, clock: Clock): ApiKeyAuthenticator {
  const cache = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS });
  const watcher = new KeyExpiryWatcher(accounts, clock);
  // Counts revocations: a lookup that was under way during one must not be remembered.
  let revocations = 0;

  async function findKey(hash: string): Promise<CachedKey | null> {
    const remembered = cache.get(hash);
    if (remembered !== undefined && Math.abs(clock.now() - remembered.readAt) < KEY_CACHE_TTL_MS)
      return remembered;
    cache.delete(hash);
    const before = revocations;
    const readAt = clock.now();
    const key = await accounts.findKeyByHash(hash);
    if (key === null) return null;
    const [account] = await accounts.accounts([key.accountId]);
    if (account == null) return null;
    const found: CachedKey = { key, account, readAt, lastUsedAt: key.lastUsedAt };
    if (revocations === before) cache.set(hash, found);
    return found;
  }

  async function recordUse(found: CachedKey): Promise<void> {
    const now = clock.now();
    if (found.lastUsedAt !== null && now - found.lastUsedAt < LAST_USED_INTERVAL_MS) return;
    found.lastUsedAt = now;
    // A disk that is full keeps nobody from reading.
    await accounts.recordKeyUse(found.key.id, now).catch(() => undefined);
  }

  return {
    async authenticate(authorization): Promise<Viewer> {
      const key = parseApiKey(bearerToken(authorization));
      const found = key === null ? null : await findKey(key.hash);
      if (found === null)
        throw new Failure(
          'INVALID_API_KEY',
          'The API key is malformed or was never made here. Check that it is whole.',
        );
      const { id, scopes } = found.key;
      const refusal = unusableKeyFailure(found.key, clock.now());
      if (refusal !== null) throw refusal;
      await recordUse(found);
      return { account: found.account, keyId: id, scopes };
    },

    async revoke(accountId, keyId) {
      const revoked = await accounts.revokeKey(accountId, keyId, clock.now());
      revocations += 1;
      if (revoked === null) return null;
      cache.delete(revoked.hash);
      watcher.check(revoked);
      return revoked;
    },

    onKeyEnd: (viewer, tell) => watcher.watch(viewer, tell),
  };
}

/** @throws Failure MISSING_API_KEY when the header is absent, empty or of another scheme */
function bearerToken(authorization: string | null | undefined): string {
  const token = /^Bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (token === undefined)
    throw new Failure(
      'MISSING_API_KEY',
      'An API key is needed: send the header "Authorization: Bearer <API_KEY>".',
    );
  return token;
}
