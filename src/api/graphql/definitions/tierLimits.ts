/** The limits of an account. */
import type { TierLimits } from '../../../domain/account/account.ts';
import { builder } from '../builder.ts';
import { Account } from './account.ts';

const AccountLimits = builder.objectRef<TierLimits>('AccountLimits').implement({
  description: 'The limits of an account, by its tier. null means no limit.',
  fields: t => ({
    sessionsAtOnce: t.exposeInt('sessionsAtOnce', {
      nullable: true,
      description: 'Maximum number of sessions that are active at once.',
    }),
    requestsPerMinute: t.exposeInt('requestsPerMinute', {
      nullable: true,
      description:
        'Requests per minute, counted across GraphQL, REST and all API keys. A GraphQL operation counts once per root field.',
    }),
    browserMinutesPerDay: t.exposeInt('browserMinutesPerDay', {
      nullable: true,
      description: 'Browser minutes per day (UTC) of all sessions together.',
    }),
    timeoutMinutes: t.exposeInt('timeoutMinutes', {
      nullable: true,
      description: 'Maximum of `timeoutMinutes` of a session. The maximum of the service applies too.',
    }),
  }),
});

builder.objectField(Account, 'limits', t =>
  t.field({
    type: AccountLimits,
    description: 'The limits of the account.',
    resolve: (account, _args, { service }) => service.tierLimits(account),
  }),
);
