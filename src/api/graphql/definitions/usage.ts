/** Usage and balance of an account, and the usage of a session. */

import type { Period, UsageGroup, UsageGroupTotals, UsageTotals } from '../../../domain/account/ledger.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import { builder } from '../builder.ts';
import { domainEnum } from '../inputType.ts';
import { OWN } from '../loaders.ts';
import { sliced } from '../pageArguments.ts';
import { ALL_CHARGES_COST, ROW_COST, SESSION_CHARGES_COST } from '../readCosts.ts';
import { Account } from './account.ts';
import { SessionType } from './session.ts';

/** The sentence that states the unit of amounts in GraphQL descriptions. */
export const MICROS_UNIT = 'In micro-units: millionths of the unit of account.';

const Usage = builder.objectRef<UsageTotals>('Usage').implement({
  description:
    'Totals over the charges of the ledger. An active session contributes its operations; its idle time is added when it ends.',
  fields: t => ({
    operations: t.expose('operations', { type: 'SafeInt', description: 'Number of operations.' }),
    browserMs: t.expose('browserMs', { type: 'SafeInt', description: 'Browser time in milliseconds.' }),
    priceMicros: t.expose('priceMicros', {
      type: 'SafeInt',
      description: `Total amount charged. ${MICROS_UNIT}`,
    }),
  }),
});

const UsageGroupType = builder.objectRef<UsageGroupTotals>('UsageGroup').implement({
  description: 'The usage of one hour, day, kind, key or session.',
  fields: t => ({
    name: t.exposeString('name', {
      description:
        'The group: the ISO time at which the hour or day (UTC) starts, the kind, or the id of the key or session.',
    }),
    usage: t.field({ type: Usage, description: 'The totals of the group.', resolve: group => group }),
  }),
});

const UsageBy = domainEnum<UsageGroup>('UsageBy', 'The grouping of usage.', {
  hour: 'By hour (UTC).',
  day: 'By day (UTC).',
  kind: 'By kind of operation.',
  key: 'By API key of the request; for idle time the key that started the session.',
  session: 'By session.',
});

interface UsageReportQuery {
  readonly period: Period;
  readonly by: UsageGroup | null;
}

const UsageReport = builder.objectRef<UsageReportQuery>('UsageReport').implement({
  description: 'The usage of an account in a period.',
  fields: t => ({
    from: t.field({
      type: 'DateTime',
      description: 'Start of the period (inclusive).',
      resolve: ({ period }) => period.from,
    }),
    to: t.field({
      type: 'DateTime',
      description: 'End of the period (exclusive).',
      resolve: ({ period }) => period.to,
    }),
    total: t.field({
      type: Usage,
      description: 'The totals of the whole period.',
      complexity: ALL_CHARGES_COST,
      resolve: ({ period }, _args, { usage }) => usage.load(period),
    }),
    groups: t.field({
      type: [UsageGroupType],
      description: 'The totals by group, at most 1,000 groups. Empty without `by`.',
      complexity: { field: 2 * ALL_CHARGES_COST, multiplier: 50 },
      resolve: async ({ period, by }, _args, { usageGroups, turns }) =>
        by === null ? [] : sliced(await usageGroups.load({ period, by }), MAX_GROUPS_AT_ONCE, turns),
    }),
  }),
});

/** Maximum number of groups that are completed in one turn of the caller. */
const MAX_GROUPS_AT_ONCE = 50;
const MS_PER_SECOND = 1_000;
const MS_PER_DAY = 86_400_000;
const DEFAULT_PERIOD_MS = 30 * MS_PER_DAY;

/**
 * Returns the period from `from` to `to`, by default the last 30 days. Times are milliseconds since the epoch.
 * @throws Failure VALIDATION_ERROR when it ends before it starts
 */
function parsePeriod(from: number | null | undefined, to: number | null | undefined, now: number): Period {
  // The end of the present second: several reports of one operation then have the same period and are read once.
  const endOfSecond = (Math.floor(now / MS_PER_SECOND) + 1) * MS_PER_SECOND;
  const end = to ?? endOfSecond;
  const start = from ?? Math.min(end, endOfSecond) - DEFAULT_PERIOD_MS;
  if (start <= end) return { from: start, to: end };
  const errors = [{ path: 'from', message: 'must not be after to' }];
  throw new Failure('VALIDATION_ERROR', 'from must not be after to.', { errors });
}

builder.objectFields(Account, t => ({
  balanceMicros: t.field({
    type: 'SafeInt',
    description: `Remaining balance of a PAY_AS_YOU_GO account. Can be negative if running work exceeded it. ${MICROS_UNIT}`,
    complexity: ROW_COST,
    resolve: async (_account, _args, { balances }) => (await balances.load(OWN)).balanceMicros,
  }),
  usage: t.field({
    type: UsageReport,
    description: 'The usage of the account in a period.',
    args: {
      from: t.arg({
        type: 'DateTime',
        description: 'Start of the period (inclusive). Default: 30 days before its end.',
      }),
      to: t.arg({ type: 'DateTime', description: 'End of the period (exclusive). Default: now.' }),
      by: t.arg({ type: UsageBy, description: 'Groups the usage by this. Default: no groups.' }),
    },
    resolve: (_account, { from, to, by }, { service }) => ({
      period: parsePeriod(from, to, service.now()),
      by: by ?? null,
    }),
  }),
}));

builder.objectField(SessionType, 'usage', t =>
  t.field({
    type: Usage,
    complexity: SESSION_CHARGES_COST,
    description: 'The usage of the session.',
    resolve: (session, _args, { sessionUsage }) => sessionUsage.load(session.id),
  }),
);
