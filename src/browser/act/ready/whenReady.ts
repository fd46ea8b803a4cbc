import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import { quote } from '../../../domain/space/pageText.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import {
  coveringTagOf,
  hasLeftView,
  isDocumentGone,
  isTimeout,
  MIN_PLAYWRIGHT_TIMEOUT_MS,
  type NotReadyReason,
  notReadyReasonOf,
} from '../../cdp/playwrightInternals.ts';
import type { ElementContext } from '../element/elementContext.ts';

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

/** The parts of an `ElementContext` that this file uses. */
interface PresentElement extends Pick<ElementContext, 'listed'> {
  readonly world: Pick<ElementContext['world'], 'callAgent'>;
}

/** Returns true if the element is no longer in its document, or the document is gone: Playwright would wait for it in vain. */
export async function isGone({ world, listed }: PresentElement): Promise<boolean> {
  try {
    return !(await world.callAgent('isPresent', listed.key));
  } catch (error) {
    if (isDocumentGone(error)) return true;
    throw error;
  }
}

/**
 * Creates ACTION_BLOCKED for an element that did not become ready; the text gives the reason.
 * @param cause the error of Playwright or of `guardedClick`; its text can name the covering element
 */
export function blockedFailure(element: ElementContext, reason: NotReadyReason, cause: unknown): Failure {
  const { id, description } = element.listed;
  const tag = coveringTagOf(cause);
  const why: Readonly<Record<NotReadyReason, string>> = {
    covered: `it is covered by ${element.coveredBy ?? (tag === null ? 'another element' : quote(tag))}`,
    moving: 'it does not stand still',
    invisible: 'it is not visible',
    disabled: 'it is disabled',
    outside: 'it lies outside of the page',
    other: 'it did not become ready',
  };
  return new Failure('ACTION_BLOCKED', `${id} (${description}) cannot be done now: ${why[reason]}.`, {
    cause,
  });
}

/** Converts Playwright's error of an element that is not ready to ACTION_BLOCKED with the reason. Returns every other error unchanged. */
export function toBlockedFailure(element: ElementContext, error: unknown): unknown {
  if (!isTimeout(error) && !hasLeftView(error)) return error;
  return blockedFailure(element, notReadyReasonOf(error), error);
}

/** Time before the deadline that is left for the answer. Milliseconds. */
export const ANSWER_RESERVE_MS = 6_000;

/** The parts of an `ElementContext` that this file uses. */
type ReadyElement = Pick<ElementContext, 'deadline' | 'readyTimeoutMs'> & PresentElement;

/**
 * Runs `act`, in which Playwright waits until the element is ready. If the page was too busy to say why it is not, and
 * still has the element, runs `act` again until the deadline.
 * @param act calls a method of Playwright that has the same effect if it is called twice, such as `fill`
 * @throws errors of `act`
 */
export async function whenReady<T>(
  element: ReadyElement,
  act: (options: { timeout: number }) => Promise<T>,
): Promise<T> {
  const { deadline, readyTimeoutMs } = element;
  try {
    return await act(timeoutOption(deadline, readyTimeoutMs));
  } catch (error) {
    if (!isTimeout(error) || notReadyReasonOf(error) !== 'other') throw error;
    if (await isGone(element)) throw error;
  }
  return act(timeoutOption(deadline, deadline.remainingMs() - ANSWER_RESERVE_MS));
}

/** Scrolls the element into view, as `whenReady` does. */
export const scrollIntoView = (element: ElementContext): Promise<void> =>
  whenReady(element, options => element.locator.scrollIntoViewIfNeeded(options));
