import { z } from 'zod';
import { startOfUtcDay } from '../../../domain/account/account.ts';
import {
  type LedgerEntry,
  type LedgerKind,
  MAX_BALANCE_MICROS,
  type Period,
  type UsageGroup,
  type UsageGroupTotals,
  type UsageTotals,
} from '../../../domain/account/ledger.ts';
import { fieldFailure } from '../../../domain/failure/failures.ts';
import {
  enumTable,
  field,
  nullable,
  printableText,
  requestFields,
  required,
} from '../../../operations/field.ts';
import { shape } from '../../../operations/results/shape.ts';
import { ALL_CHARGES_COST, builder, ROW_COST, SESSION_CHARGES_COST } from '../builder.ts';
import { domainEnum, inputType, resultType } from '../operationTypes.ts';
import {
  costOfPage,
  decodeGlobalId,
  parsePageArguments,
  parseSeqCursor,
  sliced,
  toNumberedConnection,
} from '../pageArguments.ts';
import { OWN, type RequestContext } from '../requestContext.ts';
import { cancellable } from '../watchSession.ts';
import { Account } from './account.ts';
import { SessionType } from './session.ts';

const MICROS_UNIT = 'In micro-units: millionths of the unit of account.';

const usageShape = shape<UsageTotals>()({
  name: 'Usage',
  description:
    'Totals over the charges of the ledger. An active session contributes its operations; its idle time is added when it ends.',
  fields: {
    operations: field('SafeInt', 'Number of operations.'),
    browserMs: field('SafeInt', 'Browser time in milliseconds.'),
    priceMicros: field('SafeInt', `Total amount charged. ${MICROS_UNIT}`),
  },
});
const Usage = resultType(usageShape);

const UsageGroupType = resultType(
  shape<UsageGroupTotals>()({
    name: 'UsageGroup',
    description: 'The usage of one hour, day, kind, key or session.',
    fields: {
      name: field(
        'String',
        'The group: the ISO time at which the hour or day (UTC) starts, the kind, or the id of the key or session.',
      ),
      usage: { type: usageShape, description: 'The totals of the group.', read: group => group },
    },
  }),
);

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

const MAX_GROUPS_AT_ONCE = 50;
const MS_PER_SECOND = 1_000;
const MS_PER_DAY = 86_400_000;
const DEFAULT_PERIOD_MS = 30 * MS_PER_DAY;

