/** The text of an API key: `psk_`, 43 base62 characters of the secret, and 6 of the checksum. */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKey, KeyScope } from '../../domain/account/account.ts';
import type { KeyPolicy } from '../../domain/account/keyPolicy.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';

/** Properties of a new API key. */
interface NewApiKey {
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

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^psk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** Number of random bytes of a key: 256 bits, which fit into 43 base62 characters (43 × log2(62) = 256.03). */
const SECRET_BYTES = 32;
/** Number of characters of the prefix that identifies a key in a list. */
const PREFIX_LENGTH = 10;

/** The text of an API key, and its prefix and hash, which the store keeps. */
export interface ParsedApiKey {
  /** The key itself. The caller gets it once; the store never contains it. */
  readonly text: string;
  /** The first characters of the key, to identify it in a list. */
  readonly prefix: string;
  /** SHA-256 of the whole text, hex. */
  readonly hash: string;
}

/** Generates an API key of 256 random bits. Its checksum is a CRC-32, which detects typing errors and truncated keys. */
export function generateApiKey(): ParsedApiKey {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), 43);
  return toParsedKey(`psk_${secret}${checksum(secret)}`);
}

/**
 * Parses the text of an API key. Returns null if its form or its checksum is wrong: then the service never issued it.
 */
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
