/** The subscription `sessionEvents`: stored events of a session after a cursor, then new ones. */
import type { SessionUpdate } from '../../../domain/ports/eventBus.ts';
import type { StoredEvent } from '../../../domain/session/sessionEvent.ts';
import { builder } from '../builder.ts';
import { SessionEventInterface } from '../definitions/sessionEvent.ts';
import { parseSeqCursor } from '../pageArguments.ts';
import { type SubscriptionContext, watchSession } from './watchSession.ts';

/** Maximum number of events that one read of the store returns, so that a long event log is never completely in memory. */
const PAGE_SIZE = 100;

/**
 * Yields every event of the session with a `seq` above `after`, in order, each once: first those in the store, then those of the
 * updates. If an update does not start with the next event, reads the missing events from the store.
 */
async function* streamEvents(
  { service, viewer }: SubscriptionContext,
  sessionId: string,
  after: number,
  updates: AsyncIterable<SessionUpdate>,
): AsyncGenerator<StoredEvent, void, undefined> {
  let last = after;
  let hasEnded = false;
  const advance = (stored: StoredEvent): StoredEvent => {
    last = stored.seq;
    hasEnded = stored.event.type === 'ended';
    return stored;
  };
  async function* fromStore(): AsyncGenerator<StoredEvent, void, undefined> {
    for (let page: readonly StoredEvent[]; !hasEnded; ) {
      page = await service.events(viewer, sessionId, last, PAGE_SIZE);
      for (const stored of page) yield advance(stored);
      if (page.length < PAGE_SIZE) return;
    }
  }

  // Count before the events are read: if the `ended` event is stored already, no update will announce it.
  const [counts] = await service.eventCounts([sessionId]);
  yield* fromStore();
  if (hasEnded || (counts?.ended ?? 0) > 0) return;
  for await (const { events } of updates) {
    const [first, ...rest] = events.filter(({ seq }) => seq > last);
    if (first === undefined) continue;
    if (first.seq === last + 1) for (const stored of [first, ...rest]) yield advance(stored);
    else yield* fromStore();
    if (hasEnded) return;
  }
}

builder.subscriptionField('sessionEvents', t =>
  t.field({
    type: SessionEventInterface,
    authScopes: { read: true },
    description:
      'The events of the session in the order of `seq`, each once: first the stored ones, then new ones. Ends after the ENDED event. To resume after a disconnect, pass the last `seq` you received as `after`.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The id of the session.' }),
      after: t.arg.int({
        description: 'Return only events after the one with this `seq`. Default: all events.',
      }),
    },
    subscribe: (_root, { sessionId, after }, context) => {
      const from = after == null ? 0 : parseSeqCursor('after', String(after));
      return watchSession(context, sessionId, (session, updates) =>
        streamEvents(context, session.id, from, updates),
      );
    },
    resolve: stored => stored,
  }),
);
