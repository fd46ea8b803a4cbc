/** What an account may do. */
import type { TierLimits } from '../../../domain/tiers.ts';
import { builder } from '../builder.ts';
import { Account } from './account.ts';

const Limits = builder.objectRef<TierLimits>('Limits').implement({
  description: 'Bounds of an account, by its tier; null where there is none.',
  fields: t => ({
    sessionsAtOnce: t.exposeInt('sessionsAtOnce', {
      nullable: true,
      description: 'Sessions that may be active at once.',
    }),
    requestsPerMinute: t.exposeInt('requestsPerMinute', {
      nullable: true,
      description:
        'Requests a minute, over both doors and all keys together. A GraphQL operation counts by its root fields.',
    }),
    browserMinutesPerDay: t.exposeInt('browserMinutesPerDay', {
      nullable: true,
      description: 'Minutes a day (UTC) that its sessions may hold browsers, together.',
    }),
    timeoutMinutes: t.exposeInt('timeoutMinutes', {
      nullable: true,
      description: "Upper bound of a session's timeout; the service's own bound holds beside it.",
    }),
  }),
});

builder.objectField(Account, 'limits', t =>
  t.field({
    type: Limits,
    description: 'What the account may do.',
    resolve: (account, _args, { service }) => service.tierLimits(account),
  }),
);
