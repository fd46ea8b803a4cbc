import type {
  Account as AccountShape,
  KeyScope,
  Tier,
  TierLimits,
  Viewer,
} from '../../../domain/account/account.ts';
import { enumTable, field, nullable } from '../../../operations/field.ts';
import { shape } from '../../../operations/results/shape.ts';
import { builder } from '../builder.ts';
import { enumType, resultType } from '../operationTypes.ts';

export const keyScope = enumTable<KeyScope>('KeyScope', 'A permission of an API key.', {
  read: 'Queries and subscriptions.',
  operate: 'READ, and the operations: start, observe, step, scrape, close.',
  admin: 'OPERATE, and managing the API keys of the account.',
});

const AccountLimits = resultType(
  shape<TierLimits>()({
    name: 'AccountLimits',
    description: 'The limits of an account, by its tier. null means no limit.',
    fields: {
      sessionsAtOnce: nullable('Int', 'Maximum number of sessions that are active at once.'),
      requestsPerMinute: nullable(
        'Int',
        'Requests per minute, counted across GraphQL, REST and all API keys. A GraphQL operation counts once per root field.',
      ),
      browserMinutesPerDay: nullable('Int', 'Browser minutes per day (UTC) of all sessions together.'),
      timeoutMinutes: nullable(
        'Int',
        'Maximum of `timeoutMinutes` of a session. The maximum of the service applies too.',
      ),
    },
  }),
);

export const tier = enumTable<Tier>('Tier', 'The pricing tier of an account: its limits and what it pays.', {
  local: 'No limits and no charges. The account that the first start of the service creates.',
  free: 'For testing: limited sessions, requests and browser time. No charges.',
  pay_as_you_go: 'For production: configurable limits; each operation is charged to the balance.',
});

export const Account = builder.loadableNode('Account', {
  description: 'An account. It owns sessions and API keys; accounts cannot see each other.',
  id: { resolve: (account: AccountShape) => account.id },
  load: (ids: string[], { service, viewer }): Promise<(AccountShape | null)[]> =>
    // `node(id)` accepts any account's id: return only the viewer's own account.
    service
      .accounts(ids)
      .then(found => found.map(account => (account?.id === viewer.account.id ? account : null))),
  isTypeOf: value => typeof value === 'object' && value !== null && 'tier' in value,
  fields: t => ({
    name: t.exposeString('name', { description: 'The name of the account.' }),
    tier: t.expose('tier', { type: enumType(tier), description: 'The pricing tier.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the account was created.' }),
  }),
});

const ViewerType = resultType(
  shape<Viewer>()({
    name: 'Viewer',
    description: 'The account and the API key that authenticate this request.',
    fields: {
      keyId: field('ID', 'The id of the API key.'),
      scopes: field([keyScope], 'The scopes of the API key.'),
    },
  }),
  t => ({
    account: t.field({
      type: Account,
      description: 'The account that the API key belongs to.',
      // By id: the account of the viewer is as old as its key's lookup or its connection, and a credit changes the tier.
      resolve: viewer => viewer.account.id,
    }),
  }),
);

builder.queryField('viewer', t =>
  t.field({
    type: ViewerType,
    authScopes: { read: true },
    description: 'The account and the API key that authenticate this request.',
    resolve: (_root, _args, { viewer }) => viewer,
  }),
);

builder.objectField(Account, 'limits', t =>
  t.field({
    type: AccountLimits,
    description: 'The limits of the account.',
    resolve: (account, _args, { service }) => service.tierLimits(account),
  }),
);
