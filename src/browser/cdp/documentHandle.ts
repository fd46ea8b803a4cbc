/** The CDP object of a document in the page's own world. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { CdpChannel } from './cdpChannel.ts';
import type { MainWorldContext } from './frameWorlds.ts';

/**
 * Returns the CDP object id of `document` in the page's own world; null if Chromium returns none. One round trip for the first call in
 * a document, else none. A page cannot override the global `document`.
 * @throws Failure of `deadlineFailure`; Playwright's error when the document is gone
 */
export async function documentHandle(
  channel: CdpChannel,
  page: MainWorldContext,
  deadline: Deadline,
): Promise<string | null> {
  if (page.documentHandle !== null) return page.documentHandle;
  const params = { expression: 'document', contextId: page.contextId };
  const { result } = await channel.send('Runtime.evaluate', params, deadline);
  page.documentHandle = result.objectId ?? null;
  return page.documentHandle;
}
