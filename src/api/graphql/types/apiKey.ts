/** An account's keys: the type, and how they are made and revoked. */
import { z } from 'zod';
import type { ApiKey } from '../../../domain/account.ts';
import { spendCapField } from '../../../domain/inputFields.ts';
import { builder } from '../builder.ts';
import { Account } from './account.ts';
import { KeyScopeEnum } from './keyScope.ts';

const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description: 'What is kept of a key: never the key itself.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Names the key; not the key itself.' }),
    name: t.exposeString('name', { description: 'What its maker called it.' }),
    prefix: t.exposeString('prefix', { description: "The key's first characters, to tell keys apart." }),
    scopes: t.field({
      type: [KeyScopeEnum],
      description: 'What it may be used for.',
      resolve: key => key.scopes,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it is refused; null for never.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null while it is not.',
    }),
    spentMicros: t.expose('spentMicros', {
      type: 'SafeInt',
      description: 'What was charged to it in all, in micro-units: a whole number.',
    }),
    spendCapMicros: t.expose('spendCapMicros', {
      type: 'SafeInt',
      nullable: true,
      description: 'What may be charged to it in all, in micro-units; null for any amount.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null for never.',
    }),
  }),
});

builder.objectField(Account, 'keys', t =>
  t.field({
    type: [ApiKeyType],
    complexity: { field: 5, multiplier: 10 },
    description: 'All keys of the account, the oldest first; those revoked or expired too.',
    resolve: async (_account, _args, { service, viewer }) => [...(await service.listKeys(viewer))],
  }),
);

const CreatedApiKey = builder
  .objectRef<{ readonly text: string; readonly key: ApiKey }>('CreatedApiKey')
  .implement({
    description: 'A new key. This is the only time that it is shown.',
    fields: t => ({
      key: t.exposeString('text', { description: 'The key itself: keep it now, it is not kept here.' }),
      apiKey: t.expose('key', { type: ApiKeyType, description: 'What is kept of it.' }),
    }),
  });

const MAX_NAME_LENGTH = 100;
const MAX_EXPIRY_DAYS = 3_650;

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'What a new key is to be.',
  fields: t => ({
    name: t.string({
      required: true,
      description: `What to call it: 1 to ${MAX_NAME_LENGTH} characters.`,
      validate: {
        type: 'string',
        schema: z
          .string()
          .trim()
          .min(1, 'must not be empty')
          .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
          // Names are shown in terminals, too.
          .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must hold no control characters'),
      },
    }),
    scopes: t.field({
      type: [KeyScopeEnum],
      description: 'What it may be used for. Default READ and OPERATE.',
    }),
    spendCapMicros: t.field({
      type: 'SafeInt',
      description:
        'What may be charged to it in all, a whole number of micro-units; any amount when absent. Beyond it operations are refused with BALANCE_EXHAUSTED.',
      validate: { type: 'number', schema: spendCapField },
    }),
    expiresInDays: t.int({
      description: `Days until it expires: 1 to ${MAX_EXPIRY_DAYS}. Never when absent.`,
      validate: {
        type: 'number',
        schema: z
          .int('must be a whole number')
          .min(1, 'must be at least 1')
          .max(MAX_EXPIRY_DAYS, `must be at most ${MAX_EXPIRY_DAYS}`),
      },
    }),
  }),
});

builder.mutationField('createApiKey', t =>
  t.field({
    type: CreatedApiKey,
    authScopes: { admin: true },
    complexity: 20,
    description: 'Makes a key of the account and shows it, this once. Needs the scope ADMIN.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'What it is to be.' }) },
    resolve: (_root, { input }, { service, viewer }) =>
      service.createKey(viewer, {
        name: input.name.trim(),
        scopes: input.scopes ?? ['read', 'operate'],
        expiresInDays: input.expiresInDays ?? null,
        spendCapMicros: input.spendCapMicros ?? null,
      }),
  }),
);

builder.mutationField('revokeApiKey', t =>
  t.field({
    type: ApiKeyType,
    authScopes: { admin: true },
    complexity: 20,
    description:
      'Refuses a key of the account from now on and ends its subscriptions. A revoked key stays as it was. Needs the scope ADMIN.',
    args: { id: t.arg.id({ required: true, description: 'The `id` of an ApiKey.' }) },
    resolve: (_root, { id }, { service, viewer }) => service.revokeKey(viewer, id),
  }),
);
