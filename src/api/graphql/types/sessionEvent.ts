/** The event log of a session. */
import { z } from 'zod';
import { Failure } from '../../../domain/failures.ts';
import type { SessionEvent, SessionEventType, StoredEvent } from '../../../domain/sessionEvent.ts';
import { builder } from '../builder.ts';
import { DEFAULT_PAGE_SIZE, parsePageArguments } from '../pageArguments.ts';
import { domainEnum } from './domainEnum.ts';
import { EVENT_TYPE_DESCRIPTIONS } from './eventCounts.ts';
import { FailureCode } from './failureCode.ts';
import { SessionType } from './session.ts';
import { SessionStatus } from './sessionStatus.ts';

const EventType = domainEnum<SessionEventType>(
  'SessionEventType',
  'What sort of thing happened.',
  EVENT_TYPE_DESCRIPTIONS,
);

/** A property that some events have, or null. */
function property<Name extends string>(event: SessionEvent, name: Name) {
  return (name in event ? event[name as unknown as keyof SessionEvent] : null) as
    | Extract<SessionEvent, Record<Name, unknown>>[Name & keyof Extract<SessionEvent, Record<Name, unknown>>]
    | null;
}

export const SessionEventNode = builder.objectRef<StoredEvent>('SessionEvent').implement({
  description: 'Something that happened in a session. Fields that the type of event does not have are null.',
  fields: t => ({
    id: t.id({
      description: 'Names this event among all events of the service.',
      resolve: stored => `SessionEvent:${stored.sessionId}:${stored.seq}`,
    }),
    seq: t.exposeInt('seq', { description: 'Its number within the session: rises by one, from 1.' }),
    type: t.field({
      type: EventType,
      description: 'What sort of thing happened.',
      resolve: ({ event }) => event.type,
    }),
    at: t.field({ type: 'DateTime', description: 'When it happened.', resolve: ({ event }) => event.at }),
    url: t.field({
      type: 'URL',
      nullable: true,
      description: 'The address it is about.',
      resolve: ({ event }) => property(event, 'url'),
    }),
    actionId: t.id({
      nullable: true,
      description: 'The action that was done (STEPPED).',
      resolve: ({ event }) => property(event, 'actionId'),
    }),
    description: t.string({
      nullable: true,
      description: 'What the action was, as it was listed (STEPPED).',
      resolve: ({ event }) => property(event, 'description'),
    }),
    actions: t.int({
      nullable: true,
      description: 'How many actions the page had (OBSERVED).',
      resolve: ({ event }) => property(event, 'actions'),
    }),
    tabId: t.id({
      nullable: true,
      description: 'Which tab (TAB).',
      resolve: ({ event }) => property(event, 'tabId'),
    }),
    opened: t.boolean({
      nullable: true,
      description: 'Whether the tab was opened; false when it was closed (TAB).',
      resolve: ({ event }) => property(event, 'opened'),
    }),
    message: t.string({
      nullable: true,
      description: 'What the dialog says (DIALOG).',
      resolve: ({ event }) => property(event, 'message'),
    }),
    fileName: t.string({
      nullable: true,
      description: 'The name of the file (DOWNLOAD).',
      resolve: ({ event }) => property(event, 'fileName'),
    }),
    operation: t.string({
      nullable: true,
      description: 'Which operation failed (FAILED).',
      resolve: ({ event }) => property(event, 'operation'),
    }),
    code: t.field({
      type: FailureCode,
      nullable: true,
      description: 'How it failed (FAILED).',
      resolve: ({ event }) => property(event, 'code'),
    }),
    detail: t.string({
      nullable: true,
      description: 'What went wrong, in words (FAILED).',
      resolve: ({ event }) => property(event, 'detail'),
    }),
    status: t.field({
      type: SessionStatus,
      nullable: true,
      description: 'The final status (ENDED).',
      resolve: ({ event }) => property(event, 'status'),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why it ended or was blocked (ENDED, BLOCKED).',
      resolve: ({ event }) => property(event, 'reason'),
    }),
  }),
});

const cursor = z.coerce.number().int().min(0);

/** An event's cursor is its number, as text. @throws Failure VALIDATION_ERROR */
export function parseEventCursor(name: 'after' | 'before', text: string): number {
  const seq = cursor.safeParse(text);
  if (seq.success) return seq.data;
  const errors = [{ path: name, message: 'must be a cursor as an earlier page answered it' }];
  throw new Failure('VALIDATION_ERROR', `${name} is not a cursor of this list.`, { errors });
}

/** The page as a range of numbers, which run without gaps from 1: those above `from`, at most `limit`. */
async function toEventRange(
  args: Parameters<typeof parsePageArguments>[0],
  count: () => Promise<number>,
): Promise<{ from: number; limit: number }> {
  const { limit, after, before, fromEnd } = parsePageArguments(args);
  if (fromEnd) return { from: Math.max(0, (await count()) - limit), limit };
  if (before === null) return { from: after === null ? 0 : parseEventCursor('after', after), limit };
  const end = Math.max(0, parseEventCursor('before', before) - 1);
  const from = Math.max(0, end - limit);
  return { from, limit: end - from };
}

builder.objectField(SessionType, 'events', t =>
  t.connection(
    {
      type: SessionEventNode,
      description: 'What happened in the session, the oldest first.',
      complexity: ({ first, last }) => ({ field: 1, multiplier: first ?? last ?? DEFAULT_PAGE_SIZE }),
      resolve: async (session, args, { eventCounts, eventRanges }) => {
        const { from, limit } = await toEventRange(args, async () =>
          Object.values(await eventCounts.load(session.id)).reduce((sum, one) => sum + one, 0),
        );
        const found = await eventRanges.load({ sessionId: session.id, after: from, upTo: from + limit + 1 });
        const edges = found.slice(0, limit).map(node => ({ node, cursor: String(node.seq) }));
        return {
          edges,
          pageInfo: {
            hasNextPage: found.length > limit,
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
