import type { Deadline } from '../../domain/ports/deadline.ts';
import { deadlineFailure } from '../cdp/errors.ts';
import { MIN_PLAYWRIGHT_TIMEOUT_MS } from '../cdp/playwrightInternals.ts';

/** Maximum time in which an element must become visible, stable, enabled and uncovered. */
export const READY_TIMEOUT_MS = 3_000;
/** The same for an element that was covered when it was resolved: an animation that ends may uncover it. */
export const COVERED_READY_TIMEOUT_MS = 800;

/**
 * Returns the timeout option for a call of Playwright: `timeoutMs`, or the rest of the deadline if that is shorter, but at least
 * `MIN_PLAYWRIGHT_TIMEOUT_MS`.
 * @throws Failure of the deadline, if it has passed
 */
export function timeoutOption(deadline: Deadline, timeoutMs = READY_TIMEOUT_MS): { timeout: number } {
  if (deadline.signal.aborted) throw deadlineFailure(deadline);
  return { timeout: Math.max(MIN_PLAYWRIGHT_TIMEOUT_MS, Math.min(timeoutMs, deadline.remainingMs())) };
}
