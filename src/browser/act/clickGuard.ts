/** Presses that are known to have come to what they were meant for. */
import { raceDeadline, shortenDeadline } from '../cdp/cdpChannel.ts';
import type { ElementContext } from './elementContext.ts';

/** Something else comes under the pointer each time: it was pressed by nobody. */
export class ClickIntercepted extends Error {
  constructor() {
    super('The press was held back.');
    this.name = 'HeldBack';
  }
}

/** A page may move something under the pointer when it comes; one that does so again and again is not pressed. */
const MAX_TRIES = 3;
/** A page that does not answer in this time is busy with the press. Milliseconds. */
const PAGE_ANSWER_TIMEOUT_MS = 300;

/**
 * Presses, again where the press was held back. The driver looks what lies under the pointer when it presses, and holds the
 * press back from anything else, but says so only where it also waits for what the press brings about.
 * @param forced whether the driver does not look: then the page's observer does
 * @throws HeldBack
 */
export async function guardedClick(
  element: ElementContext,
  forced: boolean,
  click: () => Promise<void>,
): Promise<void> {
  const { world, listed, deadline } = element;
  for (let left = MAX_TRIES; left > 0; left--) {
    const awaiting = world.callAgent('armClickGuard', forced ? listed.key : null);
    if (forced) await awaiting;
    else awaiting.catch(() => {});
    await click();
    const answer = world.callAgent('wasClickIntercepted');
    // A page that went elsewhere, or is busy, has got the press.
    const intercepted = await raceDeadline(answer, shortenDeadline(deadline, PAGE_ANSWER_TIMEOUT_MS)).catch(
      () => false,
    );
    if (!intercepted) return;
  }
  throw new ClickIntercepted();
}
