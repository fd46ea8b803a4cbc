/** Tells the crash of a page from that of its browser, which ends the session. */
import { setImmediate } from 'node:timers/promises';
import { afterMs, onAbort, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';

/** Maximum wait for the answer of the browser, in milliseconds. */
const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Waits, after the crash of a page, until it is known whether its browser lives. If it does not, the session has ended when this
 * resolves, and the deadline has aborted with the reason. Never rejects.
 * @param browserAnswers resolves when the browser answers or has disconnected
 */
export async function untilLossIsKnown(browserAnswers: Promise<void>, { signal }: Deadline): Promise<void> {
  await race(browserAnswers, afterMs(ANSWER_TIMEOUT_MS), onAbort(signal)).catch(() => {});
  // The listeners of the disconnection end the session in this turn of the event loop.
  await setImmediate();
}
