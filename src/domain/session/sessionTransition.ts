import { Failure } from '../failure/failures.ts';
import type { Dialog } from '../space/space.ts';
import type { ShownOptions } from './browserOptions.ts';
import type { Caller } from './performedOperation.ts';
import {
  type ActiveSession,
  type ClosedSession,
  type EndedSession,
  expiresAt,
  isActive,
  type PendingApproval,
  type RunningOperation,
  type Session,
  sortedLabels,
  timedOutByIdleness,
} from './session.ts';
import { minutesText } from './sessionLimits.ts';
import type { TakeOver } from './takeOver.ts';

/** Something that can change the state of a session. `at` is its time; `clock` checks whether the session has timed out by then. */
export type SessionTrigger =
  | {
      readonly type: 'operation_started';
      readonly at: number;
      readonly timeoutMinutes?: number;
      readonly operation?: RunningOperation;
    }
  | { readonly type: 'operation_ended'; readonly at: number }
  | { readonly type: 'page_changed'; readonly at: number; readonly url: string; readonly pageTitle: string }
  | { readonly type: 'extended'; readonly at: number; readonly timeoutMinutes?: number }
  | {
      readonly type: 'renamed';
      readonly name?: string | null;
      readonly labels?: readonly string[];
    }
  /** Options of the browser have changed; the others stay. */
  | { readonly type: 'options_changed'; readonly options: ShownOptions }
  /** A person is awaited, has the session, or has given it back (null); then the idle timer starts again. */
  | { readonly type: 'take_over_changed'; readonly at: number; readonly takeOver: TakeOver | null }
  /** The running step waits for an approval, or no longer (null). */
  | { readonly type: 'approval_changed'; readonly approval: PendingApproval | null }
  /** The page of the active tab has opened a dialog, or it has been answered (null). */
  | { readonly type: 'dialog_changed'; readonly dialog: Dialog | null }
  /** `by`: the caller who closes it, `reason`: why the service does. */
  | { readonly type: 'close'; readonly at: number; readonly by?: Caller; readonly reason?: string }
  | { readonly type: 'clock'; readonly at: number }
  | { readonly type: 'clock_jumped'; readonly byMs: number }
  | { readonly type: 'browser_lost'; readonly at: number; readonly reason: string }
  | { readonly type: 'limit_exceeded'; readonly at: number; readonly reason: string };

/**
 * Returns the session after a trigger, or the same object if the trigger changes nothing (close of an ended session, a
 * clock time before the expiry).
 * @throws Failure SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR if an operation starts in an ended session
 */
export function transition(session: Session, trigger: SessionTrigger): Session {
  if (!isActive(session)) {
    if (trigger.type === 'operation_started') throw sessionEndedFailure(session);
    return session;
  }
  switch (trigger.type) {
    case 'operation_started':
      return {
        ...session,
        running: session.running + 1,
        ...(trigger.operation !== undefined && { runningOperation: trigger.operation }),
        lastAccessedAt: Math.max(session.lastAccessedAt, trigger.at),
        timeoutMinutes: trigger.timeoutMinutes ?? session.timeoutMinutes,
      };
    case 'operation_ended': {
      const { runningOperation: _ended, ...fields } = session;
      return {
        ...fields,
        running: Math.max(0, session.running - 1),
        lastAccessedAt: Math.max(session.lastAccessedAt, trigger.at),
      };
    }
    // The idle timer starts again, as after an operation.
    case 'extended':
      return {
        ...session,
        lastAccessedAt: Math.max(session.lastAccessedAt, trigger.at),
        timeoutMinutes: trigger.timeoutMinutes ?? session.timeoutMinutes,
      };
    case 'renamed': {
      const { name, labels, ...fields } = session;
      const newName = trigger.name === undefined ? name : (trigger.name ?? undefined);
      const newLabels = trigger.labels === undefined ? labels : sortedLabels(trigger.labels);
      return {
        ...fields,
        ...(newName !== undefined && { name: newName }),
        ...(newLabels !== undefined && newLabels.length > 0 && { labels: newLabels }),
      };
    }
    case 'options_changed':
      return { ...session, options: { ...session.options, ...trigger.options } };
    case 'take_over_changed': {
      const { takeOver: _before, ...fields } = session;
      return {
        ...fields,
        lastAccessedAt: Math.max(session.lastAccessedAt, trigger.at),
        ...(trigger.takeOver !== null && { takeOver: trigger.takeOver }),
      };
    }
    case 'approval_changed': {
      if (session.runningOperation === undefined) return session;
      const { approval: _before, ...operation } = session.runningOperation;
      const approval = trigger.approval === null ? {} : { approval: trigger.approval };
      return { ...session, runningOperation: { ...operation, ...approval } };
    }
    case 'page_changed':
      return { ...session, url: trigger.url, pageTitle: trigger.pageTitle };
    case 'dialog_changed': {
      const { dialog: _before, ...fields } = session;
      return { ...fields, ...(trigger.dialog !== null && { dialog: trigger.dialog }) };
    }
    case 'close': {
      const { by, reason } = trigger;
      return {
        ...closed(session, trigger.at),
        ...(by !== undefined && { endedBy: by }),
        ...(reason !== undefined && { reason }),
      };
    }
    case 'clock': {
      const expiry = expiresAt(session);
      return expiry !== null && trigger.at >= expiry
        ? { ...closed(session, trigger.at), status: 'timed_out' }
        : session;
    }
    // Shift the times, so that the remaining time stays the same.
    case 'clock_jumped':
      return {
        ...session,
        lastAccessedAt: session.lastAccessedAt + trigger.byMs,
        clockShiftMs: (session.clockShiftMs ?? 0) + trigger.byMs,
        ...(session.lifetimeEndsAt !== undefined && {
          lifetimeEndsAt: session.lifetimeEndsAt + trigger.byMs,
        }),
      };
    case 'browser_lost':
    case 'limit_exceeded':
      return { ...closed(session, trigger.at), status: 'error', error: trigger.reason };
  }
}

function closed(session: ActiveSession, at: number): ClosedSession {
  const {
    running: _running,
    runningOperation: _operation,
    takeOver: _takeOver,
    dialog: _dialog,
    lifetimeEndsAt: _lifetimeEndsAt,
    ...fields
  } = session;
  return {
    ...fields,
    status: 'closed',
    endedAt: Math.max(at, session.createdAt + (session.clockShiftMs ?? 0)),
  };
}

/** Returns why a session ended, as a sentence; null while it is active, and if a caller closed it. */
export function endReason(session: Session): string | null {
  switch (session.status) {
    case 'active':
      return null;
    case 'closed':
      return session.reason ?? null;
    case 'error':
      return session.error;
    case 'timed_out':
      return timedOutByIdleness(session)
        ? `It was idle for ${minutesText(session.timeoutMinutes)}.`
        : 'It reached its maximum lifetime.';
  }
}

/** Creates the failure of an operation on an ended session: SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR. */
export function sessionEndedFailure(session: EndedSession): Failure {
  const context = { session };
  switch (session.status) {
    case 'closed':
      return new Failure('SESSION_CLOSED', `Session ${session.id} is closed. Start a new session.`, context);
    case 'timed_out':
      return new Failure(
        'SESSION_TIMED_OUT',
        timedOutByIdleness(session)
          ? `Session ${session.id} was idle for ${minutesText(session.timeoutMinutes)} and timed out. Start a new session.`
          : `Session ${session.id} reached its maximum lifetime. Start a new session.`,
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
