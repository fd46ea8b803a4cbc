/** The triggers that end a running session, and the reasons that its event log gives for them. */
import { type EndedSession, timedOutByIdleness } from '../../domain/session/session.ts';
import type { SessionTrigger } from '../../domain/session/sessionTransition.ts';

/** The triggers that can end a session. `clock` ends it only if it has expired. */
export type EndTrigger = Extract<
  SessionTrigger,
  { type: 'close' | 'clock' | 'browser_lost' | 'limit_exceeded' }
>;

/** Returns the reason of the `ended` event; null if the status of the session explains the end completely. */
export function endReason(trigger: EndTrigger, session: EndedSession): string | null {
  if (trigger.type !== 'clock' && trigger.reason !== undefined) return trigger.reason;
  return session.status === 'timed_out' && !timedOutByIdleness(session)
    ? 'It reached its maximum lifetime.'
    : null;
}
