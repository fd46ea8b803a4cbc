import { isInputDispatched, isTimeout, notReadyReasonOf } from '../cdp/playwrightInternals.ts';
import { blockedFailure } from './blockedFailure.ts';
import type { ElementContext } from './elementContext.ts';
import { timeoutOption } from './timeoutOption.ts';

/** Maximum wait for an element to stop moving; after that it is clicked while it moves. Milliseconds. */
const MOVING_TIMEOUT_MS = 700;

/**
 * Waits until the element is actionable, then runs `act`. If the element never stops moving, runs `act` while it moves,
 * unless another element covers it.
 * @param act passes the options to Playwright
 */
export async function whenStable(
  element: ElementContext,
  act: (options: { timeout: number; force?: boolean }) => Promise<void>,
): Promise<void> {
  const { deadline, readyTimeoutMs } = element;
  const firstTimeoutMs = readyTimeoutMs > 2 * MOVING_TIMEOUT_MS ? MOVING_TIMEOUT_MS : readyTimeoutMs;
  const isMoving = (error: unknown) => isTimeout(error) && notReadyReasonOf(error) === 'moving';
  try {
    return await act(timeoutOption(deadline, firstTimeoutMs));
  } catch (error) {
    if (isMoving(error)) return actOnMovingElement(element, act, error);
    if (!isTimeout(error) || isInputDispatched(error) || firstTimeoutMs === readyTimeoutMs) throw error;
  }
  try {
    await act(timeoutOption(deadline, readyTimeoutMs - firstTimeoutMs));
  } catch (error) {
    if (!isMoving(error)) throw error;
    await actOnMovingElement(element, act, error);
  }
}

/** With `force` Playwright does not check what covers the element, so that is checked before. @throws Failure ACTION_BLOCKED */
async function actOnMovingElement(
  element: ElementContext,
  act: (options: { timeout: number; force: boolean }) => Promise<void>,
  error: unknown,
): Promise<void> {
  const resolution = await element.world.callAgent('resolve', element.listed.key);
  if (resolution.state !== 'present' || resolution.status !== 'valid')
    throw blockedFailure(element, 'covered', error);
  await act({ ...timeoutOption(element.deadline), force: true });
}
