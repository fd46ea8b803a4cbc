import { afterMs, race } from '../../../async/race.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import { quote } from '../../../domain/space/pageText.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import {
  coveringTagOf,
  hasLeftView,
  isDocumentGone,
  isInputDispatched,
  isTimeout,
  MIN_PLAYWRIGHT_TIMEOUT_MS,
  type NotReadyReason,
  notReadyReasonOf,
} from '../../cdp/playwrightInternals.ts';
import type { Tab } from '../../tab/tab.ts';
import type { ElementContext } from '../element/elementContext.ts';

/** The time that is left for the answer after a gesture that does not end. Milliseconds. */
const GESTURE_RESERVE_MS = 5_000;

/**
 * Waits for a gesture, but ends before the operation does, so that the caller learns what did not end. Ends at once if the page
 * opens dialogs without end meanwhile.
 * @param what the action, for the failure text, such as `B3 (button "Save")`
 * @throws Failure ACTION_BLOCKED when the gesture has not ended; OPERATION_TIMEOUT; errors of `gesture`
 */
export function withinBound<T>(
  gesture: Promise<T>,
  what: string,
  { deadline, tab }: { readonly deadline: Deadline; readonly tab: Pick<Tab, 'dialogs'> },
): Promise<T> {
  const left = deadline.remainingMs();
  const boundMs = Math.max(left / 2, left - GESTURE_RESERVE_MS);
  return race(
    gesture,
    tab.dialogs.onEndless,
    afterMs(boundMs, () => {
      throw new Failure(
        'ACTION_BLOCKED',
        `${what} did not end within ${Math.round(boundMs / 1_000)} seconds: the page is busy.`,
      );
    }),
  );
}

/** Maximum wait for an element to stop moving; after that, the action is done while the element moves. */
const MOVING_TIMEOUT_MS = 700;

/**
 * Runs `act`, in which Playwright waits until the element is ready. If the element does not stop moving, runs `act` again
 * with `force`, so that it acts on the moving element.
 * @param act calls a method of Playwright, such as `click`, with these options
 * @throws Failure ACTION_BLOCKED when another element covers the moving element; errors of `act`
 */
export async function whenStable(
  element: ElementContext,
  act: (options: { timeout: number; force?: boolean }) => Promise<void>,
): Promise<void> {
  const { deadline, readyTimeoutMs } = element;
  const isPatient = readyTimeoutMs > 2 * MOVING_TIMEOUT_MS;
  const isMoving = (error: unknown) => isTimeout(error) && notReadyReasonOf(error) === 'moving';
  const isUndecided = (error: unknown) =>
    isTimeout(error) && notReadyReasonOf(error) === 'other' && !isInputDispatched(error);
  try {
    return await act(timeoutOption(deadline, isPatient ? MOVING_TIMEOUT_MS : readyTimeoutMs));
  } catch (error) {
    if (isMoving(error)) return actOnMovingElement(element, act, error);
    const isWorthAnotherTry = isPatient ? isTimeout(error) && !isInputDispatched(error) : isUndecided(error);
    if (!isWorthAnotherTry || (isUndecided(error) && (await isGone(element)))) throw error;
  }
  try {
    return await act(
      timeoutOption(deadline, isPatient ? readyTimeoutMs - MOVING_TIMEOUT_MS : READY_TIMEOUT_MS),
    );
  } catch (error) {
    if (isMoving(error)) return actOnMovingElement(element, act, error);
    if (!isUndecided(error) || (await isGone(element))) throw error;
  }
  // The page draws so slowly that Playwright could not decide whether the element is ready: the deadline decides.
  await act(timeoutOption(deadline, deadline.remainingMs() - ANSWER_RESERVE_MS));
}

/**
 * Runs `act` with `force` on an element that does not stop moving. With `force` Playwright does not check whether another
 * element covers it, so this function checks it before.
 * @throws Failure ACTION_BLOCKED when the element is gone, covered or disabled
 */
async function actOnMovingElement(
  element: ElementContext,
  act: (options: { timeout: number; force: boolean }) => Promise<void>,
  error: unknown,
): Promise<void> {
  const resolution = await element.world.callAgent('resolve', element.listed.key);
  if (resolution.state !== 'present' || resolution.status !== 'valid')
    throw blockedFailure(element, 'covered', error);
  const { deadline } = element;
  await act({ ...timeoutOption(deadline, deadline.remainingMs() - ANSWER_RESERVE_MS), force: true });
}

/** Maximum time in which an element must become visible, stable, enabled and uncovered. */
export const READY_TIMEOUT_MS = 3_000;
/** For an element that was covered at the start of the step: the end of an animation may uncover it. */
export const COVERED_READY_TIMEOUT_MS = 800;

/** Returns Playwright's `timeout`, within the deadline. @throws Failure of the deadline */
export function timeoutOption(deadline: Deadline, timeoutMs = READY_TIMEOUT_MS): { timeout: number } {
  if (deadline.signal.aborted) throw deadlineFailure(deadline);
  return { timeout: Math.max(MIN_PLAYWRIGHT_TIMEOUT_MS, Math.min(timeoutMs, deadline.remainingMs())) };
}

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

/** Creates ACTION_BLOCKED. @param cause its text can name the covering element */
export function blockedFailure(element: ElementContext, reason: NotReadyReason, cause: unknown): Failure {
  const { id, description } = element.listed;
  const tag = coveringTagOf(cause);
  const why: Readonly<Record<NotReadyReason, string>> = {
    covered: `it is covered by ${element.coveredBy ?? (tag === null ? 'another element' : quote(tag))}`,
    moving: 'it does not stand still',
    invisible: 'it is not visible',
    disabled: 'it is disabled',
    outside:
      'it lies where nothing can be scrolled to: outside of the page, or of a box that only the page itself moves',
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

type ReadyElement = Pick<ElementContext, 'deadline' | 'readyTimeoutMs'> & PresentElement;

/** Runs `act`, once more until the deadline if the page was too busy to say why the element is not ready. @throws errors of `act` */
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

export const scrollIntoView = (element: ElementContext): Promise<void> =>
  whenReady(element, options => element.locator.scrollIntoViewIfNeeded(options));
