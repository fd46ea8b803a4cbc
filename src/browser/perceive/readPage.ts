/** Reads a page again when it navigates meanwhile, and when a script without end has blocked it. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { pageCrashedFailure } from '../cdp/errors.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { ReplacementLimit } from '../tab/replacementLimit.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';

/** Maximum time to read the page; after that, its running script is terminated and the page is read again. */
const SCRIPT_TIMEOUT_MS = 8_000;
/**
 * Calls `read` with the isolated world of a tab's top document, until it succeeds or the deadline ends.
 * @param read receives the deadline of this attempt
 * @returns null when a dialog has opened meanwhile
 * @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED; NAVIGATION_FAILED when the page replaces its document without end
 */
export async function readPage<Result>(
  tab: Tab,
  deadline: Deadline,
  read: (world: IsolatedWorld, attemptDeadline: Deadline) => Promise<Result>,
): Promise<Result | null> {
  using firstDeadline = shortenDeadline(deadline, SCRIPT_TIMEOUT_MS);
  let attemptDeadline: Deadline = firstDeadline;
  const limit = new ReplacementLimit(tab);
  for (;;) {
    try {
      const attempt = attemptDeadline;
      return await tab.scripts.whileReading(async () => read(await tab.world(attempt), attempt));
    } catch (error) {
      if (deadline.signal.aborted) throw error;
      if (error instanceof Interrupted && tab.dialog !== null) return null;
      if (error instanceof Interrupted) throw pageCrashedFailure(error);
      if (attemptDeadline.signal.aborted) {
        // A script of the page runs endlessly and blocks every call. After its termination the page can be read.
        tab.terminateScript();
        tab.scripts.endedWhileReading();
        attemptDeadline = deadline;
      } else limit.assertMayReadAgain(error);
      // Otherwise the page has navigated, or the end of its script has ended ours as well: read again.
    }
  }
}