/** Returns the period, by default the last 30 days. Times are milliseconds since the epoch. @throws Failure VALIDATION_ERROR when it ends before it starts */
function parsePeriod(from: number | null | undefined, to: number | null | undefined, now: number): Period {
  // The end of the present second: several reports of one operation then have the same period and are read once.
  const endOfSecond = (Math.floor(now / MS_PER_SECOND) + 1) * MS_PER_SECOND;
  const end = to ?? endOfSecond;
  const start = from ?? Math.min(end, endOfSecond) - DEFAULT_PERIOD_MS;
  if (start <= end) return { from: start, to: end };
  throw fieldFailure('from', 'must not be after to');
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

interface AccountUsageSnapshot extends UsageTotals {
  readonly balanceMicros: number;
}

const AccountUsage = resultType(
  shape<AccountUsageSnapshot>()({
    name: 'AccountUsage',
    description: 'The usage of an account today (UTC), and its balance.',
    fields: {
      operations: field('SafeInt', 'Number of operations.'),
      browserMs: field(
        'SafeInt',
        'Browser time in milliseconds. Active sessions count up to their last operation.',
      ),
      priceMicros: field('SafeInt', `Total amount charged. ${MICROS_UNIT}`),
      balanceMicros: field('SafeInt', `Remaining balance of a PAY_AS_YOU_GO account. ${MICROS_UNIT}`),
    },
  }),
);

/** Yields the account's usage of the day and balance: first the current ones, then after each ledger update that changes them. */
async function* watchAccountUsage(
  { service, viewer, turns }: Pick<RequestContext, 'service' | 'viewer' | 'turns'>,
  ledgerUpdates: AsyncIterable<string> & { readonly started?: Promise<void> },
): AsyncGenerator<AccountUsageSnapshot, void, undefined> {
  const read = async (): Promise<AccountUsageSnapshot> => {
    // Many subscribers can wait for the same update: each reads in a turn of its own.
    await turns.next();
    const now = service.now();
    const totals = await service.usage(viewer, { from: startOfUtcDay(now), to: now + 1 });
    return { ...totals, balanceMicros: (await service.accountBalance(viewer)).balanceMicros };
  };
  await ledgerUpdates.started;
  let last = await read();
  yield last;
  for await (const _ of ledgerUpdates) {
    const present = await read();
    const hasChanged = Object.entries(present).some(
      ([name, value]) => value !== last[name as keyof AccountUsageSnapshot],
    );
    last = present;
    if (hasChanged) yield present;
  }
}

builder.subscriptionField('accountUsageChanged', t =>
  t.field({
    type: AccountUsage,
    authScopes: { read: true },
    description:
      'The usage of the account today (UTC) and its balance: first the present values, then the new values after each charge and credit. A slow reader gets the latest values, not every change.',
    subscribe: (_root, _args, context) => {
      const cancelled = new AbortController();
      const signal = AbortSignal.any([context.signal, cancelled.signal]);
      const ledgerUpdates = context.service.ledgerUpdates(context.viewer, signal);
      return cancellable(watchAccountUsage(context, ledgerUpdates), () => cancelled.abort());
    },
    resolve: usage => usage,
  }),
);

const ledgerKind = enumTable<LedgerKind>('LedgerKind', 'The kind of a ledger entry.', {
  start: 'A session was started.',
  observe: 'A page was observed.',
  step: 'An action was performed.',
  scrape: 'A page was scraped.',
  upload: 'A file was uploaded.',
  idle: 'The time of a session between its operations, charged when it ends.',
  credit: 'The account was credited.',
});

const LedgerEntryType = resultType(
  shape<LedgerEntry>()({
    name: 'LedgerEntry',
    description:
      'An entry of the ledger: an operation, the idle time of a session, or a credit. Entries never change.',
    fields: {
      kind: field(ledgerKind, 'The kind of entry.'),
      seq: field('SafeInt', 'Number of the entry within the account: 1, 2, 3, …'),
      at: field('DateTime', 'When the operation ended or the credit was added.'),
      reference: field(
        'String',
        'The id of the operation; for idle time the id of the session; for a credit its reference.',
      ),
      sessionId: nullable('ID', 'The session; null for a credit.'),
      keyId: nullable(
        'ID',
        'The API key of the request; for idle time the key that started the session; null for a credit.',
      ),
      browserMs: field('SafeInt', 'Browser time in milliseconds.'),
      amountMicros: field(
        'SafeInt',
        `Change of the balance: negative for a charge, positive for a credit. ${MICROS_UNIT}`,
      ),
      balanceMicros: field('SafeInt', `Balance after this entry. ${MICROS_UNIT}`),
    },
  }),
);

builder.objectField(Account, 'ledger', t =>
  t.connection(
    {
      type: LedgerEntryType,
      description: 'Charges and credits, newest first. As CSV: GET /account/ledger.csv.',
      complexity: costOfPage(ROW_COST),
      resolve: async (_account, args, { ledgerPages, turns }) => {
        const { after, before, limit, fromEnd } = parsePageArguments(args);
        const page = await ledgerPages.load({
          limit,
          fromEnd,
          after: after === null ? null : parseSeqCursor('after', after, 1),
          before: before === null ? null : parseSeqCursor('before', before, 1),
        });
        return toNumberedConnection(page.rows, ({ seq }) => seq, page, turns);
      },
    },
    { name: 'LedgerConnection', description: 'A page of the ledger.' },
    { name: 'LedgerEdge', description: 'A ledger entry with its cursor.' },
  ),
);

const CreditAccountInput = inputType(
  { name: 'CreditAccountInput', description: 'A credit for an account.' },
  requestFields({
    accountId: required('ID', 'The `id` of the Account, or its id as `npm run accounts` lists it.'),
    amountMicros: required(
      'SafeInt',
      'The amount in micro-units. Above 0. The balance can be at most 10^15 micro-units.',
      {
        check: z
          .int('must be a whole number')
          .min(1, 'must be above 0')
          .max(MAX_BALANCE_MICROS, `must be at most ${MAX_BALANCE_MICROS.toLocaleString('en')}`),
      },
    ),
    reference: required(
      'String',
      'An invoice or transaction number. An account is credited once per reference.',
      { check: printableText(200) },
    ),
  }),
);

builder.mutationField('creditAccount', t =>
  t.field({
    type: LedgerEntryType,
    authScopes: { admin: true },
    complexity: 20,
    description:
      'Adds a credit to an account; the first credit changes a FREE account to PAY_AS_YOU_GO. Requires a key of the operator with the scope ADMIN. A repeated request with the same reference returns the existing entry.',
    args: {
      input: t.arg({ type: CreditAccountInput, required: true, description: 'The account and the amount.' }),
    },
    resolve: (_root, { input }, { service, viewer }) =>
      service.credit(viewer, { ...input, accountId: decodeGlobalId(input.accountId).id }),
  }),
);
