/** Session events: the interface, one object type for each event type, the events of a session, and their subscriptions. */

import type { FieldMap } from '@pothos/core';
import { type FailureCode as Code, FAILURES } from '../../../domain/failure/failures.ts';
import type { FailureDefinition } from '../../../domain/failure/failureTable.ts';
import type { SessionUpdate } from '../../../domain/ports/eventBus.ts';
import type { EventRange } from '../../../domain/ports/sessionStore.ts';
import {
  SESSION_EVENTS,
  type SessionEventType,
  type StoredEvent,
} from '../../../domain/session/sessionEvent.ts';
import type { Dialog } from '../../../domain/space/space.ts';
import { field } from '../../../operations/field.ts';
import { shape } from '../../../operations/results/shape.ts';
import { DEFAULT_PAGE_SIZE } from '../../../operations/sessions.ts';
import { builder, ROW_COST, type SchemaTypes } from '../builder.ts';
import { domainEnum, resultType } from '../operationTypes.ts';
import { parsePageArguments, parseSeqCursor, toConnection } from '../pageArguments.ts';
import { cancellable, type SubscriptionContext, watchSession } from '../watchSession.ts';
import { CallerType, PerformedOperationType } from './performedOperation.ts';
import { SessionStatus, SessionType } from './session.ts';
import { DialogKind } from './space.ts';

const codes = Object.keys(FAILURES) as Code[];

const FailureCode = domainEnum<Code>(
  'FailureCode',
  'All error codes, as returned in `extensions.code`.',
  Object.fromEntries(
    codes.map(code => [code, `${FAILURES[code].title}. ${FAILURES[code].description}`]),
  ) as Record<Code, string>,
);

const FailureInfo = resultType(
  shape<FailureDefinition & { readonly code: Code }>()({
    name: 'FailureInfo',
    description: 'An error code and its meaning.',
    fields: {
      status: field('Int', 'The HTTP status of the same failure over REST.'),
      title: field('String', 'A short title, the same for every occurrence.'),
      description: field('String', 'An explanation of the error, and what you can do.'),
      retryable: field('Boolean', 'True when the same request can succeed later.'),
    },
  }),
  t => ({ code: t.expose('code', { type: FailureCode, description: 'The error code.' }) }),
);

builder.queryField('failureCodes', t =>
  t.field({
    type: [FailureInfo],
    description: 'All error codes with their meanings, in the order of docs/failures.md.',
    resolve: () => codes.map(code => ({ code, ...FAILURES[code] })),
  }),
);

export const DOWNLOAD_LINK =
  'Signed address of the file, relative to the service: a browser loads it without an API key, for 15 minutes.';

const EventType = domainEnum<SessionEventType>(
  'SessionEventType',
  'The type of a session event. Each has an object type of its own: STEPPED is a `SessionSteppedEvent`.',
  Object.fromEntries(
    Object.entries(SESSION_EVENTS).map(([type, { description }]) => [type, description]),
  ) as Record<SessionEventType, string>,
);

export const SessionEventInterface = builder.interfaceRef<StoredEvent>('SessionEvent');

SessionEventInterface.implement({
  description:
    'An event of a session. Select the fields of an event type with an inline fragment: `... on SessionSteppedEvent { action { description } }`.',
  resolveType: ({ event }) => OBJECT_TYPES[event.type].name,
  fields: t => ({
    id: t.id({
      description: 'Global id of the event.',
      resolve: stored => `SessionEvent:${stored.sessionId}:${stored.seq}`,
    }),
    seq: t.exposeInt('seq', {
      description: 'Number of the event within the session: 1, 2, 3, … without gaps.',
    }),
    type: t.field({
      type: EventType,
      description: 'The type of the event.',
      resolve: ({ event }) => event.type,
    }),
    at: t.field({ type: 'DateTime', description: 'Time of the event.', resolve: ({ event }) => event.at }),
    sessionId: t.exposeID('sessionId', { description: 'The id of the session.' }),
    accountNumber: t.expose('accountNumber', {
      type: 'SafeInt',
      nullable: true,
      description:
        'Number of the event among all events of the account: 1, 2, 3, …; the cursor of `accountEvents`. Null for events of version 0.1.',
    }),
    performed: t.field({
      type: PerformedOperationType,
      nullable: true,
      description:
        'The operation that caused the event: its caller, duration, input and outcome. Null for an event that a page or the service caused.',
      resolve: ({ event, sessionId }) =>
        event.performed === undefined ? null : { ...event.performed, sessionId },
    }),
  }),
});

/** Creates the GraphQL object type of an event type; its name is made from the type: `stepped` → `SessionSteppedEvent`. */
function eventObject<Type extends SessionEventType>(
  type: Type,
  fields: (t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, StoredEvent<Type>>) => FieldMap = () => ({}),
) {
  const words = type.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1));
  const name = `Session${words.join('')}Event`;
  return builder.objectRef<StoredEvent<Type>>(name).implement({
    description: SESSION_EVENTS[type].description,
    // The cast is sound: every StoredEvent<Type> is a StoredEvent, but the compiler cannot prove it for an open Type.
    interfaces: [SessionEventInterface as never],
    fields,
  });
}

const PerformedAction = builder
  .objectRef<{ readonly actionId: string; readonly description: string | null }>('PerformedAction')
  .implement({
    description: 'An action that a step performed.',
    fields: t => ({
      id: t.exposeID('actionId', { description: 'The id of the action: `B2`, `S4`.' }),
      description: t.exposeString('description', {
        nullable: true,
        description: 'The description of the action as it was listed; null if it had none.',
      }),
    }),
  });

