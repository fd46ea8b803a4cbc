/** API keys (`psk_`, 43 base62 characters of the secret, 6 of the checksum), their authenticator, and the accounts of OAuth subjects. */
import { createHash, hash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Account, ApiKey, KeyScope, Viewer } from '../../domain/account/account.ts';
import type { KeyPolicy } from '../../domain/account/keyPolicy.ts';
import { Failure } from '../../domain/failure/failures.ts';
import { formatTime } from '../../domain/json.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';

interface NewApiKey {
  readonly id?: string;
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Expiry in milliseconds since the epoch; null for a key that does not expire. */
  readonly expiresAt: number | null;
  /** Maximum amount that can be charged to the key, in micro-units; null or absent for no maximum. */
  readonly spendCapMicros?: number | null;
  readonly policy?: KeyPolicy;
}

/** @param now milliseconds since the epoch @returns the key itself as `text`, which cannot be read again, and its stored form */
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

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^psk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** 256 bits, which fit into 43 base62 characters (43 × log2(62) = 256.03). */
const SECRET_BYTES = 32;
const PREFIX_LENGTH = 10;

interface ParsedApiKey {
  readonly text: string;
  readonly prefix: string;
  /** SHA-256 of the whole text, hex. */
  readonly hash: string;
}

/** Generates an API key of 256 random bits. Its checksum is a CRC-32, which detects typing errors and truncated keys. */
export function generateApiKey(): ParsedApiKey {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), 43);
  return toParsedKey(`psk_${secret}${checksum(secret)}`);
}

/** Null if the form or the checksum is wrong: then the service never issued the key. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const [, secret, check] = KEY_PATTERN.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === check ? toParsedKey(text) : null;
}

const toParsedKey = (text: string): ParsedApiKey => ({
  text,
  prefix: text.slice(0, PREFIX_LENGTH),
  hash: hash('sha256', text),
});

const checksum = (secret: string): string => base62(BigInt(crc32(secret)), 6);

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = `${ALPHABET[Number(rest % 62n)]}${digits}`;
  return digits.padStart(length, '0');
}

function unusableKeyFailure({ revokedAt, expiresAt }: ApiKey, now: number): Failure | null {
  if (revokedAt !== null)
    return new Failure(
      'REVOKED_API_KEY',
      `The API key was revoked on ${formatTime(revokedAt)}. Use another key.`,
    );
  if (expiresAt !== null && now >= expiresAt)
    return new Failure(
      'EXPIRED_API_KEY',
      `The API key expired on ${formatTime(expiresAt)}. Use another key.`,
    );
  return null;
}

/** Another process may have revoked a watched key: they are read this often, in milliseconds. */
const KEY_POLL_INTERVAL_MS = 5_000;

const KEYS_PER_READ = 500;

type KeyEndListener = (failure: Failure) => void;

interface WatchedKey {
  readonly listeners: Set<KeyEndListener>;
}

class KeyExpiryWatcher {
  readonly #accounts: AccountStore;
  readonly #clock: Clock;
  readonly #watched = new Map<string, WatchedKey>();
  #cancel: (() => void) | null = null;

