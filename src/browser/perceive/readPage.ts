/** Reads a page again when it navigates meanwhile, and when a script without end has blocked it. */
import { Failure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { pageCrashedFailure, pageGivenUpFailure } from '../cdp/errors.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { isDocumentGone, isExecutionTerminated } from '../cdp/playwrightInternals.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';

/** Maximum time to read the page; after that, its running script is terminated and the page is read again. */
const SCRIPT_TIMEOUT_MS = 8_000;
/** A page that replaces its document this often while it is read does so without end. */
const MAX_REPLACEMENTS = 12;
/** A page that is not read after so many ends of scripts never is. */
const MAX_TERMINATIONS = 50;

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
  for (let replacements = 0, terminations = 0; ; ) {
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
      } else if (isDocumentGone(error)) {
        replacements++;
        if (replacements > MAX_REPLACEMENTS) throw endlessReplacementFailure(tab, error);
      } else if (!isExecutionTerminated(error)) throw error;
      else if (++terminations > MAX_TERMINATIONS) throw pageGivenUpFailure();
      // Otherwise the page has navigated, or the end of its script has ended ours as well: read again.
    }
  }
}

function endlessReplacementFailure(tab: Tab, cause: unknown): Failure {
  tab.replacesItself = true;
  return new Failure(
    'NAVIGATION_FAILED',
    'The page replaces itself without end, so it could not be read. Open another address.',
    { retryable: false, cause },
  );
}
