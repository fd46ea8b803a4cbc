/** The event log of a session, as a Relay connection. */
import type { EventRange } from '../../../domain/ports/sessionStore.ts';
import { DEFAULT_PAGE_SIZE } from '../../../operations/sessions.ts';
import { builder } from '../builder.ts';
import { parsePageArguments, parseSeqCursor, toConnection } from '../pageArguments.ts';
import { ROW_COST } from '../readCosts.ts';
import { SessionType } from './session.ts';
import { SessionEventInterface } from './sessionEvent.ts';

/** The numbers of the items of a page, and whether there are items beside it. */
interface SeqWindow extends Pick<EventRange, 'after' | 'upTo'> {
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/**
 * Converts the arguments of a list to a range of numbers. Its items are numbered 1, 2, 3, …, so the last number says which there are; items
 * that are added later are not part of the page.
 */
export function toSeqWindow(args: Parameters<typeof parsePageArguments>[0], count: number): SeqWindow {
  const page = parsePageArguments(args);
  const start = page.after === null ? 0 : Math.min(count, parseSeqCursor('after', page.after));
  const before = page.before === null ? null : parseSeqCursor('before', page.before);
  const end = Math.max(start, before === null ? count : Math.min(count, before - 1));
  const hasMore = end - start > page.limit;
  return page.fromEnd
    ? {
        after: Math.max(start, end - page.limit),
        upTo: end,
        hasNext: before !== null && before <= count,
        hasPrevious: hasMore,
      }
    : { after: start, upTo: Math.min(end, start + page.limit), hasNext: hasMore, hasPrevious: start > 0 };
}

builder.objectField(SessionType, 'events', t =>
  t.connection(
    {
      type: SessionEventInterface,
      description: 'The events of the session, oldest first.',
      complexity: ({ first, last }) => ({ field: ROW_COST, multiplier: first ?? last ?? DEFAULT_PAGE_SIZE }),
      resolve: async (session, args, { lastSeqs, eventRanges, turns }) => {
        const window = toSeqWindow(args, await lastSeqs.load(session.id));
        const { after, upTo } = window;
        const events = await eventRanges.load({ sessionId: session.id, after, upTo });
        return toConnection(
          events.map(node => ({ node, cursor: String(node.seq) })),
          window,
          turns,
        );
      },
    },
    { description: 'A page of the event log.' },
    { description: 'An event with its cursor.' },
  ),
);
