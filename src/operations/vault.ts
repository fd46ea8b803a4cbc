import { z } from 'zod';
import { VAULT_NAME, type VaultEntry, type VaultField, type VaultValues } from '../domain/vault.ts';
import { isOrigin } from './browserOptions.ts';
import { enumTable, field, nullable, type RequestFields, requestFields, required } from './field.ts';
import { assertScope, type OperationContext, operation } from './operation.ts';
import { shape } from './results/shape.ts';

const vaultField = enumTable<VaultField>('VaultField', 'What a vault entry can hold.', {
  username: 'A user name, an email address or a telephone number.',
  password: 'A password.',
  totp: 'A seed of one-time codes.',
  card_number: 'The number of a card.',
  card_expiry: 'The expiry of a card.',
  card_code: 'The security code of a card.',
  card_holder: 'The name on a card.',
  note: 'Any other text.',
});

export const vaultEntryShape = shape<VaultEntry>()({
  name: 'VaultEntry',
  description: 'An entry of the vault, without its values: no answer has them.',
  fields: {
    name: field('String', 'The name of the entry.'),
    fields: field([vaultField], 'What the entry holds.'),
    origins: field(['String'], 'The origins whose pages may have the values.'),
    savedAt: field('DateTime', 'When the entry was written.'),
    usedAt: nullable('DateTime', 'When a step filled a value of it last; null for never.'),
  },
});

const nameField = {
  type: 'String',
  required: true,
  description: 'The name of the entry: letters, digits, `-` and `_`, up to 64.',
  check: z.string().regex(VAULT_NAME, 'must be 1 to 64 letters, digits, hyphens or underscores'),
  examples: ['shop'],
} as const;

const MAX_VALUE = 1_000;
const secret = (description: string, min = 1, max = MAX_VALUE) =>
  ({
    type: 'String',
    description: `${description} Never returned.`,
    check: z
      .string()
      .min(min, `must be at least ${min} characters`)
      .max(max, `must be at most ${max.toLocaleString('en')} characters`)
      .regex(/^\P{Cc}*$/u, 'must hold no control characters'),
  }) as const satisfies RequestFields[string];

/** Minimum length of a password: shorter secrets cannot be masked in the texts of a page. */
const MIN_PASSWORD = 4;

export const saveVaultEntry = operation({
  name: 'saveVaultEntry',
  title: 'Save a vault entry',
  description:
    'Writes an entry of the vault, or replaces the whole entry of its name. No answer has its values: a step fills one for a `value` such as `{{vault.shop.password}}`, only on an origin of the entry. Requires the scope ADMIN.',
  scope: 'admin',
  request: { name: 'SaveVaultEntryInput', description: 'The entry, and its values: at least one.' },
  fields: requestFields({
    name: nameField,
    origins: required(
      ['String'],
      'The origins whose pages may have the values, 1 to 20: scheme, host and port, such as `https://shop.example`. No other host, also no subdomain, gets them.',
      {
        check: z
          .array(z.string().refine(isOrigin, 'must be an origin such as https://shop.example, without path'))
          .min(1, 'must name an origin')
          .max(20, 'must be at most 20 origins'),
        examples: [['https://shop.example']],
      },
    ),
    username: secret('A user name, an email address or a telephone number.'),
    password: secret('A password, of at least 4 characters.', MIN_PASSWORD),
    totp: secret(
      'The seed of one-time codes: Base32, or an address `otpauth://totp/…`. A step with `{{vault.shop.totp}}` fills a fresh code.',
    ),
    cardNumber: secret('The number of a card.', 8, 40),
    cardExpiry: secret('The expiry of a card as the form wants it, such as 12/29.', 4, 10),
    cardCode: secret('The security code of a card.', 3, 4),
    cardHolder: secret('The name on a card.'),
    note: secret('Any other text, such as the answer to a security question.', MIN_PASSWORD),
  }),
  run: async (request, { service, viewer }): Promise<VaultEntry> => {
    const { name, origins, username, password, totp, note } = request;
    const { cardNumber, cardExpiry, cardCode, cardHolder } = request;
    const values: VaultValues = {
      ...(username != null && { username }),
      ...(password != null && { password }),
      ...(totp != null && { totp }),
      ...(cardNumber != null && { card_number: cardNumber }),
      ...(cardExpiry != null && { card_expiry: cardExpiry }),
      ...(cardCode != null && { card_code: cardCode }),
      ...(cardHolder != null && { card_holder: cardHolder }),
      ...(note != null && { note }),
    };
    return service.saveVaultEntry(viewer, {
      name,
      origins: origins.map(origin => new URL(origin).origin),
      values,
    });
  },
});

export const deleteVaultEntry = operation({
  name: 'deleteVaultEntry',
  title: 'Delete a vault entry',
  description:
    'Deletes an entry of the vault, and returns its name. Requires the scope ADMIN. Error: VAULT_ENTRY_NOT_FOUND.',
  scope: 'admin',
  request: { name: 'DeleteVaultEntryInput', description: 'The entry to delete.' },
  fields: requestFields({ name: nameField }),
  run: async ({ name }, { service, viewer }): Promise<string> => {
    await service.removeVaultEntry(viewer, name);
    return name;
  },
});

/** Returns the entries of the account by name, without values. @throws Failure SCOPE_DENIED */
export function listVault({
  service,
  viewer,
}: Pick<OperationContext, 'service' | 'viewer'>): Promise<readonly VaultEntry[]> {
  assertScope(viewer, 'read', 'vault');
  return service.listVault(viewer);
}
