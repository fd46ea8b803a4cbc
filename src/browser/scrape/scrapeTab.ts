/** Scrapes a tab: the content of its page or resource, values extracted by a schema, and a PDF of the page. */
import { incompleteNames, type MissingContent } from '../../domain/content/contentParts.ts';
import type { ScrapedData, ScrapeRequest } from '../../domain/content/scrape.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { ReplacementLimit, type Tab } from '../tab/tab.ts';
import { callScraper, installScraper } from './callScraper.ts';
import { extractPage } from './extract/extractPage.ts';
import { type DownloadedFile, fileResource } from './resource/fileResource.ts';
import { mimeType } from './resource/mimeType.ts';
import { scrapeResource } from './resource/scrapeResource.ts';
import { tabResource } from './resource/tabResource.ts';
import { scrapePage } from './scrapePage.ts';

/**
 * Scrapes what a tab shows: the content parts of the HTML page, or of a resource such as a PDF or JSON. Of an HTML page,
 * also reads the values for `extract` and prints a PDF, if requested.
 * @param file the file that the browser downloaded instead of opening the last URL; null if it opened a page
 * @throws Failure VALIDATION_ERROR for an invalid schema, NAVIGATION_FAILED for a file that cannot be read, and for a
 * page that replaces its document without end
 */
export async function scrapeTab(
  tab: Tab,
  file: DownloadedFile | null,
  {
    extract = null,
    pdf = false,
    scroll = false,
    dismissBanners = false,
    chunk: _chunk,
    ...request
  }: ScrapeRequest,
  deadline: Deadline,
): Promise<ScrapedData> {
  const resource = file === null ? await tabResource(tab, deadline) : await fileResource(file);
  if (resource !== null) {
    const data = await scrapeResource(resource, request, deadline.signal);
    const source = file === null ? {} : { file: { url: file.url, name: file.name } };
    return { ...data, ...source, contentType: mimeType(resource.contentType), extracted: null, pdf: null };
  }
  if (dismissBanners) await refuseConsent(tab, deadline);
  const isRead = scroll ? await scrollToEnd(tab, deadline) : true;
  const data = await retryAfterNavigation(tab, deadline, async () =>
    scrapePage(await tab.world(deadline), request),
  );
  const extracted =
    extract === null
      ? null
      : await retryAfterNavigation(tab, deadline, async () =>
          extractPage(await tab.world(deadline), extract, deadline.signal),
        );
  const missing: MissingContent[] = [];
  if (!isRead) missing.push('rows');
  const next = tab.network.scheduledNavigation;
  if (next !== null && !next.isReload) missing.push('refresh');
  return {
    ...data,
    contentType: mimeType(tab.network.document?.contentType ?? 'text/html'),
    extracted: extracted?.value ?? null,
    extractErrors: extracted?.errors ?? null,
    incomplete: [
      ...new Set([
        ...(data.incomplete ?? []),
        ...incompleteNames(extracted?.isTruncated ? ['extracted'] : [], missing),
      ]),
    ],
    pdf: pdf ? await printPdf(tab, deadline) : null,
  };
}

/** Bounds of scrolling: time in milliseconds, distance in CSS pixels, rows. */
const MAX_SCROLL_MS = 30_000;
const MAX_SCROLL_PX = 200_000;
const MAX_SCROLL_ROWS = 5_000;
/** An endless list is at its end if this many steps in a row bring nothing more: its next rows may be on their way. */
const STEPS_AT_END = 3;

/** Scrolls to the end of the page's longest list. Returns false if a bound ended that. */
async function scrollToEnd(tab: Tab, deadline: Deadline): Promise<boolean> {
  const began = performance.now();
  let atEnd = 0;
  for (let isFirst = true; ; isFirst = false) {
    const step = await retryAfterNavigation(tab, deadline, async () => {
      const world = await tab.world(deadline);
      await installScraper(world);
      return callScraper(world, 'scrollList', isFirst);
    });
    const { isAtEnd, position, rows } = await step;
    atEnd = isAtEnd ? atEnd + 1 : 0;
    if (atEnd >= STEPS_AT_END) return true;
    if (performance.now() - began > MAX_SCROLL_MS || position > MAX_SCROLL_PX || rows > MAX_SCROLL_ROWS)
      return false;
  }
}

/** Refuses what a consent banner asks for, and waits until the page has settled; does nothing without such a banner. */
export async function refuseConsent(tab: Tab, deadline: Deadline): Promise<void> {
  await retryAfterNavigation(tab, deadline, async () => {
    for (const world of [await tab.world(deadline), ...(await (await tab.world(deadline)).children())]) {
      await installScraper(world);
      if (await callScraper(world, 'refuseConsent')) return;
    }
  });
}

/** Returns the result of `work`. Runs it again if the page navigates meanwhile, or if a script that blocked the page had to be terminated. */
async function retryAfterNavigation<T>(tab: Tab, deadline: Deadline, work: () => Promise<T>): Promise<T> {
  const limit = new ReplacementLimit(tab);
  for (;;) {
    try {
      return await tab.interruptible(work());
    } catch (error) {
      if (deadline.signal.aborted) throw error;
      limit.assertMayReadAgain(error);
    }
  }
}

async function printPdf(tab: Tab, deadline: Deadline): Promise<string> {
  const params = { printBackground: true, transferMode: 'ReturnAsBase64' } as const;
  return (await tab.interruptible(tab.target.channel.send('Page.printToPDF', params, deadline))).data;
}