  constructor(accounts: AccountStore, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** Calls `listener` once when the viewer's key ends. @returns a function that removes it; idempotent */
  watch({ keyId }: Viewer, listener: KeyEndListener): () => void {
    // Wrap the listener, so that a listener that is added twice is called twice.
    const registered: KeyEndListener = failure => listener(failure);
    const watched = this.#watched.get(keyId) ?? { listeners: new Set() };
    this.#watched.set(keyId, watched);
    watched.listeners.add(registered);
    this.#schedule();
    return () => {
      watched.listeners.delete(registered);
      if (watched.listeners.size > 0 || this.#watched.get(keyId) !== watched) return;
      this.#watched.delete(keyId);
      if (this.#watched.size === 0) this.#stop();
    };
  }

  check(key: ApiKey): void {
    const failure = unusableKeyFailure(key, this.#clock.now());
    if (failure === null) return;
    const listeners = this.#watched.get(key.id)?.listeners ?? [];
    this.#watched.delete(key.id);
    for (const listener of listeners) listener(failure);
    if (this.#watched.size === 0) this.#stop();
  }

  #schedule(): void {
    this.#cancel ??= this.#clock.scheduleAfter(KEY_POLL_INTERVAL_MS, () => void this.#poll());
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #poll(): Promise<void> {
    this.#cancel = null;
    try {
      const ids = [...this.#watched.keys()];
      for (let start = 0; start < ids.length; start += KEYS_PER_READ)
        for (const key of await this.#accounts.keysById(ids.slice(start, start + KEYS_PER_READ)))
          if (key !== null) this.check(key);
    } catch {
      // The store cannot be read now; the next poll tries again.
    }
    if (this.#watched.size > 0) this.#schedule();
  }
}

/** Milliseconds for which a key lookup is cached. A revocation by another process takes effect within this time. */
const KEY_CACHE_TTL_MS = 5_000;
/** Maximum number of cached key lookups; the least recently used ones are dropped. */
const MAX_CACHED_KEYS = 10_000;
/** Minimum time between two writes of a key's `lastUsedAt`, in milliseconds. */
const LAST_USED_INTERVAL_MS = 60_000;

export interface ApiKeyAuth {
  /** @throws Failure MISSING_API_KEY, INVALID_API_KEY, REVOKED_API_KEY, EXPIRED_API_KEY */
  authenticate(authorization: string | null | undefined): Promise<Viewer>;
  /**
   * For long-lived connections: calls `listener` once when the viewer's key is revoked or expires. Reports a revocation
   * by this process immediately, and everything else within five seconds.
   * @returns a function that removes the listener; idempotent
   */
  onKeyEnd(viewer: Viewer, listener: (failure: Failure) => void): () => void;
}

export interface ApiKeyAuthenticator extends ApiKeyAuth {
  /** Null if the account has no such key. @param write revokes it in the store. Default: without a row in the audit log */
  revoke(accountId: string, keyId: string, write?: () => Promise<ApiKey>): Promise<ApiKey | null>;
  /** Returns the caller with the policy that the key has now; who has no key, unchanged. @throws Failure REVOKED_API_KEY, EXPIRED_API_KEY */
  callerNow(viewer: Viewer): Promise<Viewer>;
  /** Forgets the cached lookup of a key that another node has revoked, and notifies its connections. */
  refresh(keyId: string, hash: string): Promise<void>;
}

interface CachedKey {
  readonly key: ApiKey;
  readonly account: Account;
  /** Time of the lookup, of the monotonic clock. */
  readonly readAt: number;
  lastUsedAt: number | null;
}

/**
 * Creates the authenticator of API keys. It caches lookups for five seconds.
 * It looks keys up by their SHA-256, so the duration of a lookup reveals nothing about the secret, and no comparison
 * needs constant time. The checksum is not secret.
 * @param onRevoked called after this authenticator has revoked a key
 */
export function createApiKeyAuthenticator(
  accounts: AccountStore,
  clock: Clock,
  onRevoked: (key: ApiKey) => void = () => {},
): ApiKeyAuthenticator {
  const cache = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS });
  const watcher = new KeyExpiryWatcher(accounts, clock);
  // Counts revocations: a lookup that overlaps a revocation must not be cached.
  let revocations = 0;

  async function findKey(hash: string): Promise<CachedKey | null> {
    const cached = cache.get(hash);
    if (cached !== undefined && clock.monotonicNow() - cached.readAt < KEY_CACHE_TTL_MS) return cached;
    cache.delete(hash);
    const revocationsBefore = revocations;
    const readAt = clock.monotonicNow();
    const key = await accounts.findKeyByHash(hash);
    if (key === null) return null;
    const [account] = await accounts.accounts([key.accountId]);
    if (account == null) return null;
    const found: CachedKey = { key, account, readAt, lastUsedAt: key.lastUsedAt };
    if (revocations === revocationsBefore) cache.set(hash, found);
    return found;
  }

  async function recordUse(found: CachedKey): Promise<void> {
    const now = clock.now();
    // The absolute difference: the wall clock may have been set back.
    if (found.lastUsedAt !== null && Math.abs(now - found.lastUsedAt) < LAST_USED_INTERVAL_MS) return;
    found.lastUsedAt = now;
    // Ignore a failed write: reads must work even when the disk is full.
    await accounts.recordKeyUse(found.key.id, now).catch(() => undefined);
  }

  return {
    async authenticate(authorization) {
      const key = parseApiKey(bearerToken(authorization));
      const found = key === null ? null : await findKey(key.hash);
      if (found === null)
        throw new Failure(
          'INVALID_API_KEY',
          'The API key is malformed, or this service never issued it. Check that you sent the whole key.',
        );
      const { id, name, scopes, policy, record, pageLog } = found.key;
      const recording = {
        ...(record !== undefined && { record }),
        ...(pageLog !== undefined && { pageLog }),
      };
      const failure = unusableKeyFailure(found.key, clock.now());
      if (failure !== null) throw failure;
      await recordUse(found);
      return {
        account: found.account,
        keyId: id,
        keyName: name,
        scopes,
        ...(Object.keys(recording).length > 0 && { recording }),
        ...(policy !== undefined && { policy }),
      };
    },

    async revoke(accountId, keyId, write) {
      const revoked = await (write?.() ?? accounts.revokeKey(accountId, keyId, clock.now()));
      revocations += 1;
      if (revoked === null) return null;
      cache.delete(revoked.hash);
      watcher.check(revoked);
      onRevoked(revoked);
      return revoked;
    },

    async callerNow(caller) {
      const [key] = await accounts.keysById([caller.keyId]);
      if (key == null) return caller;
      const { policy: _earlier, ...viewer } = caller;
      const failure = unusableKeyFailure(key, clock.now());
      if (failure !== null) throw failure;
      return { ...viewer, ...(key.policy !== undefined && { policy: key.policy }) };
    },

    async refresh(keyId, hash) {
      revocations += 1;
      cache.delete(hash);
      const [key] = await accounts.keysById([keyId]);
      if (key != null) watcher.check(key);
    },

    onKeyEnd: (viewer, listener) => watcher.watch(viewer, listener),
  };
}

/** @throws Failure MISSING_API_KEY if the header is absent, empty or has another scheme */
function bearerToken(authorization: string | null | undefined): string {
  const token = /^Bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (token === undefined)
    throw new Failure(
      'MISSING_API_KEY',
      'The API key is missing. Send the header "Authorization: Bearer <API_KEY>".',
    );
  return token;
}

/** Maximum length of a subject in the name of its account. Issuers choose subjects; names are printed in terminals, too. */
const MAX_SUBJECT_CHARACTERS = 100;

export interface TokenAccounts {
  /** Returns the account of a subject of an issuer; the first call creates it, with the tier `free`. */
  accountOfSubject(issuer: string, subject: string): Promise<Account>;
}

/** Creates the accounts of subjects. The id of an account is computed from issuer and subject, so that two first calls at once create one account. */
export function createTokenAccounts(accounts: AccountStore, clock: Clock): TokenAccounts {
  return {
    async accountOfSubject(issuer, subject) {
      const id = accountIdOf(issuer, subject);
      const [found] = await accounts.accounts([id]);
      if (found != null) return found;
      const { host } = new URL(issuer);
      const account: Account = {
        id,
        name: `${truncate(normalizeText(subject), MAX_SUBJECT_CHARACTERS)} (${host})`,
        tier: 'free',
        createdAt: clock.now(),
      };
      try {
        await accounts.createAccount(account);
        return account;
      } catch (error) {
        // Another request of the same subject created it meanwhile.
        const [created] = await accounts.accounts([id]);
        if (created != null) return created;
        throw error;
      }
    },
  };
}

/** A UUID of version 8 (RFC 9562) from the SHA-256 of both names. */
function accountIdOf(issuer: string, subject: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
