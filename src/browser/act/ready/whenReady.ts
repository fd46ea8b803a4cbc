import { isTimeout, notReadyReasonOf } from '../../cdp/playwrightInternals.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { isGone, type PresentElement } from './isGone.ts';
import { timeoutOption } from './timeoutOption.ts';

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
