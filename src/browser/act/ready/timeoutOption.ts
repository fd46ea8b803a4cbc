import type { Deadline } from '../../../domain/ports/clock.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import { MIN_PLAYWRIGHT_TIMEOUT_MS } from '../../cdp/playwrightInternals.ts';

/** Maximum time in which an element must become visible, stable, enabled and uncovered. */
export const READY_TIMEOUT_MS = 3_000;
/**
 * Maximum time in which an element must become uncovered, if another element covered it at the start of the step. The end
 * of an animation may uncover it.
 */
export const COVERED_READY_TIMEOUT_MS = 800;

/**
 * Returns the `timeout` option for a call of Playwright: `timeoutMs`, or the time left until the deadline if that is
 * shorter; at least `MIN_PLAYWRIGHT_TIMEOUT_MS`.
 * @throws Failure of the deadline, if it has passed or the caller has disconnected
 */
export function timeoutOption(deadline: Deadline, timeoutMs = READY_TIMEOUT_MS): { timeout: number } {
  if (deadline.signal.aborted) throw deadlineFailure(deadline);
  return { timeout: Math.max(MIN_PLAYWRIGHT_TIMEOUT_MS, Math.min(timeoutMs, deadline.remainingMs())) };
}
