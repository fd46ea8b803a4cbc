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
import { enumTable, field, nullable } from '../../../operations/field.ts';
import { callerShape, sessionStatus } from '../../../operations/results/session.ts';
import { type FieldsOf, type Now, type ResultField, shape } from '../../../operations/results/shape.ts';
import { dialogKind } from '../../../operations/results/space.ts';
import { builder, ROW_COST, type SchemaTypes } from '../builder.ts';
import { domainEnum, resultFields, resultType } from '../operationTypes.ts';
import { costOfPage, parsePageArguments, parseSeqCursor, toNumberedConnection } from '../pageArguments.ts';
import { type SubscriptionContext, watchAccount, watchSession } from '../watchSession.ts';
import { PerformedOperationType } from './performedOperation.ts';
import { SessionType } from './session.ts';

const codes = Object.keys(FAILURES) as Code[];

const failureCode = enumTable<Code>(
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
      code: field(failureCode, 'The error code.'),
      status: field('Int', 'The HTTP status of the same failure over REST.'),
      title: field('String', 'A short title, the same for every occurrence.'),
      description: field('String', 'An explanation of the error, and what you can do.'),
      retryable: field('Boolean', 'True when the same request can succeed later.'),
    },
  }),
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

type EventOf<Type extends SessionEventType> = StoredEvent<Type>['event'];

/** Creates the GraphQL type of an event type, such as `SessionSteppedEvent`. @param fields those of the event */
function eventObject<Type extends SessionEventType, const Names extends string = never>(
  type: Type,
  fields: FieldsOf<EventOf<Type>, Names>,
  more: (t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, StoredEvent<Type>>) => FieldMap = () => ({}),
) {
  const words = type.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1));
  const name = `Session${words.join('')}Event`;
  const ofEvent = Object.fromEntries(
    Object.entries<ResultField<EventOf<Type>>>(fields).map(([property, each]) => {
      const { read = event => event[property as keyof EventOf<Type>] } = each;
      return [property, { ...each, read: ({ event }: StoredEvent<Type>, clock: Now) => read(event, clock) }];
    }),
  );
  return builder.objectRef<StoredEvent<Type>>(name).implement({
    description: SESSION_EVENTS[type].description,
    // The cast is sound: every StoredEvent<Type> is a StoredEvent, but the compiler cannot prove it for an open Type.
    interfaces: [SessionEventInterface as never],
    fields: t => ({ ...resultFields(t, { fields: ofEvent }), ...more(t) }),
  });
}

const performedAction = shape<EventOf<'stepped'>>()({
  name: 'PerformedAction',
  description: 'An action that a step performed.',
  fields: {
    id: { type: 'ID', description: 'The id of the action: `B2`, `S4`.', read: ({ actionId }) => actionId },
    description: nullable('String', 'The description of the action as it was listed; null if it had none.'),
  },
});

const operationFailure = shape<EventOf<'failed'>>()({
  name: 'OperationFailure',
  description: 'The failure of an operation.',
  fields: {
    code: field(failureCode, 'The error code.'),
    title: {
      type: 'String',
      description: 'The title of the code.',
      read: ({ code }) => FAILURES[code].title,
    },
    detail: field('String', 'The error in this case, as a sentence.'),
  },
});

