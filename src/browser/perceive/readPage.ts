/** Reads a page again when it navigates meanwhile, and when a script without end has blocked it. */
import type { Deadline } from '../../domain/ports/clock.ts';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';
import type { PageMetadata, TabInfo } from '../../domain/space/space.ts';
import { shownUrl } from '../../domain/webAddress.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { pageCrashedFailure } from '../cdp/errors.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { Interrupted, ReplacementLimit, type Tab } from '../tab/tab.ts';

const MAX_TITLE_LENGTH = 1_000;

/** Returns URL and title. Calls the getters of the prototype: images named `URL` and `title` hide the properties of the document. */
const READ_URL_AND_TITLE = `() => ['URL', 'title'].map(name =>
  Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document))`;

/** Reads the metadata; while a dialog is open, what was read last. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
export async function readPageMetadata(
  tab: Tab,
  tabs: () => readonly TabInfo[],
  timestamp: () => number,
  deadline: Deadline,
): Promise<PageMetadata> {
  const read =
    tab.dialog === null
      ? await readPage(tab, deadline, world =>
          tab.interruptible(world.call<[url: string, title: string]>(READ_URL_AND_TITLE)),
        )
      : null;
  if (read === null || tab.network.unreachableUrl !== null)
    return pageMetadata(tab, tab.redactedUrl, read === null ? tab.title : '', tabs(), timestamp());
  const [url, title] = read;
  tab.title = truncate(normalizeText(title), MAX_TITLE_LENGTH);
  return pageMetadata(tab, url, tab.title, tabs(), timestamp());
}

/** Creates the metadata of a tab's page. @param url may contain credentials */
export const pageMetadata = (
  tab: Tab,
  url: string,
  title: string,
  tabs: readonly TabInfo[],
  timestamp: number,
): PageMetadata => ({ url: shownUrl(url), title, timestamp, httpStatus: tab.network.httpStatus, tabs });

/** Maximum time to read the page; after that, its running script is terminated and the page is read again. */
const SCRIPT_TIMEOUT_MS = 8_000;
/** Calls `read` until it succeeds; null when a dialog has opened. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED, NAVIGATION_FAILED */
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
