import type { Charge, SessionMeter } from '../account/ledger.ts';
import type { Session, SessionStatus } from '../session/session.ts';
import type { SessionEvent, SessionEventType, StoredEvent } from '../session/sessionEvent.ts';
import type { Space } from '../space/space.ts';
import type { NodeEpoch } from './nodes.ts';

/** The last observation of a session: its page and the listed actions. */
export interface StoredObservation {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly observedAt: number;
  readonly url: string;
  readonly title: string;
  /** Status of the page's own HTTP response; null when it had none. */
  readonly httpStatus: number | null;
  readonly space: Space;
}

/** A change of one session. `SessionStore.commit` writes all of it in one transaction. */
export interface SessionChange {
  readonly session: Session;
  /** New events, which have no number yet. */
  readonly events: readonly SessionEvent[];
  /** The new last observation; null to remove the stored one, absent to keep it. */
  readonly observation?: StoredObservation | null;
  /** True if the labels of the session are others than before; absent for false. */
  readonly labelsChanged?: boolean;
  /** Charges of the change. The store writes each of them once, even if the change is committed twice. */
  readonly ledger?: readonly Charge[];
  /** The browser time of the session after the charges in `ledger`; absent to keep the stored one. */
  readonly meter?: SessionMeter;
  /** Maximum of active sessions of the account, this new one included, exact over all nodes; absent or null for none. */
  readonly maxActive?: number | null;
}

export type SessionOrder = 'created_at_desc' | 'created_at_asc' | 'last_accessed_at_desc';

/** Selects sessions of an account; an absent field selects all. */
export interface SessionFilter {
  readonly keyId?: string;
  /** Text in the name of the session, case-insensitive. */
  readonly name?: string;
  readonly labels?: readonly string[];
  /** Sessions that were started at or after this time, in milliseconds since the epoch. */
  readonly createdFrom?: number;
  readonly createdBefore?: number;
  /** Name of the node that runs the session or ran it last. */
  readonly node?: string;
  /** True for sessions in which an operation failed, or that ended with an error; false for the others. */
  readonly hasFailures?: boolean;
}

export interface SessionQuery {
  readonly accountId: string;
  /** Selects sessions with one of these statuses; null for all sessions. */
  readonly statuses: readonly SessionStatus[] | null;
  /** Text to find in id, url or page title, case-insensitive; null for all sessions. */
  readonly search: string | null;
  readonly filter?: SessionFilter;
  readonly order: SessionOrder;
  readonly limit: number;
  /** Selects rows after this cursor; null to start with the first row. */
  readonly after: string | null;
  /** Selects rows before this cursor; null for no such cursor. */
  readonly before: string | null;
  /** True to select the last `limit` of these rows instead of the first ones. */
  readonly fromEnd?: boolean;
}

export interface SessionPage {
  readonly rows: readonly { readonly session: Session; readonly cursor: string }[];
  /** `hasNextPage` of the Relay specification: for the first rows, if more rows match; for the last rows, if there are rows from `before` on. */
  readonly hasNext: boolean;
  /** `hasPreviousPage` of the Relay specification: for the last rows, if more rows match; for the first rows, if there are rows up to `after`. */
  readonly hasPrevious: boolean;
}

/** Number of events of a session by event type; 0 for a type without events. */
export type EventCounts = Readonly<Record<SessionEventType, number>>;

/** Selects the events of one session with `after < seq <= upTo`. */
export interface EventRange {
  readonly sessionId: string;
  readonly after: number;
  readonly upTo: number;
}

/** Methods that take ids return one result per id, in the order of the ids; null for an id without one. */
export interface SessionStore {
  /**
   * Writes a new or existing session with its events in one transaction. The change is durable when the promise resolves.
   * @returns the events with their numbers (`seq`)
   * @throws Failure STORAGE_FULL, CONCURRENCY_LIMIT; DEPENDENCY_UNAVAILABLE if the database cannot be reached, this node
   * has lost its lease or another node runs the session: nothing was written
   */
  commit(change: SessionChange): Promise<readonly StoredEvent[]>;
  load(accountId: string, ids: readonly string[]): Promise<readonly (Session | null)[]>;
  /** @throws Failure VALIDATION_ERROR for a cursor or search that is not valid */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Counts the sessions that have one of the statuses and match the search. @throws Failure VALIDATION_ERROR for the search */
  count(
    accountId: string,
    statuses: readonly SessionStatus[] | null,
    search?: string | null,
    filter?: SessionFilter,
  ): Promise<number>;
  /** Returns the sessions of all accounts that are stored as `active`. @param owner selects those that this epoch of a node runs */
  activeSessions(owner?: NodeEpoch): Promise<readonly Session[]>;
  /** Returns the node that runs each active session; null for other ids, and on one machine for all. */
  owners(sessionIds: readonly string[]): Promise<readonly (NodeEpoch | null)[]>;
  accountIds(sessionIds: readonly string[]): Promise<readonly (string | null)[]>;
  /** Returns the name of the node that runs each session or ran it last; null for unknown ids, and on one machine for all. */
  lastNodes(sessionIds: readonly string[]): Promise<readonly (string | null)[]>;
  /** Returns the recorded browser time of the account's active sessions, by session id. */
  activeMeters(accountId: string): Promise<ReadonlyMap<string, SessionMeter>>;
  /** Records that sessions ran at this time, and their browser time; skips ended ones, and those with a later stored time. */
  recordSeen(meters: ReadonlyMap<string, SessionMeter>, at: number): Promise<void>;
  /** Returns the recorded browser time of each session, in the order of the ids; null for a session without a record. */
  meters(sessionIds: readonly string[]): Promise<readonly (SessionMeter | null)[]>;
  /** Returns the last time at which each session was known to run: from `recordSeen` or its last operation. Null for an unknown id. */
  lastSeenAt(sessionIds: readonly string[]): Promise<readonly (number | null)[]>;
  observations(sessionIds: readonly string[]): Promise<readonly (StoredObservation | null)[]>;
  /** Returns the `seq` of the last event of each session, which is the number of its events; 0 for an unknown id. */
  lastSeqs(sessionIds: readonly string[]): Promise<readonly number[]>;
  eventCounts(sessionIds: readonly string[]): Promise<readonly EventCounts[]>;
  /** Returns the ids of at most `limit` sessions of all accounts that ended before this time, the earliest end first. */
  endedBefore(at: number, limit: number): Promise<readonly string[]>;
  /** Returns the sessions of the account that ended at or after this time. */
  endedSince(accountId: string, at: number): Promise<readonly Session[]>;
  /** Removes the events first, some thousands at a time, then the sessions and observations. Ignores unknown ids. */
  remove(sessionIds: readonly string[]): Promise<void>;
  /** Returns at most `limit` events of the session with `seq > after`, in the order of `seq`. */
  events(sessionId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Returns at most `limit` events of all sessions of the account with `accountNumber > after`, in the order of their numbers. */
  accountEvents(accountId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Returns one list of events per range, in the order of the ranges; each list in the order of `seq`. */
  eventsInRanges(ranges: readonly EventRange[]): Promise<readonly (readonly StoredEvent[])[]>;
  /** Writes as much as the start of a session needs, and removes it again. @throws Failure STORAGE_FULL */
  assertWritable(): Promise<void>;
}
