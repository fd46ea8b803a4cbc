import { createHmac } from 'node:crypto';
import type { Viewer } from '../../domain/account/account.ts';
import { assertVaultEntry } from '../../domain/account/policyChecks.ts';
import { Failure, fieldFailure } from '../../domain/failure/failures.ts';
import type { VaultStore } from '../../domain/ports/accountStore.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import {
  VAULT_FIELDS,
  type VaultEntry,
  type VaultField,
  type VaultSecret,
  type VaultValues,
  vaultRefused,
} from '../../domain/vault.ts';
import { type SecretsKeys, sealBytes, unsealBytes } from './sealedBytes.ts';

/** A seed, and how codes are made of it. */
interface TotpSeed {
  readonly key: Buffer;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly digits: number;
  readonly periodSeconds: number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Sites issue seeds of 80 bits and more. */
const MIN_KEY_BYTES = 10;
const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;

/** Reads a seed in Base32, or an address `otpauth://totp/…?secret=…`, as QR codes have it. Null if it is none. */
export function parseTotpSeed(text: string): TotpSeed | null {
  const url = /^otpauth:/i.test(text) ? URL.parse(text) : null;
  if (/^otpauth:/i.test(text) && url?.host.toLowerCase() !== 'totp') return null;
  const parameter = (name: string, absent: string) => url?.searchParams.get(name) ?? absent;
  const key = fromBase32(url === null ? text : parameter('secret', ''));
  const algorithm = ALGORITHMS.find(
    name => name === parameter('algorithm', 'sha1').toLowerCase().replace('-', ''),
  );
  const digits = Number(parameter('digits', '6'));
  const periodSeconds = Number(parameter('period', '30'));
  if (key === null || key.length < MIN_KEY_BYTES || algorithm === undefined) return null;
  if (![6, 7, 8].includes(digits) || !Number.isInteger(periodSeconds)) return null;
  if (periodSeconds < 10 || periodSeconds > 300) return null;
  return { key, algorithm, digits, periodSeconds };
}

export function totpCode({ key, algorithm, digits, periodSeconds }: TotpSeed, now: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 1_000 / periodSeconds)));
  const hash = createHmac(algorithm, key).update(counter).digest();
  // RFC 4226, section 5.3: dynamic truncation.
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

