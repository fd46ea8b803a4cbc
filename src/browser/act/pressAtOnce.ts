/** Presses an element that is in view, without Playwright's wait for it to become ready. */
import { raceDeadline, shortenDeadline } from '../cdp/cdpChannel.ts';
import type { ElementContext } from './elementContext.ts';
import type { Point } from './geometry.ts';
import { READY_TIMEOUT_MS } from './timeoutOption.ts';

/**
 * Moves the pointer to a point of the visible page and clicks there. The click guard cancels the press if it does not reach
 * the element, or if the element means something else than was listed: `PageAgent.pressResult` returns the result.
 * @returns false if the page is busy with the press and has not confirmed it
 */
export async function pressAtOnce(element: ElementContext, { x, y }: Point): Promise<boolean> {
  const { tab, world, listed } = element;
  const deadline = shortenDeadline(element.deadline, READY_TIMEOUT_MS);
  const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', pressed: boolean) =>
    tab.target.channel.send(
      'Input.dispatchMouseEvent',
      pressed ? { type, x, y, button: 'left', buttons: 1, clickCount: 1 } : { type, x, y },
      deadline,
    );
  const press = async (): Promise<void> => {
    // The page reacts to the arriving pointer before the press, as it does for a hand.
    await Promise.all([world.callAgent('armClickGuard', listed.key, true), send('mouseMoved', false)]);
    await Promise.all([send('mousePressed', true), send('mouseReleased', true)]);
  };
  try {
    await raceDeadline(press(), deadline);
    return true;
  } catch (error) {
    if (element.deadline.signal.aborted || !deadline.signal.aborted) throw error;
    return false;
  }
}
