/** API keys: made, read, hashed; and who is behind an Authorization header. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Account, ApiKey, KeyScope, Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type { AccountStore, Clock } from '../domain/ports.ts';
import { KeyWatch, keyRefusal } from './keyWatch.ts';
import type { SignIn } from './verbs.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^psk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** 256 bits fill 43 characters of 62: 43 × log2(62) = 256.03. */
const SECRET_BYTES = 32;
const PREFIX_LENGTH = 10;

/** A key in the open, and what is kept of it. */
export interface ParsedKey {
  /** `psk_<43 base62><6 checksum>`; shown once, never stored. */
  readonly text: string;
  /** Its first characters, to tell keys apart in a list. */
  readonly prefix: string;
  /** SHA-256 of the whole text, hex. */
  readonly hash: string;
}

/** A new key of 256 random bits; its last six characters are a CRC-32 that finds typing errors and cut ends. */
export function makeKey(): ParsedKey {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), 43);
  return parsed(`psk_${secret}${checksum(secret)}`);
}

/** @returns the key, or null when it is malformed: such a one was never made anywhere */
export function parseKey(text: string): ParsedKey | null {
  const [, secret, check] = FORM.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === check ? parsed(text) : null;
}

const parsed = (text: string): ParsedKey => ({
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
export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Milliseconds since the epoch; null for a key that does not expire. */
  readonly expiresAt: number | null;
  /** What may be charged to it in all, in micro-units; any amount when absent. */
  readonly spendCapMicros?: number | null;
}

/** Makes a key and stores what is kept of it. `text` is had here and never again. */
export async function issueKey(
  accounts: AccountStore,
  wanted: NewKey,
  now: number,
): Promise<{ readonly text: string; readonly key: ApiKey }> {
  const { text, prefix, hash } = makeKey();
  const key: ApiKey = {
    ...wanted,
    id: randomUUID(),
    prefix,
    hash,
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
    spentMicros: 0,
    spendCapMicros: wanted.spendCapMicros ?? null,
  };
  await accounts.createKey(key);
  return { text, key };
}

/** Keys looked up are remembered this long: a revocation made by another process takes effect within it. */
const REMEMBER_MS = 5_000;
const MAX_REMEMBERED = 10_000;
/** `lastUsedAt` is written at most this often for a key. */
const LAST_USED_EVERY_MS = 60_000;

/** SignIn, and the way to revoke a key so that it is refused from that moment on. */
export interface KeyDesk extends SignIn {
  /** @returns the revoked key, or null if the account has no such key */
  revoke(accountId: string, keyId: string): Promise<ApiKey | null>;
}

interface Known {
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
export function signIn(accounts: AccountStore, clock: Clock): KeyDesk {
  const known = new Map<string, Known>();
  const watch = new KeyWatch(accounts, clock);
  // Counts revocations: a lookup that was under way during one must not be remembered.
  let revocations = 0;

  async function find(hash: string): Promise<Known | null> {
    const remembered = known.get(hash);
    if (remembered !== undefined && Math.abs(clock.now() - remembered.readAt) < REMEMBER_MS)
      return remembered;
    known.delete(hash);
    const before = revocations;
    const readAt = clock.now();
    const key = await accounts.keyByHash(hash);
    if (key === null) return null;
    const [account] = await accounts.accounts([key.accountId]);
    if (account == null) return null;
    const found: Known = { key, account, readAt, lastUsedAt: key.lastUsedAt };
    if (revocations === before) {
      if (known.size >= MAX_REMEMBERED) known.delete(known.keys().next().value ?? hash);
      known.set(hash, found);
    }
    return found;
  }

  async function noteUse(found: Known): Promise<void> {
    const now = clock.now();
    if (found.lastUsedAt !== null && now - found.lastUsedAt < LAST_USED_EVERY_MS) return;
    found.lastUsedAt = now;
    // A disk that is full keeps nobody from reading.
    await accounts.keyUsed(found.key.id, now).catch(() => undefined);
  }

  return {
    async viewer(authorization): Promise<Viewer> {
      const key = parseKey(tokenOf(authorization));
      const found = key === null ? null : await find(key.hash);
      if (found === null)
        throw new Failure(
          'INVALID_API_KEY',
          'The API key is malformed or was never made here. Check that it is whole.',
        );
      const { id, scopes } = found.key;
      const refusal = keyRefusal(found.key, clock.now());
      if (refusal !== null) throw refusal;
      await noteUse(found);
      return { account: found.account, keyId: id, scopes };
    },

    async revoke(accountId, keyId) {
      const revoked = await accounts.revokeKey(accountId, keyId, clock.now());
      revocations += 1;
      if (revoked === null) return null;
      known.delete(revoked.hash);
      watch.judge(revoked);
      return revoked;
    },

    whenKeyEnds: (viewer, tell) => watch.watch(viewer, tell),
  };
}

/** @throws Failure MISSING_API_KEY when the header is absent, empty or of another scheme */
function tokenOf(authorization: string | null | undefined): string {
  const token = /^Bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (token === undefined)
    throw new Failure(
      'MISSING_API_KEY',
      'An API key is needed: send the header "Authorization: Bearer <API_KEY>".',
    );
  return token;
}
