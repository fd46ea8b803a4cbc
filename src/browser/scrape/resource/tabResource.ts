/** Reads the resource that a tab shows, if it is not HTML. */
import type { Deadline } from '../../../domain/ports/clock.ts';
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
