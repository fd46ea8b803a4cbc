/** The event log of a session, as a Relay connection. */
import { builder } from '../builder.ts';
import { DEFAULT_PAGE_SIZE, parsePageArguments, parseSeqCursor } from '../pageArguments.ts';
import { SessionType } from './session.ts';
import { SessionEventInterface } from './sessionEvent.ts';

/**
 * Converts the arguments of the event log to a range of `seq`: at most `limit` events with a `seq` above `from`. `seq` has no gaps.
 * @param count returns the number of the session's events
 */
async function toEventRange(
  args: Parameters<typeof parsePageArguments>[0],
  count: () => Promise<number>,
): Promise<{ from: number; limit: number }> {
  const { limit, after, before, fromEnd } = parsePageArguments(args);
  if (fromEnd) return { from: Math.max(0, (await count()) - limit), limit };
  if (before === null) return { from: after === null ? 0 : parseSeqCursor('after', after), limit };
  const end = Math.max(0, parseSeqCursor('before', before) - 1);
  const from = Math.max(0, end - limit);
  return { from, limit: end - from };
}

builder.objectField(SessionType, 'events', t =>
  t.connection(
    {
      type: SessionEventInterface,
      description: 'The events of the session, oldest first.',
      complexity: ({ first, last }) => ({ field: 1, multiplier: first ?? last ?? DEFAULT_PAGE_SIZE }),
      resolve: async (session, args, { eventCounts, eventRanges }) => {
        const { from, limit } = await toEventRange(args, async () =>
          Object.values(await eventCounts.load(session.id)).reduce((sum, count) => sum + count, 0),
        );
        const events = await eventRanges.load({ sessionId: session.id, after: from, upTo: from + limit + 1 });
        const edges = events.slice(0, limit).map(node => ({ node, cursor: String(node.seq) }));
        return {
          edges,
          pageInfo: {
            hasNextPage: events.length > limit,
            hasPreviousPage: from > 0,
            startCursor: edges.at(0)?.cursor ?? null,
            endCursor: edges.at(-1)?.cursor ?? null,
          },
        };
      },
    },
    { description: 'A page of the event log.' },
    { description: 'An event with its cursor.' },
  ),
);
