/** Reads the metadata of the page in a tab: its URL, title and HTTP status, and the open tabs. */

import type { Deadline } from '../../domain/ports/deadline.ts';
import { shownUrl } from '../../domain/redactUrl.ts';
import type { PageMetadata, TabInfo } from '../../domain/space/page.ts';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';
import type { Tab } from '../tab/tab.ts';
import { readPage } from './readPage.ts';

/** Maximum length of the page title, as in an observation. Characters. */
const MAX_TITLE_LENGTH = 1_000;

/** Returns URL and title. Calls the getters of the prototype: images named `URL` and `title` hide the properties of the document. */
const READ_URL_AND_TITLE = `() => ['URL', 'title'].map(name =>
  Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document))`;

/**
 * Reads the metadata of a tab's page, without its actions. While a dialog is open, returns what was read last.
 * @param tabs returns the id, title and URL of each tab; called after the page was read
 * @param timestamp returns the time of the reading, in milliseconds since the epoch
 * @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED
 */
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
