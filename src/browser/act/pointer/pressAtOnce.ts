/** Presses an element that is in view, without Playwright's wait for it to become ready. */
import { raceDeadline, shortenDeadline } from '../../cdp/cdpChannel.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { READY_TIMEOUT_MS } from '../ready/timeoutOption.ts';
import type { Point } from './geometry.ts';

/** Returns the point of the visible page at which the element can be pressed; scrolls it into view. Null if it is not ready for a press. */
export async function pressablePoint(element: ElementContext): Promise<Point | null> {
  const { inView, listed, world, coveredBy, guard, hasBox } = element;
  if (inView !== null) return inView;
  if (!hasBox || coveredBy !== null || listed.framePath.length > 0) return null;
  const revealed = await world.callAgent('reveal', listed.key);
  if (revealed === null) return null;
  guard.armed = true;
  return { x: revealed[0], y: revealed[1] };
}

/** Maximum wait for what the page does about a press, before the button is released. Milliseconds. */
const HELD_TIMEOUT_MS = 120;
const HELD_FRAMES = 3;

/** Gives the page the time in which a hand holds the button: some listen for the release only in a frame after the press. */
export const betweenPressAndRelease = ({ world }: ElementContext): Promise<unknown> =>
  world.callAgent('waitForRest', HELD_FRAMES, HELD_TIMEOUT_MS);

/**
 * Moves the pointer to a point of the visible page and clicks there. The click guard cancels the press if it does not reach
 * the element, or if the element means something else than was listed: `PageAgent.clickResult` returns the result.
 * @returns false if the page is busy with the press and has not confirmed it
 */
export async function pressAtOnce(element: ElementContext, { x, y }: Point): Promise<boolean> {
  const { tab, world, listed, guard, hearsArrival } = element;
  using deadline = shortenDeadline(element.deadline, READY_TIMEOUT_MS);
  const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', pressed: boolean) =>
    tab.target.channel.send(
      'Input.dispatchMouseEvent',
      pressed ? { type, x, y, button: 'left', buttons: 1, clickCount: 1 } : { type, x, y },
      deadline,
    );
  const press = async (): Promise<void> => {
    if (!guard.armed) await world.callAgent('armClickGuard', listed.key, true);
    guard.armed = false;
    const moved = send('mouseMoved', false);
    // A page that reacts to the arriving pointer does so before the press, as for a hand; else all goes in one message.
    if (hearsArrival) await moved;
    const down = Promise.all([moved, send('mousePressed', true)]);
    if (element.hearsPressOnly) await down.then(() => betweenPressAndRelease(element));
    await Promise.all([down, send('mouseReleased', true)]);
  };
  try {
    await raceDeadline(press(), deadline);
    return true;
  } catch (error) {
    if (element.deadline.signal.aborted || !deadline.signal.aborted) throw error;
    return false;
  }
}
