/** A browser session's life: active, then closed, timed out or failed; the last three are final. */
import { Failure } from './failures.ts';

export const SESSION_STATUSES = ['active', 'closed', 'timed_out', 'error'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

interface SessionBase {
  /** UUID. */
  readonly id: string;
  readonly accountId: string;
  /** Milliseconds since the epoch, as are all `...At`. */
  readonly createdAt: number;
  /** When the last operation ended (or began, while one runs). */
  readonly lastAccessedAt: number;
  readonly timeoutMinutes: number;
  /** Where the active tab is; null before the first page. */
  readonly url: string | null;
  readonly pageTitle: string | null;
}

/** Can be operated on. `running` counts operations under way; the idle timer stands still while it is above zero. */
export interface ActiveSession extends SessionBase {
  readonly status: 'active';
  readonly running: number;
  /** When it ends whatever is done in it; absent where the service sets no longest life. */
  readonly lifetimeEndsAt?: number;
}
/** Ended because it was asked to. */
export interface ClosedSession extends SessionBase {
  readonly status: 'closed';
  readonly endedAt: number;
}
/** Ended because nothing was done in it for `timeoutMinutes`, or because its longest life was over. */
export interface TimedOutSession extends SessionBase {
  readonly status: 'timed_out';
  readonly endedAt: number;
}
/** Ended because its browser was lost, or because it passed a bound; `error` says how. */
export interface FailedSession extends SessionBase {
  readonly status: 'error';
  readonly endedAt: number;
  readonly error: string;
}
export type EndedSession = ClosedSession | TimedOutSession | FailedSession;
export type Session = ActiveSession | EndedSession;

/** What can happen to a session. `at` is the time it happened. */
export type SessionTrigger =
  | { readonly type: 'operation_began'; readonly at: number; readonly timeoutMinutes?: number }
  | { readonly type: 'operation_ended'; readonly at: number }
  | { readonly type: 'page_changed'; readonly at: number; readonly url: string; readonly pageTitle: string }
  | { readonly type: 'close'; readonly at: number }
  | { readonly type: 'clock'; readonly at: number }
  | { readonly type: 'clock_set'; readonly byMs: number }
  | { readonly type: 'browser_lost'; readonly at: number; readonly reason: string }
  | { readonly type: 'bound_passed'; readonly at: number; readonly reason: string };

/** A new session's first state. */
export function newSession(fields: {
  id: string;
  accountId: string;
  at: number;
  timeoutMinutes: number;
  /** Minutes after which it ends whatever is done in it; null or absent for no such bound. */
  maxLifetimeMinutes?: number | null;
}): ActiveSession {
  const { maxLifetimeMinutes } = fields;
  return {
    id: fields.id,
    accountId: fields.accountId,
    createdAt: fields.at,
    lastAccessedAt: fields.at,
    timeoutMinutes: fields.timeoutMinutes,
    url: null,
    pageTitle: null,
    status: 'active',
    running: 0,
    ...(maxLifetimeMinutes != null && { lifetimeEndsAt: fields.at + maxLifetimeMinutes * 60_000 }),
  };
}

/** Narrows to a session that can be operated on. */
export const isActive = (session: Session): session is ActiveSession => session.status === 'active';

/**
 * The state machine: the session after a trigger. The same value comes back where the trigger changes nothing
 * (a close of an ended session, a clock tick before the time).
 * @throws Failure SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR when an operation begins in an ended session
 */
export function transition(session: Session, trigger: SessionTrigger): Session {
  if (!isActive(session)) {
    if (trigger.type === 'operation_began') throw sessionEndedFailure(session);
    return session;
  }
  switch (trigger.type) {
    case 'operation_began':
      return {
        ...session,
        running: session.running + 1,
        lastAccessedAt: Math.max(session.lastAccessedAt, trigger.at),
        timeoutMinutes: trigger.timeoutMinutes ?? session.timeoutMinutes,
      };
    case 'operation_ended':
      return {
        ...session,
        running: Math.max(0, session.running - 1),
        lastAccessedAt: Math.max(session.lastAccessedAt, trigger.at),
      };
    case 'page_changed':
      return { ...session, url: trigger.url, pageTitle: trigger.pageTitle };
    case 'close':
      return { ...endedFields(session, trigger.at), status: 'closed' };
    case 'clock': {
      const expiry = expiresAt(session);
      return expiry !== null && trigger.at >= expiry
        ? { ...endedFields(session, trigger.at), status: 'timed_out' }
        : session;
    }
    // Where the wall clock is set, the time that is left stays what it was.
    case 'clock_set':
      return {
        ...session,
        lastAccessedAt: session.lastAccessedAt + trigger.byMs,
        ...(session.lifetimeEndsAt !== undefined && {
          lifetimeEndsAt: session.lifetimeEndsAt + trigger.byMs,
        }),
      };
    case 'browser_lost':
    case 'bound_passed':
      return { ...endedFields(session, trigger.at), status: 'error', error: trigger.reason };
  }
}

function endedFields(session: ActiveSession, at: number): SessionBase & { endedAt: number } {
  const { status: _status, running: _running, lifetimeEndsAt: _endsBy, ...facts } = session;
  return { ...facts, endedAt: Math.max(at, session.createdAt) };
}

/**
 * When an active session times out if nothing is done. While an operation runs only a longest life ends it: null where
 * there is none. Null after the end.
 */
export function expiresAt(session: Session): number | null {
  if (!isActive(session)) return null;
  if (session.running > 0) return session.lifetimeEndsAt ?? null;
  const idleAt = session.lastAccessedAt + session.timeoutMinutes * 60_000;
  return Math.min(idleAt, session.lifetimeEndsAt ?? idleAt);
}

/** Whether it timed out because nothing was done in it, and not because its longest life was over. */
export const timedOutByIdleness = (session: TimedOutSession): boolean =>
  session.endedAt - session.lastAccessedAt >= session.timeoutMinutes * 60_000;

/** When the session ended; null while it is active. */
export const endedAt = (session: Session): number | null => (isActive(session) ? null : session.endedAt);

/** What went wrong, for a failed session; null otherwise. */
export const sessionError = (session: Session): string | null =>
  session.status === 'error' ? session.error : null;

/** Age in milliseconds up to `now`, or to the session's end. */
export const durationMs = (session: Session, now: number): number =>
  Math.max(0, (endedAt(session) ?? now) - session.createdAt);

/** An age as a whole number and a unit word: `0 seconds`, `1 second`, `12 seconds`, `5 minutes`, `2 hours`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return formatUnit(seconds, 'second');
  if (seconds < 3600) return formatUnit(Math.floor(seconds / 60), 'minute');
  return formatUnit(Math.floor(seconds / 3600), 'hour');
}

const unitFormat = (unit: 'second' | 'minute' | 'hour'): Intl.NumberFormat =>
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', useGrouping: false });

// Making a formatter costs more than a hundred uses of one.
const UNIT_FORMATS = { second: unitFormat('second'), minute: unitFormat('minute'), hour: unitFormat('hour') };

const formatUnit = (count: number, unit: keyof typeof UNIT_FORMATS): string =>
  UNIT_FORMATS[unit].format(count);

/** The refusal of an operation on an ended session. */
export function sessionEndedFailure(session: EndedSession): Failure {
  const context = { session };
  switch (session.status) {
    case 'closed':
      return new Failure('SESSION_CLOSED', `Session ${session.id} is closed. Start a new session.`, context);
    case 'timed_out':
      return new Failure(
        'SESSION_TIMED_OUT',
        timedOutByIdleness(session)
          ? `Session ${session.id} ended after ${session.timeoutMinutes} minutes without an operation. Start a new session.`
          : `Session ${session.id} had reached the longest life that this service allows. Start a new session.`,
        context,
      );
    case 'error':
      return new Failure(
        'SESSION_ERROR',
        `Session ${session.id} has failed: ${session.error} Start a new session.`,
        context,
      );
  }
}

/** The operations that a caller can ask for. */
export type Operation = 'start' | 'observe' | 'step' | 'scrape' | 'close';

/**
 * The keep_alive rule, the only place that decides it: whether the session ends after this operation.
 * A session that the operation made for itself ends unless the flag says true; one that was given stays unless it says false.
 */
export function endsAfterOperation(
  operation: Operation,
  createdByOperation: boolean,
  keepAlive: boolean | null | undefined,
): boolean {
  if (operation === 'start') return false;
  if (operation === 'close') return true;
  return createdByOperation ? keepAlive !== true : keepAlive === false;
}
