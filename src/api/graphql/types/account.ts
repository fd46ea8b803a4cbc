/** Accounts, and who is asking. */
import type { Account as AccountShape, Tier, Viewer } from '../../../domain/account.ts';
import { builder } from '../builder.ts';
import { domainEnum } from './domainEnum.ts';
import { KeyScopeEnum } from './keyScope.ts';

const TierEnum = domainEnum<Tier>('Tier', 'What an account may do and what it pays.', {
  local: 'Without limits: the account made on the first start of a service of your own.',
  free: 'For testing: few sessions at once, bounded requests and browser time.',
  pay_as_you_go: 'For production: limits by configuration, each operation paid from the balance.',
});

export const Account = builder.loadableNode('Account', {
  description: 'Whose sessions these are. Accounts never see each other.',
  id: { resolve: (account: AccountShape) => account.id },
  load: (ids: string[], { service, viewer }): Promise<(AccountShape | null)[]> =>
    // A caller reaches accounts by `node(id)` too, so only his own is ever loaded.
    service
      .accounts(ids)
      .then(found => found.map(account => (account?.id === viewer.account.id ? account : null))),
  isTypeOf: value => typeof value === 'object' && value !== null && 'tier' in value,
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name, as its maker gave it.' }),
    tier: t.expose('tier', { type: TierEnum, description: 'What it may do and what it pays.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

const ViewerType = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Who is asking: the account behind the API key of this request.',
  fields: t => ({
    account: t.field({
      type: Account,
      description: 'The account that the key belongs to.',
      resolve: viewer => viewer.account,
    }),
    keyId: t.exposeID('keyId', { description: "Which of the account's keys was sent; not the key itself." }),
    scopes: t.field({
      type: [KeyScopeEnum],
      description: 'What the key may be used for.',
      resolve: viewer => viewer.scopes,
    }),
  }),
});

builder.queryField('viewer', t =>
  t.field({
    type: ViewerType,
    authScopes: { read: true },
    description: 'Who is asking: the account behind the API key of this request.',
    resolve: (_root, _args, { viewer }) => viewer,
  }),
);
