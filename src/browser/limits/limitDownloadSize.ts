/** Breaks off downloads that grow past the bound of a session's files while they run: until they end nobody else sees their size. */
import type { CDPSession } from 'playwright';

/**
 * Chromium tells of a download's size twice a second, so one may pass the bound by what it takes in that time.
 * @param session of the whole browser, not of a page: what a window downloads as it opens belongs to no page yet
 */
export async function limitDownloadSize(session: CDPSession, maxBytes: number): Promise<void> {
  session.on('Browser.downloadProgress', ({ guid, receivedBytes, state }) => {
    if (state === 'inProgress' && receivedBytes > maxBytes) cancelDownload(session, guid).catch(() => {});
  });
  // Without a context it speaks of the default one, which nobody uses; the events tell of all.
  await session.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
}

/** Chromium does not say whose download it is, and breaks off none by the name of another context. */
async function cancelDownload(session: CDPSession, guid: string): Promise<void> {
  const { browserContextIds } = await session.send('Target.getBrowserContexts');
  const cancellations = browserContextIds.map(browserContextId =>
    session.send('Browser.cancelDownload', { guid, browserContextId }),
  );
  await Promise.allSettled(cancellations);
}
