/** The vault: secrets of an account that fill fields of the origins to which they are bound, and that no answer has. */
import { Failure } from './failure/failures.ts';
import { cutText, quote } from './space/pageText.ts';

/** Names of the values of an entry, as placeholders have them. `totp` is a seed, of which a fresh code is filled. */
export const VAULT_FIELDS = [
  'username',
  'password',
  'totp',
  'card_number',
  'card_expiry',
  'card_code',
  'card_holder',
  'note',
] as const;
export type VaultField = (typeof VAULT_FIELDS)[number];

export type VaultValues = Readonly<Partial<Record<VaultField, string>>>;

/** An entry as it is listed: without its values. */
export interface VaultEntry {
  readonly name: string;
  readonly fields: readonly VaultField[];
  /** As in `URL.origin`, sorted. */
  readonly origins: readonly string[];
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** When a step filled a value of it last; null for never. */
  readonly usedAt: number | null;
}

/** A value of the vault for one field of a page. */
export interface VaultSecret {
  readonly entry: string;
  readonly field: VaultField;
  /** The origins that may have it. */
  readonly origins: readonly string[];
  /** Returns the value: of a seed, the code of this moment. */
  readonly read: () => string;
}

export const VAULT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const PLACEHOLDER = /^\{\{vault\.([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.([a-z_]+)\}\}$/;
/** Matches every text that begins a placeholder: none is typed as it is. */
const BEGIN = /\{\{\s*vault\b/i;

export const mentionsVault = (text: string): boolean => BEGIN.test(text);

/** `reason`: a sentence. */
export const vaultRefused = (reason: string): Failure => new Failure('VAULT_REFUSED', reason);

/** Returns the entry and field of `{{vault.<entry>.<field>}}`; null for none. @throws Failure VAULT_REFUSED as part of a value, or in a parameter */
export function parseVaultPlaceholder(
  value: string | null,
  params: Readonly<Record<string, string>>,
): { readonly entry: string; readonly field: VaultField } | null {
  if (Object.values(params).some(mentionsVault))
    throw vaultRefused('A value of the vault stands in `value` alone, not in a parameter.');
  if (value === null || !mentionsVault(value)) return null;
  const [, entry = '', name = ''] = PLACEHOLDER.exec(value.trim()) ?? [];
  const field = VAULT_FIELDS.find(each => each === name);
  if (field !== undefined) return { entry, field };
  throw vaultRefused(
    `${quote(cutText(value, 100))} is no placeholder of the vault. The whole value must be one such as {{vault.shop.password}}; the fields are ${VAULT_FIELDS.join(', ')}.`,
  );
}
