/** The event log of one session, from a cursor on and then live. */

import type { SessionUpdate } from '../../../domain/ports/eventBus.ts';
import type { StoredEvent } from '../../../domain/sessionEvent.ts';
import { builder } from '../builder.ts';
import { SessionEventInterface } from '../types/sessionEvent.ts';
import { parseEventCursor } from '../types/sessionEventLog.ts';
import { type SubscriptionContext, watchSession } from './watchSession.ts';

/** Stored events are read in pages of this many, so that a long log does not lie in memory whole. */
const PAGE_SIZE = 100;

/**
 * Every event above `after`, in order, each once. The store is the truth: a notice only says that there is more, and is
 * taken for the event itself where it is the very next one.
 */
async function* streamEvents(
  { service, viewer }: SubscriptionContext,
  sessionId: string,
  after: number,
  notices: AsyncIterable<SessionUpdate>,
): AsyncGenerator<StoredEvent, void, undefined> {
  let last = after;
  let hasEnded = false;
  const took = (stored: StoredEvent): StoredEvent => {
    last = stored.seq;
    hasEnded = stored.event.type === 'ended';
    return stored;
  };
  async function* fromStore(): AsyncGenerator<StoredEvent, void, undefined> {
    for (let page: readonly StoredEvent[]; !hasEnded; ) {
      page = await service.events(viewer, sessionId, last, PAGE_SIZE);
      for (const stored of page) yield took(stored);
      if (page.length < PAGE_SIZE) return;
    }
  }

  // Read before the log is: where the end is stored already, no notice of it will come.
  const [counts] = await service.eventCounts([sessionId]);
  yield* fromStore();
  if (hasEnded || (counts?.ended ?? 0) > 0) return;
  for await (const { events } of notices) {
    const [first, ...rest] = events.filter(({ seq }) => seq > last);
    if (first === undefined) continue;
    if (first.seq === last + 1) for (const stored of [first, ...rest]) yield took(stored);
    else yield* fromStore();
    if (hasEnded) return;
  }
}

builder.subscriptionField('sessionEvents', t =>
  t.field({
    type: SessionEventInterface,
    authScopes: { read: true },
    description:
      'What happened in the session and what happens in it, in the order of `seq`, each event once; ends after the ENDED event. Who was cut off comes back with the last `seq` it saw and misses nothing.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The session_id, as startSession answered it.' }),
      after: t.arg.string({
        description:
          'Only events after the one with this `seq`, written as text. Default: from the first on.',
      }),
    },
    subscribe: (_root, { sessionId, after }, context) => {
      const from = after == null ? 0 : parseEventCursor('after', after);
      return watchSession(context, sessionId, (session, notices) =>
        streamEvents(context, session.id, from, notices),
      );
    },
    resolve: stored => stored,
  }),
);
