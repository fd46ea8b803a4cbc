import { z } from 'zod';
import type { ApiKey } from '../../../domain/account/account.ts';
import { recordMode } from '../../../operations/edits.ts';
import { field, nullable, printableText, requestFields, required } from '../../../operations/field.ts';
import { keyPolicyFields, keyPolicyShape, toKeyPolicy } from '../../../operations/keyPolicy.ts';
import { shape } from '../../../operations/results/shape.ts';
import { spendCap } from '../../../operations/start.ts';
import { builder, ROW_COST } from '../builder.ts';
import { inputArguments, inputType, resultType } from '../operationTypes.ts';
import { OWN } from '../requestContext.ts';
import { Account, keyScope } from './account.ts';

const apiKeyShape = shape<ApiKey>()({
  name: 'ApiKey',
  description: 'An API key as the service stores it: without the key itself.',
  fields: {
    id: field('ID', 'The id of the API key; not the key itself.'),
    name: field('String', 'The name of the key.'),
    prefix: field('String', 'The first characters of the key, to identify it in a list.'),
    scopes: field([keyScope], 'The scopes of the key.'),
    createdAt: field('DateTime', 'When the key was created.'),
    expiresAt: nullable('DateTime', 'When the key expires; null for never.'),
    revokedAt: nullable('DateTime', 'When the key was revoked; null if it was not.'),
    spentMicros: field('SafeInt', 'Total amount charged to the key, in micro-units.'),
    spendCapMicros: nullable('SafeInt', 'Maximum for `spentMicros`; null for no limit.'),
    record: nullable(
      recordMode,
      'What the sessions that the key starts record, if their caller does not choose; null for the setting of the service.',
    ),
    pageLog: nullable(
      'Boolean',
      'False if the sessions that the key starts do not record the console and the requests; null for the setting of the service.',
    ),
    policy: nullable(
      keyPolicyShape,
      'The policy of the key; null if the key may do all that its scopes allow.',
    ),
    lastUsedAt: nullable('DateTime', 'When the key was last used, to the minute; null for never.'),
  },
});
const ApiKeyType = resultType(apiKeyShape);

builder.objectField(Account, 'keys', t =>
  t.field({
    type: [ApiKeyType],
    complexity: { field: ROW_COST, multiplier: 20 },
    description:
      'The API keys of the account, including revoked and expired ones, oldest first. At most 1,000: of more, the revoked keys that were created first are left out.',
    resolve: async (_account, _args, { keys }) => [...(await keys.load(OWN))],
  }),
);

const CreatedApiKey = resultType(
  shape<{ readonly text: string; readonly key: ApiKey }>()({
    name: 'CreatedApiKey',
    description: 'A new API key. The service shows the key only in this response.',
    fields: {
      key: {
        type: 'String',
        description: 'The key itself. Store it now: the service keeps only its hash.',
        read: ({ text }) => text,
      },
      apiKey: {
        type: apiKeyShape,
        description: 'The API key as the service stores it.',
        read: ({ key }) => key,
      },
    },
  }),
);

const MAX_EXPIRY_DAYS = 3_650;

const policyGroup = {
  kind: 'group' as const,
  name: 'KeyPolicyInput',
  description: 'The rules of a key. An absent one allows everything.',
  fields: keyPolicyFields,
};

const CreateApiKeyInput = inputType(
  { name: 'CreateApiKeyInput', description: 'A new API key.' },
  requestFields({
    name: required('String', 'The name of the key.', { check: printableText(100, z.string().trim()) }),
    scopes: field([keyScope], 'The scopes of the key. Default READ and OPERATE.'),
    spendCapMicros: field(
      'SafeInt',
      'Maximum total amount charged to the key, in micro-units, above 0. Once it is reached, operations are refused with BALANCE_EXHAUSTED. Default: no limit.',
      { check: spendCap },
    ),
    record: field(
      recordMode,
      'What the sessions that the key starts record, if their caller does not choose. Default: the setting of the service.',
    ),
    pageLog: field(
      'Boolean',
      'False: the sessions that the key starts do not record the console and the requests. Default: the setting of the service.',
    ),
    policy: field(
      policyGroup,
      'The policy of the key, which cannot have the scope ADMIN then. Default: none.',
    ),
    expiresInDays: field('Int', 'Days until the key expires. Default: never.', {
      check: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(MAX_EXPIRY_DAYS, `must be at most ${MAX_EXPIRY_DAYS}`),
    }),
  }),
);

builder.mutationField('createApiKey', t =>
  t.field({
    type: CreatedApiKey,
    authScopes: { admin: true },
    complexity: 20,
    description:
      'Creates an API key of the account. The key itself is returned only by this mutation. Requires the scope ADMIN. An account can have at most 100 active keys.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The new key.' }) },
    resolve: (_root, { input }, { service, viewer }) =>
      service.createKey(viewer, {
        name: input.name.trim(),
        scopes: input.scopes ?? ['read', 'operate'],
        expiresInDays: input.expiresInDays ?? null,
        spendCapMicros: input.spendCapMicros ?? null,
        recording: {
          ...(input.record != null && { record: input.record }),
          ...(input.pageLog != null && { pageLog: input.pageLog }),
        },
        policy: input.policy == null ? null : toKeyPolicy(input.policy),
      }),
  }),
);

builder.mutationField('setKeyPolicy', t =>
  t.field({
    type: ApiKeyType,
    authScopes: { admin: true },
    complexity: 20,
    description:
      'Replaces the policy of an API key of the account. Its rules hold for the next step; for the requests of a session those of its start hold. Requires the scope ADMIN. Error: KEY_NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The `id` of the ApiKey.' }),
      ...inputArguments(t.arg, { policy: field(policyGroup, 'The new policy; null removes it.') }),
    },
    resolve: (_root, { id, policy }, { service, viewer }) =>
      service.setKeyPolicy(viewer, id, policy == null ? null : toKeyPolicy(policy)),
  }),
);

builder.mutationField('revokeApiKey', t =>
  t.field({
    type: ApiKeyType,
    authScopes: { admin: true },
    complexity: 20,
    description:
      'Revokes an API key of the account and ends its subscriptions. Revoking it again changes nothing. Requires the scope ADMIN. Error: KEY_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The `id` of the ApiKey.' }) },
    resolve: (_root, { id }, { service, viewer }) => service.revokeKey(viewer, id),
  }),
);