function fromBase32(text: string): Buffer | null {
  const symbols = text.toUpperCase().replace(/[\s-]/g, '').replace(/=+$/, '');
  if (!/^[A-Z2-7]+$/.test(symbols)) return null;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const symbol of symbols) {
    held = (held << 5) | ALPHABET.indexOf(symbol);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

export interface VaultDeps {
  readonly vault: VaultStore;
  readonly secretsKeys: SecretsKeys;
}

interface SaveVaultEntryCommand {
  readonly name: string;
  /** As in `URL.origin`. */
  readonly origins: readonly string[];
  readonly values: VaultValues;
}

const MAX_ENTRIES = 1_000;

/** Writes, lists and removes the entries of an account. No function returns a value. */
export interface VaultService {
  listVault(viewer: Viewer): Promise<readonly VaultEntry[]>;
  /** Writes a whole entry: what an earlier one of this name held is gone, so nobody binds its values to other origins. @throws Failure VALIDATION_ERROR */
  saveVaultEntry(viewer: Viewer, command: SaveVaultEntryCommand): Promise<VaultEntry>;
  /** @throws Failure VAULT_ENTRY_NOT_FOUND */
  removeVaultEntry(viewer: Viewer, name: string): Promise<void>;
}

export const createVaultService = ({
  vault,
  secretsKeys,
  audit,
  now,
}: VaultDeps & { readonly audit: Audit; readonly now: () => number }): VaultService => ({
  listVault: viewer => vault.list(viewer.account.id),

  async saveVaultEntry(viewer, { name, origins, values }) {
    const fields = VAULT_FIELDS.filter(field => values[field] !== undefined);
    if (fields.length === 0)
      throw new Failure('VALIDATION_ERROR', 'A vault entry holds at least one value, such as password.');
    if (values.totp !== undefined && parseTotpSeed(values.totp) === null)
      throw fieldFailure(
        'totp',
        'must be a seed in Base32 of at least 16 characters, or an address otpauth://totp/…',
      );
    const accountId = viewer.account.id;
    const present = await vault.list(accountId);
    if (present.length >= MAX_ENTRIES && !present.some(entry => entry.name === name))
      throw new Failure(
        'VALIDATION_ERROR',
        `This account has ${MAX_ENTRIES} vault entries. Delete one first.`,
      );
    const entry = { name, fields, origins: [...new Set(origins)].sort(), savedAt: now() };
    const sealed = sealBytes(
      secretsKeys,
      vaultContext(accountId, entry),
      Buffer.from(JSON.stringify(values)),
    );
    const record = {
      action: 'vault.saved',
      subject: name,
      details: { fields, origins: entry.origins },
    } as const;
    await audit(viewer, record, stores => stores.vault.save(accountId, entry, sealed));
    return { ...entry, usedAt: present.find(each => each.name === name)?.usedAt ?? null };
  },

  async removeVaultEntry(viewer, name) {
    await audit(viewer, { action: 'vault.deleted', subject: name }, async stores => {
      if (!(await stores.vault.remove(viewer.account.id, name))) throw entryNotFound(name);
    });
  },
});

/**
 * Returns the value that a step fills, after the row of its use is in the audit log: a use that cannot be written down does not happen.
 * @throws Failure VAULT_ENTRY_NOT_FOUND; POLICY_REFUSED; VAULT_REFUSED if the entry has no such field, or was sealed with another key or for other origins
 */
export async function openVaultSecret(
  { vault, secretsKeys, audit }: VaultDeps & { readonly audit: Audit },
  viewer: Viewer,
  { entry: name, field }: { readonly entry: string; readonly field: VaultField },
  use: { readonly sessionId: string; readonly actionId: string },
  now: () => number,
): Promise<VaultSecret> {
  assertVaultEntry(viewer, name);
  const accountId = viewer.account.id;
  const found = await vault.find(accountId, name);
  if (found === null) throw entryNotFound(name);
  const { entry, sealed } = found;
  const value = unsealValues(secretsKeys, vaultContext(accountId, entry), sealed, name)[field];
  const holds = entry.fields.join(', ');
  if (value === undefined) throw vaultRefused(`The vault entry "${name}" has no ${field}: it has ${holds}.`);
  const seed = field === 'totp' ? parseTotpSeed(value) : null;
  if (field === 'totp' && seed === null)
    throw vaultRefused(`The seed of the vault entry "${name}" cannot be read. Save it again.`);
  await audit(viewer, { action: 'vault.fill', subject: `${name}.${field}`, details: { ...use } });
  const read = () => (seed === null ? value : totpCode(seed, now()));
  return { entry: name, field, origins: entry.origins, read };
}

/** The origins are a part of it: who changes them in the database has an entry that does not open. */
export const vaultContext = (
  accountId: string,
  { name, origins }: Pick<VaultEntry, 'name' | 'origins'>,
): string => ['vault', accountId, name, ...origins].join('\n');

function unsealValues(keys: SecretsKeys, context: string, sealed: string, name: string): VaultValues {
  try {
    return JSON.parse(unsealBytes(keys, context, sealed).toString('utf8')) as VaultValues;
  } catch (cause) {
    throw new Failure(
      'VAULT_REFUSED',
      `The vault entry "${name}" cannot be opened: it was written with another key or for other origins. Its key is PAGESPACE_SECRETS_KEY, or secrets-key in the data folder.`,
      { cause },
    );
  }
}

const entryNotFound = (name: string): Failure =>
  new Failure('VAULT_ENTRY_NOT_FOUND', `This account has no vault entry "${name}".`);
