/** The subscription `accountEvents`: the stored events of all sessions of the account after a number, then new ones. */
import type { StoredEvent } from '../../../domain/session/sessionEvent.ts';
import { builder } from '../builder.ts';
import { SessionEventInterface } from '../definitions/sessionEvent.ts';
import { cancellable, type SubscriptionContext } from './watchSession.ts';

/** Maximum number of events that one read of the store returns. */
const PAGE_SIZE = 100;

/**
 * Yields every event with a number above `after`, in order, each once. An update only says that there is something to read: events of
 * other sessions may have numbers between those of an update.
 */
async function* streamAccountEvents(
  { service, viewer }: SubscriptionContext,
  after: number,
  updates: AsyncIterable<unknown>,
): AsyncGenerator<StoredEvent, void, undefined> {
  let last = after;
  async function* fromStore(): AsyncGenerator<StoredEvent, void, undefined> {
    for (let page: readonly StoredEvent[]; ; ) {
      page = await service.accountEvents(viewer, last, PAGE_SIZE);
      for (const stored of page) {
        last = stored.accountNumber ?? last;
        yield stored;
      }
      if (page.length < PAGE_SIZE) return;
    }
  }
  yield* fromStore();
  for await (const _update of updates) yield* fromStore();
}

builder.subscriptionField('accountEvents', t =>
  t.field({
    type: SessionEventInterface,
    authScopes: { read: true },
    description:
      'The events of all sessions of the account in the order of `accountNumber`, each once: first the stored ones after `after`, then new ones. To resume after a disconnect, pass the last `accountNumber` that you received.',
    args: {
      after: t.arg({
        type: 'SafeInt',
        description:
          'Return only events after the one with this `accountNumber`. Default 0: all stored events.',
      }),
    },
    subscribe: async (_root, { after }, context) => {
      const cancelled = new AbortController();
      const updates = context.service.sessionUpdates(context.viewer, {
        signal: AbortSignal.any([context.signal, cancelled.signal]),
        filter: ({ events }) => events.length > 0,
      });
      await updates.started;
      return cancellable(streamAccountEvents(context, after ?? 0, updates), () => cancelled.abort());
    },
    resolve: stored => stored,
  }),
);