/** An event type without an entry does not compile. */
const OBJECT_TYPES = {
  created: eventObject('created', {}),
  observed: eventObject('observed', {
    url: field('URL', 'The URL of the page.'),
    totalActions: {
      type: 'Int',
      description: 'Number of actions on the page, listed or not.',
      read: ({ actions }) => actions,
    },
  }),
  stepped: eventObject('stepped', {
    url: field('URL', 'The URL of the page after the step.'),
    action: { type: performedAction, description: 'The action that was performed.', read: event => event },
  }),
  scraped: eventObject('scraped', { url: field('URL', 'The URL of the page.') }),
  tab: eventObject('tab', {
    tabId: field('ID', 'The `id` of the tab.'),
    opened: field('Boolean', 'True when the tab was opened; false when it was closed.'),
    url: field('URL', 'The URL that the tab showed at that time.'),
  }),
  dialog: eventObject('dialog', {
    kind: field(dialogKind, 'The kind of dialog.'),
    message: field('String', 'The text of the dialog.'),
  }),
  download: eventObject(
    'download',
    {
      downloadId: field('ID', 'The `id` of the download.'),
      fileName: field('String', 'The name of the file.'),
    },
    t => ({
      link: t.string({
        description: DOWNLOAD_LINK,
        resolve: ({ sessionId, event }, _args, { service, viewer }) =>
          service.linkTo(viewer, { sessionId, kind: 'download', id: event.downloadId }),
      }),
    }),
  ),
  blocked: eventObject('blocked', {
    url: field('URL', 'The URL that was blocked.'),
    detail: { type: 'String', description: 'The reason for the block.', read: ({ reason }) => reason },
  }),
  failed: eventObject('failed', {
    operation: field(
      'String',
      'The operation that failed: `start`, `observe`, `step`, `scrape` or `upload`.',
    ),
    failure: { type: operationFailure, description: 'The failure.', read: event => event },
  }),
  record_stopped: eventObject('record_stopped', {
    detail: { type: 'String', description: 'The reason, as a sentence.', read: ({ reason }) => reason },
  }),
  take_over_requested: eventObject('take_over_requested', {
    instructions: field('String', 'What the person is asked to do.'),
    by: field(callerShape, 'Who asked.'),
  }),
  taken_over: eventObject('taken_over', {
    // As in the event of the end, so that both can be selected together.
    holder: nullable('String', 'The name of the person.'),
    by: field(callerShape, 'The key that the person used.'),
  }),
  handed_back: eventObject('handed_back', {
    holder: nullable('String', 'The name of the person; null if no person had come.'),
    inputs: field(
      'Int',
      'Number of keys, clicks, touches, texts, pastes and turns of the wheel. What was typed is stored nowhere.',
    ),
    navigations: field('Int', 'Number of pages that were opened meanwhile.'),
    reason: nullable('String', 'Why it ended; null if the person handed the session back.'),
  }),
  ended: eventObject('ended', {
    status: field(sessionStatus, 'The final status of the session.'),
    reason: nullable('String', 'Why the session ended, as a sentence; null if a caller closed it.'),
    endedBy: {
      type: callerShape,
      nullable: true,
      description: 'Who closed the session; null if the service ended it.',
      read: ({ by }) => by,
    },
  }),
} as const satisfies Record<SessionEventType, unknown>;

interface SeqWindow extends Pick<EventRange, 'after' | 'upTo'> {
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** Converts the arguments of a list to a range of numbers. Items that are added later are not part of the page. */
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
      complexity: costOfPage(ROW_COST),
      resolve: async (session, args, { lastSeqs, eventRanges, turns }) => {
        const window = toSeqWindow(args, await lastSeqs.load(session.id));
        const { after, upTo } = window;
        const events = await eventRanges.load({ sessionId: session.id, after, upTo });
        return toNumberedConnection(events, ({ seq }) => seq, window, turns);
      },
    },
    { description: 'A page of the event log.' },
    { description: 'An event with its cursor.' },
  ),
);

/** Maximum number of events that one read of the store returns, so that a long event log is never completely in memory. */
const PAGE_SIZE = 100;

/** Yields every event of the session with a `seq` above `after`, in order, each once; reads those that an update has missed from the store. */
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

/** Yields every event with a number above `after`, in order, each once. An update only says that there is something to read. */
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
    subscribe: (_root, { after }, context) =>
      watchAccount(
        context,
        updates => streamAccountEvents(context, after ?? 0, updates),
        ({ events }) => events.length > 0,
      ),
    resolve: stored => stored,
  }),
);
