import { isInputDispatched, isTimeout, notReadyReasonOf } from '../../cdp/playwrightInternals.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { ANSWER_RESERVE_MS, blockedFailure, isGone, READY_TIMEOUT_MS, timeoutOption } from './whenReady.ts';

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
