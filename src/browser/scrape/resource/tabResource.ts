/** Reads the resource that a tab shows, if it is not HTML. */
import type { Deadline } from '../../../domain/ports/deadline.ts';
import type { ImageSize } from '../../injected/scrape/pageScraper.ts';
import type { Tab } from '../../tab/tab.ts';
import { callScraper, installScraper } from '../callScraper.ts';
import { type Resource, resourceKind } from './scrapeResource.ts';

/**
 * Returns the resource that a tab shows, with its bytes as the network delivered them. Null for HTML. Also null if the browser no longer has the response:
 * the caller then scrapes the document that the browser made of it.
 */
export async function tabResource(tab: Tab, deadline: Deadline): Promise<Resource | null> {
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
  const body = Buffer.from(response.body, response.base64Encoded ? 'base64' : 'utf8');
  const size = resourceKind(document.contentType) === 'image' ? await readImageSize(tab, deadline) : null;
  return { contentType, body, url: tab.redactedUrl, ...(size !== null && { size }) };
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
