import type { VaultEntry, VaultField } from '../../domain/vault.ts';
import { enumTable } from '../field.ts';
import { shape } from './shape.ts';

export const vaultField = enumTable<VaultField>('VaultField', 'What a vault entry can hold.', {
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
    name: { type: 'String', description: 'The name of the entry.' },
    fields: { type: [vaultField], description: 'What the entry holds.' },
    origins: { type: ['String'], description: 'The origins whose pages may have the values.' },
    savedAt: { type: 'DateTime', description: 'When the entry was written.' },
    usedAt: {
      type: 'DateTime',
      nullable: true,
      description: 'When a step filled a value of it last; null for never.',
    },
  },
});
