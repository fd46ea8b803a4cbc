/** A browser session: `active`, then `closed`, `timed_out` or `error`. The last three are final. */

import { z } from 'zod';
import type { StepKind } from '../account/keyPolicy.ts';
import type { Dialog } from '../space/space.ts';
import type { ShownOptions } from './browserOptions.ts';
import type { Caller } from './performedOperation.ts';
import type { TakeOver } from './takeOver.ts';

/** Default of `session_timeout_minutes` (specification, section 8). */
export const DEFAULT_TIMEOUT_MINUTES = 5;
const sessionId = z.uuid();

/** Returns true if a text has the form of a session id: a UUID. A caller can send any text in its place, also a secret. */
export const isSessionId = (text: unknown): text is string => sessionId.safeParse(text).success;

export const SESSION_STATUSES = ['active', 'closed', 'timed_out', 'error'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const RECORD_MODES = ['off', 'steps', 'video'] as const;
/** None, one of each operation (`steps`), or a video besides (`video`). The record has the lists in each mode. */
export type RecordMode = (typeof RECORD_MODES)[number];

export interface RunningOperation {
  /** `observe`, `step`, `scrape`, `start` or `upload`. */
  readonly kind: string;
  /** Id of the action of a step; absent for other operations. */
  readonly actionId?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly approval?: PendingApproval;
}

/** A step that waits for the approval of a person. */
export interface PendingApproval {
  readonly id: string;
  readonly kinds: readonly StepKind[];
  readonly actionId: string;
  readonly description: string | null;
  /** The value of the step, with secrets masked; null for none. */
  readonly value: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
}

interface SessionBase {
  /** UUID. */
  readonly id: string;
  readonly accountId: string;
  /** Milliseconds since the epoch, like all fields that end in `At`. */
  readonly createdAt: number;
  /** Time at which the last operation ended; if it is still running, at which it started. */
  readonly lastAccessedAt: number;
  /** Idle timeout: the session ends after this many minutes without an operation. */
  readonly timeoutMinutes: number;
  /** Milliseconds by which the wall clock was set forwards (negative: back) during the session, which its duration does not count; absent for 0. */
  readonly clockShiftMs?: number;
  /** URL of the active tab; null before the first page. */
  readonly url: string | null;
  readonly pageTitle: string | null;
  /** Name that the caller gave the session; absent for none. */
  readonly name?: string;
  /** Labels that the caller gave the session, at most 16, sorted and each once; absent for none. */
  readonly labels?: readonly string[];
  /** The pictures that the record keeps; absent for `off`. */
  readonly record?: RecordMode;
  /** True if the record has the console and the requests; absent for false. */
  readonly pageLog?: boolean;
  /** The caller's choices for the browser, without secrets; absent for nothing. */
  readonly options?: ShownOptions;
  /** The caller who started the session; absent for sessions of earlier versions. */
  readonly startedBy?: Caller;
}

export interface ActiveSession extends SessionBase {
  readonly status: 'active';
  /** Number of running operations. The idle timer is stopped while it is above zero. */
  readonly running: number;
  /** The operation that runs now; absent for none. It is not stored. */
  readonly runningOperation?: RunningOperation;
  /** The person who has the session, or the agent's wait for one; absent for none. It is not stored. */
  readonly takeOver?: TakeOver;
  /** The dialog that blocks the page of the active tab; absent for none. It is not stored. */
  readonly dialog?: Dialog;
  /** Time at which the session ends even if it is in use; absent if the service sets no maximum lifetime. */
  readonly lifetimeEndsAt?: number;
  /** Time of this state, in the result of an operation; absent for the present state. A repeated response has the duration of the first. */
  readonly asOf?: number;
}
export interface ClosedSession extends SessionBase {
  readonly status: 'closed';
  readonly endedAt: number;
  /** The caller who closed it; absent if the service did, and for sessions of earlier versions. */
  readonly endedBy?: Caller;
  /** Why the service closed it, as a sentence; absent if a caller did. */
  readonly reason?: string;
}
export interface TimedOutSession extends SessionBase {
  readonly status: 'timed_out';
  readonly endedAt: number;
}
export interface FailedSession extends SessionBase {
  readonly status: 'error';
  readonly endedAt: number;
  /** The reason of the end, as sentences. */
  readonly error: string;
}
export type EndedSession = ClosedSession | TimedOutSession | FailedSession;
export type Session = ActiveSession | EndedSession;

export function newSession(fields: {
  id: string;
  accountId: string;
  at: number;
  timeoutMinutes: number;
  /** Maximum lifetime of the session, even if it is in use; null or absent for none. */
  maxLifetimeMinutes?: number | null;
  name?: string | null;
  labels?: readonly string[];
  record?: RecordMode;
  pageLog?: boolean;
  options?: ShownOptions | null;
  startedBy?: Caller;
}): ActiveSession {
  const {
    maxLifetimeMinutes,
    name,
    labels = [],
    record = 'off',
    pageLog = false,
    options,
    startedBy,
  } = fields;
  return {
    id: fields.id,
    accountId: fields.accountId,
    createdAt: fields.at,
    lastAccessedAt: fields.at,
    timeoutMinutes: fields.timeoutMinutes,
    url: null,
    pageTitle: null,
    ...(name != null && { name }),
    ...(labels.length > 0 && { labels: sortedLabels(labels) }),
    ...(record !== 'off' && { record }),
    ...(pageLog && { pageLog }),
    ...(options != null && { options }),
    ...(startedBy !== undefined && { startedBy }),
    status: 'active',
    running: 0,
    ...(maxLifetimeMinutes != null && { lifetimeEndsAt: fields.at + maxLifetimeMinutes * 60_000 }),
  };
}

export const sortedLabels = (labels: readonly string[]): readonly string[] => [...new Set(labels)].sort();

export const isActive = (session: Session): session is ActiveSession => session.status === 'active';

/**
 * Returns the time at which an active session times out if no other operation starts, in milliseconds since the epoch. Null if the session has ended, or
 * if an operation is running or a person is awaited or has the session, and the session has no maximum lifetime.
 */
export function expiresAt(session: Session): number | null {
  if (!isActive(session)) return null;
  if (session.running > 0 || session.takeOver !== undefined) return session.lifetimeEndsAt ?? null;
  const idleTimeoutAt = session.lastAccessedAt + session.timeoutMinutes * 60_000;
  return Math.min(idleTimeoutAt, session.lifetimeEndsAt ?? idleTimeoutAt);
}

export const timedOutByIdleness = (session: TimedOutSession): boolean =>
  session.endedAt - session.lastAccessedAt >= session.timeoutMinutes * 60_000;

/** Milliseconds since the epoch; null while the session is active. */
export const endedAt = (session: Session): number | null => (isActive(session) ? null : session.endedAt);

export const sessionError = (session: Session): string | null =>
  session.status === 'error' ? session.error : null;