const OperationFailure = builder
  .objectRef<{ readonly code: Code; readonly detail: string }>('OperationFailure')
  .implement({
    description: 'The failure of an operation.',
    fields: t => ({
      code: t.expose('code', { type: FailureCode, description: 'The error code.' }),
      title: t.string({
        description: 'The title of the code.',
        resolve: ({ code }) => FAILURES[code].title,
      }),
      detail: t.exposeString('detail', { description: 'The error in this case, as a sentence.' }),
    }),
  });

/** The GraphQL object type of each event type; an event type without an entry does not compile. */
const OBJECT_TYPES = {
  created: eventObject('created'),
  observed: eventObject('observed', t => ({
    url: t.field({ type: 'URL', description: 'The URL of the page.', resolve: ({ event }) => event.url }),
    totalActions: t.int({
      description: 'Number of actions on the page, listed or not.',
      resolve: ({ event }) => event.actions,
    }),
  })),
  stepped: eventObject('stepped', t => ({
    action: t.field({
      type: PerformedAction,
      description: 'The action that was performed.',
      resolve: ({ event }) => event,
    }),
    url: t.field({
      type: 'URL',
      description: 'The URL of the page after the step.',
      resolve: ({ event }) => event.url,
    }),
  })),
  scraped: eventObject('scraped', t => ({
    url: t.field({ type: 'URL', description: 'The URL of the page.', resolve: ({ event }) => event.url }),
  })),
  tab: eventObject('tab', t => ({
    tabId: t.id({ description: 'The `id` of the tab.', resolve: ({ event }) => event.tabId }),
    opened: t.boolean({
      description: 'True when the tab was opened; false when it was closed.',
      resolve: ({ event }) => event.opened,
    }),
    url: t.field({
      type: 'URL',
      description: 'The URL that the tab showed at that time.',
      resolve: ({ event }) => event.url,
    }),
  })),
  dialog: eventObject('dialog', t => ({
    kind: t.field({
      type: DialogKind,
      description: 'The kind of dialog.',
      // The cast is sound: browsers have only these kinds of dialogs.
      resolve: ({ event }) => event.kind as Dialog['kind'],
    }),
    message: t.string({ description: 'The text of the dialog.', resolve: ({ event }) => event.message }),
  })),
  download: eventObject('download', t => ({
    downloadId: t.id({ description: 'The `id` of the download.', resolve: ({ event }) => event.downloadId }),
    fileName: t.string({ description: 'The name of the file.', resolve: ({ event }) => event.fileName }),
    link: t.string({
      description: DOWNLOAD_LINK,
      resolve: ({ sessionId, event }, _args, { service, viewer }) =>
        service.linkTo(viewer, { sessionId, kind: 'download', id: event.downloadId }),
    }),
  })),
  blocked: eventObject('blocked', t => ({
    url: t.field({
      type: 'URL',
      description: 'The URL that was blocked.',
      resolve: ({ event }) => event.url,
    }),
    detail: t.string({ description: 'The reason for the block.', resolve: ({ event }) => event.reason }),
  })),
  failed: eventObject('failed', t => ({
    operation: t.string({
      description: 'The operation that failed: `start`, `observe`, `step`, `scrape` or `upload`.',
      resolve: ({ event }) => event.operation,
    }),
    failure: t.field({
      type: OperationFailure,
      description: 'The failure.',
      resolve: ({ event }) => event,
    }),
  })),
  record_stopped: eventObject('record_stopped', t => ({
    detail: t.string({
      description: 'The reason, as a sentence.',
      resolve: ({ event }) => event.reason,
    }),
  })),
  take_over_requested: eventObject('take_over_requested', t => ({
    instructions: t.string({
      description: 'What the person is asked to do.',
      resolve: ({ event }) => event.instructions,
    }),
    by: t.field({ type: CallerType, description: 'Who asked.', resolve: ({ event }) => event.by }),
  })),
  taken_over: eventObject('taken_over', t => ({
    holder: t.string({
      // As in the event of the end, so that both can be selected together.
      nullable: true,
      description: 'The name of the person.',
      resolve: ({ event }) => event.holder,
    }),
    by: t.field({
      type: CallerType,
      description: 'The key that the person used.',
      resolve: ({ event }) => event.by,
    }),
  })),
  handed_back: eventObject('handed_back', t => ({
    holder: t.string({
      nullable: true,
      description: 'The name of the person; null if nobody had come.',
      resolve: ({ event }) => event.holder,
    }),
    inputs: t.int({
      description:
        'Number of keys, clicks, touches, texts, pastes and turns of the wheel. What was typed is stored nowhere.',
      resolve: ({ event }) => event.inputs,
    }),
    navigations: t.int({
      description: 'Number of pages that were opened meanwhile.',
      resolve: ({ event }) => event.navigations,
    }),
    reason: t.string({
      nullable: true,
      description: 'Why it ended; null if the person handed the session back.',
      resolve: ({ event }) => event.reason,
    }),
  })),
  ended: eventObject('ended', t => ({
    status: t.field({
      type: SessionStatus,
      description: 'The final status of the session.',
      resolve: ({ event }) => event.status,
    }),
    reason: t.string({
      nullable: true,
      description: 'Why the session ended, as a sentence; null if a caller closed it.',
      resolve: ({ event }) => event.reason,
    }),
    endedBy: t.field({
      type: CallerType,
      nullable: true,
      description: 'Who closed the session; null if the service ended it.',
      resolve: ({ event }) => event.by ?? null,
    }),
  })),
} as const satisfies Record<SessionEventType, unknown>;

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

/** Maximum number of events that one read of the store returns. */

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
