/** The store of sessions, with their events and last observations. */
import type { Charge } from '../ledger.ts';
import type { Session, SessionStatus } from '../session.ts';
import type { SessionEvent, SessionEventType, StoredEvent } from '../sessionEvent.ts';
import type { Space } from '../space.ts';

/** The last observation of a session. */
export interface StoredObservation {
  readonly sessionId: string;
  readonly observedAt: number;
  readonly url: string;
  readonly title: string;
  readonly httpStatus: number | null;
  readonly space: Space;
}

/** A change of one session, written in one transaction. */
export interface SessionChange {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  readonly observation?: StoredObservation;
  /** Charges of the change. The store writes each of them once, even if the change is committed twice. */
  readonly ledger?: readonly Charge[];
}

/** Sort orders of a list of sessions. */
export type SessionOrder = 'created_at_desc' | 'created_at_asc' | 'last_accessed_at_desc';

/** Selects a page of the sessions of an account. */
export interface SessionQuery {
  readonly accountId: string;
  /** Statuses to select; null for all. */
  readonly statuses: readonly SessionStatus[] | null;
  /** Text to find in id, url or page title, case-insensitive; null for all sessions. */
  readonly search: string | null;
  readonly order: SessionOrder;
  readonly limit: number;
  /** Selects rows after this cursor; null to start with the first row. */
  readonly after: string | null;
  /** Selects the last `limit` rows before this cursor, in `order`. */
  readonly before: string | null;
  /** True without a cursor: selects the last `limit` rows of all, in `order`. */
  readonly fromEnd?: boolean;
}

/** A page of sessions, each with its cursor. */
export interface SessionPage {
  readonly rows: readonly { readonly session: Session; readonly cursor: string }[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** Number of events per type, zeros included. */
export type EventCounts = Readonly<Record<SessionEventType, number>>;

/** Selects the events of one session with `after < seq <= upTo`. */
export interface EventRange {
  readonly sessionId: string;
  readonly after: number;
  readonly upTo: number;
}

/** Methods that take ids return one result per id, in the order of the ids. */
export interface SessionStore {
  /**
   * Writes a new or existing session with its events in one transaction. The change is durable when the promise resolves.
   * @returns the events with their numbers
   * @throws Failure STORAGE_FULL
   */
  commit(change: SessionChange): Promise<readonly StoredEvent[]>;
  /** Returns the sessions of the account with these ids; null for an id that the account does not have. */
  load(accountId: string, ids: readonly string[]): Promise<readonly (Session | null)[]>;
  /** @throws Failure VALIDATION_ERROR for a cursor or search that is not valid */
  list(query: SessionQuery): Promise<SessionPage>;
  /**
   * Counts the sessions of the account that have one of the statuses and match the search.
   * @throws Failure VALIDATION_ERROR, as `list`
   */
  count(
    accountId: string,
    statuses: readonly SessionStatus[] | null,
    search?: string | null,
  ): Promise<number>;
  /** Returns the sessions of all accounts that are stored as `active`. */
  activeSessions(): Promise<readonly Session[]>;
  /** Records that these sessions were running at this time. Sessions that have ended are skipped. */
  recordSeen(sessionIds: readonly string[], at: number): Promise<void>;
  /** Returns the last time that each session was known to run: by `recordSeen` or by its last operation. Null for an unknown id. */
  lastSeenAt(sessionIds: readonly string[]): Promise<readonly (number | null)[]>;
  /** Returns the last observation of each session; null for a session without one. */
  observations(sessionIds: readonly string[]): Promise<readonly (StoredObservation | null)[]>;
  eventCounts(sessionIds: readonly string[]): Promise<readonly EventCounts[]>;
  /** Returns the ids of at most `limit` sessions of all accounts that ended before this time, the earliest end first. */
  endedBefore(at: number, limit: number): Promise<readonly string[]>;
  /** Removes these sessions with their events and observations in one transaction. Unknown ids are ignored. */
  remove(sessionIds: readonly string[]): Promise<void>;
  /** Returns at most `limit` events with `seq > after`, in order. */
  events(sessionId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Returns the events of each range, in order: one list per range. */
  eventsInRanges(ranges: readonly EventRange[]): Promise<readonly (readonly StoredEvent[])[]>;
}
