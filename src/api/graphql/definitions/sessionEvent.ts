/** Session events: the interface, and one object type for each event type. */
import type { FieldMap } from '@pothos/core';
import { type FailureCode as Code, FAILURES } from '../../../domain/failure/failures.ts';
import {
  SESSION_EVENTS,
  type SessionEventType,
  type StoredEvent,
} from '../../../domain/session/sessionEvent.ts';
import type { Dialog } from '../../../domain/space/space.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { domainEnum } from '../inputType.ts';
import { FailureCode } from './failureCode.ts';
import { CallerType, PerformedOperationType } from './performedOperation.ts';
import { SessionStatus } from './session.ts';
import { DialogKind } from './space.ts';

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
