/** What was used, and what is left. */

import { Failure } from '../../../domain/failures.ts';
import type { Period, UsageGroup, UsageGroupTotals, UsageTotals } from '../../../domain/ledger.ts';
import { startOfUtcDay } from '../../../domain/tiers.ts';
import { builder } from '../builder.ts';
import type { RequestContext } from '../requestContext.ts';
import { cancellable } from '../subscriptions/cancellable.ts';
import { Account } from './account.ts';
import { domainEnum } from './domainEnum.ts';
import { SessionType } from './session.ts';

const WHOLE_NUMBER = 'A whole number.';
const MICROS_UNIT = 'Micro-units, a millionth of the unit of account each: a whole number.';

const Usage = builder.objectRef<UsageTotals>('Usage').implement({
  description:
    'Sums over the ledger. A session that runs has its operations in it, its idle time only at its end.',
  fields: t => ({
    operations: t.expose('operations', {
      type: 'SafeInt',
      description: `How many operations ran. ${WHOLE_NUMBER}`,
    }),
    browserMs: t.expose('browserMs', {
      type: 'SafeInt',
      description: `Milliseconds that browsers were held. ${WHOLE_NUMBER}`,
    }),
    priceMicros: t.expose('priceMicros', {
      type: 'SafeInt',
      description: `What was charged. ${MICROS_UNIT}`,
    }),
  }),
});

const UsageGroupType = builder.objectRef<UsageGroupTotals>('UsageGroup').implement({
  description: 'The usage of one hour, day, kind, key or session.',
  fields: t => ({
    name: t.exposeString('name', {
      description:
        'The ISO time at which the hour or day (UTC) began, the kind, or the id of the key or session.',
    }),
    usage: t.field({ type: Usage, description: 'Its sums.', resolve: group => group }),
  }),
});

const UsageBy = domainEnum<UsageGroup>('UsageBy', 'What usage is grouped by.', {
  hour: 'The hour, UTC.',
  day: 'The day, UTC.',
  kind: 'The kind of operation.',
  key: 'The key that asked; for idle time the one that started the session.',
  session: 'The session.',
});

interface UsageReportQuery {
  readonly period: Period;
  readonly by: UsageGroup | null;
}

const UsageReport = builder.objectRef<UsageReportQuery>('UsageReport').implement({
  description: 'The usage of an account in a period.',
  fields: t => ({
    from: t.field({ type: 'DateTime', description: 'Its beginning.', resolve: ({ period }) => period.from }),
    to: t.field({ type: 'DateTime', description: 'Its end, not in it.', resolve: ({ period }) => period.to }),
    total: t.field({
      type: Usage,
      description: 'The sums of the whole period.',
      complexity: 20,
      resolve: ({ period }, _args, { service, viewer }) => service.usage(viewer, period),
    }),
    groups: t.field({
      type: [UsageGroupType],
      description: 'The sums by what `by` says, at most a thousand; empty without it.',
      complexity: { field: 20, multiplier: 50 },
      resolve: async ({ period, by }, _args, { service, viewer }) =>
        by === null ? [] : [...(await service.usageByGroup(viewer, period, by))],
    }),
  }),
});

const MS_PER_DAY = 86_400_000;

/** @throws Failure VALIDATION_ERROR when it ends before it begins */
function parsePeriod(from: number | null | undefined, to: number | null | undefined, now: number): Period {
  const end = to ?? now + 1;
  const begin = from ?? Math.min(end, now) - 30 * MS_PER_DAY;
  if (begin <= end) return { from: begin, to: end };
  const errors = [{ path: 'from', message: 'must not be after to' }];
  throw new Failure('VALIDATION_ERROR', 'from must not be after to.', { errors });
}

builder.objectFields(Account, t => ({
  balanceMicros: t.field({
    type: 'SafeInt',
    description: `What is left to be used, for accounts that pay; it may fall below 0 by what ran when it was used up. ${MICROS_UNIT}`,
    resolve: async (_account, _args, { service, viewer }) =>
      (await service.accountBalance(viewer)).balanceMicros,
  }),
  usage: t.field({
    type: UsageReport,
    description: 'What the account used in a period.',
    args: {
      from: t.arg({ type: 'DateTime', description: 'Beginning. Default: thirty days before the end.' }),
      to: t.arg({ type: 'DateTime', description: 'End, not in it. Default: now.' }),
      by: t.arg({ type: UsageBy, description: 'What to group by. Default: nothing.' }),
    },
    resolve: (_account, { from, to, by }, { service }) => ({
      period: parsePeriod(from, to, service.now()),
      by: by ?? null,
    }),
  }),
}));

builder.objectField(SessionType, 'usage', t =>
  t.loadable({
    type: Usage,
    description: 'What the session used and cost.',
    load: (ids: string[], context) => context.service.sessionUsage(ids).then(sums => [...sums]),
    loaderOptions: { cache: false },
    resolve: session => session.id,
  }),
);

/** Today's sums, and what is left. */
interface AccountUsageSnapshot extends UsageTotals {
  readonly balanceMicros: number;
}

const AccountUsage = builder.objectRef<AccountUsageSnapshot>('AccountUsage').implement({
  description: 'What an account used today (UTC), and what it has left.',
  fields: t => ({
    operations: t.expose('operations', {
      type: 'SafeInt',
      description: `How many operations ran. ${WHOLE_NUMBER}`,
    }),
    browserMs: t.expose('browserMs', {
      type: 'SafeInt',
      description: `Milliseconds that browsers were held; sessions that still run count up to their last operation. ${WHOLE_NUMBER}`,
    }),
    priceMicros: t.expose('priceMicros', {
      type: 'SafeInt',
      description: `What was charged. ${MICROS_UNIT}`,
    }),
    balanceMicros: t.expose('balanceMicros', {
      type: 'SafeInt',
      description: `What is left to be used, for accounts that pay. ${MICROS_UNIT}`,
    }),
  }),
});

/** How the account stands, then again whenever that has changed. */
async function* watchAccountUsage(
  { service, viewer }: Pick<RequestContext, 'service' | 'viewer'>,
  bookings: AsyncIterable<string>,
): AsyncGenerator<AccountUsageSnapshot, void, undefined> {
  const read = async (): Promise<AccountUsageSnapshot> => {
    const now = service.now();
    const sums = await service.usage(viewer, { from: startOfUtcDay(now), to: now + 1 });
    return { ...sums, balanceMicros: (await service.accountBalance(viewer)).balanceMicros };
  };
  let last = await read();
  yield last;
  for await (const _ of bookings) {
    const present = await read();
    const isNew = Object.entries(present).some(
      ([name, value]) => value !== last[name as keyof AccountUsageSnapshot],
    );
    last = present;
    if (isNew) yield present;
  }
}

builder.subscriptionField('accountUsageChanged', t =>
  t.field({
    type: AccountUsage,
    authScopes: { read: true },
    description:
      'What the account used today (UTC) and what it has left: first as it is, then again after each charge and each credit. A reader that is slow sees the newest, not every one.',
    subscribe: (_root, _args, context) => {
      const ended = new AbortController();
      const signal = AbortSignal.any([context.signal, ended.signal]);
      const bookings = context.service.ledgerUpdates(context.viewer, signal);
      return cancellable(watchAccountUsage(context, bookings), () => ended.abort());
    },
    resolve: standing => standing,
  }),
);
