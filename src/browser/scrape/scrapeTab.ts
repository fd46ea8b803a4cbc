/** Scrapes a tab: the content of its page or resource, values extracted by a schema, and a PDF of the page. */

import { incompleteNames, type MissingContent } from '../../domain/content/contentParts.ts';
import type { ScrapedData, ScrapeRequest } from '../../domain/content/scrape.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { ImageSize } from '../injected/scrape/pageScraper.ts';
import { ReplacementLimit, type Tab } from '../tab/tab.ts';
import { callScraper, installScraper } from './callScraper.ts';
import { extractPage } from './extract/extractPage.ts';
import { type DownloadedFile, fileResource } from './resource/fileResource.ts';
import { mimeType } from './resource/resourceContent.ts';
import { type Resource, resourceKind, scrapeResource } from './resource/scrapeResource.ts';
import { scrapePage } from './scrapePage.ts';

/**
 * Returns the resource that a tab shows, with its bytes as the network delivered them. Null for HTML. Also null if the browser no longer has the response:
 * the caller then scrapes the document that the browser made of it.
 */
async function tabResource(tab: Tab, deadline: Deadline): Promise<Resource | null> {
  const { document } = tab.network;
  if (document === null || resourceKind(document.contentType) === null) return null;
  const pendingBody = tab.target.channel.send(
    'Network.getResponseBody',
    { requestId: document.id },
    deadline,
  );
  const response = await pendingBody.catch(error => {
    if (deadline.signal.aborted) throw error;
    return null;
  });
  if (response === null) return null;
  // Chromium has already decoded text, and returns it as UTF-8.
  const contentType = response.base64Encoded
    ? document.contentType
    : `${document.contentType.split(';', 1)[0]}; charset=utf-8`;
  const hasCharset = /charset\s*=/i.test(document.contentType);
  const text = response.base64Encoded || hasCharset ? response.body : utf8Text(response.body);
  const body = Buffer.from(text, response.base64Encoded ? 'base64' : 'utf8');
  const size = resourceKind(document.contentType) === 'image' ? await readImageSize(tab, deadline) : null;
  return { contentType, body, url: tab.redactedUrl, ...(size !== null && { size }) };
}

/** The byte of each character that Windows-1252 has beyond Latin-1. */
const WINDOWS_1252 = new Map(
  Array.from({ length: 32 }, (_, at) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + at)),
    0x80 + at,
  ]),
);

/**
 * Returns a text that has no charset as UTF-8, if its bytes are valid UTF-8: Chromium reads it as Windows-1252, which gives each byte a
 * character.
 */
function utf8Text(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const byte = code < 0x100 ? code : WINDOWS_1252.get(text.charAt(at));
    if (byte === undefined) return text;
    bytes[at] = byte;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: Chromium was right.
    return text;
  }
}

async function readImageSize(tab: Tab, deadline: Deadline): Promise<ImageSize | null> {
  const read = async () => {
    const world = await tab.world(deadline);
    await installScraper(world);
    return callScraper(world, 'imageSize');
  };
  return tab.interruptible(read()).catch(error => {
    if (deadline.signal.aborted) throw error;
    return null;
  });
}

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
  const [data, hasEnd] = await Promise.all([
    retryAfterNavigation(tab, deadline, async () => scrapePage(await tab.world(deadline), request)),
    hasWholeBody(tab, deadline),
  ]);
  const extracted =
    extract === null
      ? null
      : await retryAfterNavigation(tab, deadline, async () =>
          extractPage(await tab.world(deadline), extract, deadline.signal),
        );
  const missing: MissingContent[] = [];
  if (!isRead) missing.push('rows');
  if (!hasEnd) missing.push('end');
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

/** The end of HTML that was cut in a tag, which the parser drops. */
const CUT_IN_TAG = /^<[a-z/][^<>]*$/i;
/** No tag is longer than this. Characters. */
const MAX_TAG_CHARACTERS = 10_000;
/** The verdicts on the latest documents whose response has come: reading a large body takes a second. */
const verdicts = new WeakMap<Tab, { readonly id: string; readonly isWhole: boolean }>();

/**
 * Returns false if the response with the document ended early. The browser says nothing of compressed data that are cut. The session's proxy
 * finds gzip where it sees it, not behind TLS; otherwise only HTML that ends in a tag is known to be cut: many whole pages leave end tags out.
 */
async function hasWholeBody(tab: Tab, deadline: Deadline): Promise<boolean> {
  const { document, isDocumentBroken, loading } = tab.network;
  if (isDocumentBroken) return false;
  if (document?.isCompressed !== true) return true;
  const known = verdicts.get(tab);
  if (known?.id === document.id) return known.isWhole;
  const response = await tab.target.channel
    .send('Network.getResponseBody', { requestId: document.id }, deadline)
    // The browser no longer has the response.
    .catch(() => null);
  const isWhole = response === null || isWholeHtml(response.body);
  if (!loading) verdicts.set(tab, { id: document.id, isWhole });
  return isWhole;
}

/** Returns false for HTML that ends in a tag. */
function isWholeHtml(html: string): boolean {
  const last = html.lastIndexOf('<');
  const end = html.slice(Math.max(last, html.length - MAX_TAG_CHARACTERS));
  const isInScript = html.lastIndexOf('<script') > html.lastIndexOf('</script');
  return isInScript || /^<\/html(?=[\s>]|$)/i.test(end) || !CUT_IN_TAG.test(end);
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
