/** The subscription `accountUsageChanged`: an account's usage of the day, and its balance. */

import { startOfUtcDay } from '../../../domain/account/account.ts';
import type { UsageTotals } from '../../../domain/account/ledger.ts';
import { builder } from '../builder.ts';
import { MICROS_UNIT } from '../definitions/usage.ts';
import type { RequestContext } from '../requestContext.ts';
import { cancellable } from './watchSession.ts';

interface AccountUsageSnapshot extends UsageTotals {
  readonly balanceMicros: number;
}

const AccountUsage = builder.objectRef<AccountUsageSnapshot>('AccountUsage').implement({
  description: 'The usage of an account today (UTC), and its balance.',
  fields: t => ({
    operations: t.expose('operations', { type: 'SafeInt', description: 'Number of operations.' }),
    browserMs: t.expose('browserMs', {
      type: 'SafeInt',
      description: 'Browser time in milliseconds. Active sessions count up to their last operation.',
    }),
    priceMicros: t.expose('priceMicros', {
      type: 'SafeInt',
      description: `Total amount charged. ${MICROS_UNIT}`,
    }),
    balanceMicros: t.expose('balanceMicros', {
      type: 'SafeInt',
      description: `Remaining balance of a PAY_AS_YOU_GO account. ${MICROS_UNIT}`,
    }),
  }),
});

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
