import type { FailureCode } from '../failure/failures.ts';
import type { Caller, PerformedOperation } from './performedOperation.ts';
import type { SessionStatus } from './session.ts';
import type { InputCounts } from './takeOver.ts';

declare const FIELDS: unique symbol;

/** An event type: its description for the documentation, and (as a type only) its fields beside `type` and `at`. */
interface EventType<Fields extends object> {
  readonly description: string;
  readonly [FIELDS]?: Fields;
}

const eventType = <Fields extends object = object>(description: string): EventType<Fields> => ({
  description,
});

/** All event types, in the order of the documentation; each has a GraphQL type in `api/graphql/definitions/sessionEvent.ts` too. */
export const SESSION_EVENTS = {
  created: eventType('The session was started.'),
  observed: eventType<{
    readonly url: string;
    /** Number of actions on the page, listed or not. */
    readonly actions: number;
  }>('A page was observed.'),
  stepped: eventType<{
    readonly actionId: string;
    /** The description with which the action was listed; null for an action without one. */
    readonly description: string | null;
    readonly url: string;
  }>('An action was performed.'),
  scraped: eventType<{ readonly url: string }>('The content of a page was scraped.'),
  tab: eventType<{
    readonly tabId: string;
    readonly url: string;
    /** True when the tab was opened; false when it was closed. */
    readonly opened: boolean;
  }>('A tab was opened or closed.'),
  dialog: eventType<{
    /** Kind of the dialog, in the browser's spelling: `alert`, `confirm`, `prompt` or `beforeunload`. */
    readonly kind: string;
    readonly message: string;
  }>('The page opened a dialog.'),
  download: eventType<{ readonly downloadId: string; readonly fileName: string }>(
    'A page of the session downloaded a file.',
  ),
  blocked: eventType<{ readonly url: string; readonly reason: string }>(
    'The service blocked a request to a forbidden address, or a download above a limit.',
  ),
  failed: eventType<{
    readonly operation: string;
    readonly code: FailureCode;
    readonly detail: string;
  }>('An operation failed.'),
  record_stopped: eventType<{
    readonly reason: string;
  }>('The record of the session stopped: the disk is full, or a limit is reached. The session continues.'),
  take_over_requested: eventType<{
    /** The task of the person. */
    readonly instructions: string;
    readonly by: Caller;
  }>('The agent asked for a person.'),
  taken_over: eventType<{
    /** Name that the person gave. */
    readonly holder: string;
    readonly by: Caller;
  }>('A person took the session over.'),
  handed_back: eventType<
    InputCounts & {
      readonly holder: string | null;
      /** The reason, if the person did not hand the session back; null otherwise. */
      readonly reason: string | null;
    }
  >('A person handed the session back, or a request for a person ended.'),
  ended: eventType<{
    readonly status: SessionStatus;
    /** The reason why the session ended; null if `status` and `by` say it all. */
    readonly reason: string | null;
    /** The caller who closed it; absent if the service did. */
    readonly by?: Caller;
  }>('The session was closed, timed out or failed.'),
} as const;

export type SessionEventType = keyof typeof SESSION_EVENTS;
export const SESSION_EVENT_TYPES = Object.keys(SESSION_EVENTS) as readonly SessionEventType[];

type FieldsOf<Type extends SessionEventType> =
  (typeof SESSION_EVENTS)[Type] extends EventType<infer Fields> ? Fields : never;

/** An event before it is stored. `at`: milliseconds since the epoch. `performed`: its operation; absent for what a page caused, and in version 0.1. */
export type SessionEvent<Type extends SessionEventType = SessionEventType> = {
  [Each in Type]: {
    readonly type: Each;
    readonly at: number;
    readonly performed?: PerformedOperation;
  } & FieldsOf<Each>;
}[Type];

/** A stored event of a session. `seq` numbers the events of the session: 1, 2, 3, … */
export interface StoredEvent<Type extends SessionEventType = SessionEventType> {
  readonly sessionId: string;
  readonly seq: number;
  /** Number of the event among all events of the account: 1, 2, 3, …; absent for events of version 0.1. */
  readonly accountNumber?: number;
  readonly event: SessionEvent<Type>;
}
