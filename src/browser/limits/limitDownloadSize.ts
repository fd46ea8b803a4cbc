/** Cancels downloads that grow larger than the files of a session may be. No other part of the service sees their size while they run. */
import type { CDPSession } from 'playwright';

/**
 * Chromium reports the size of a download twice a second, so a download may exceed the limit by what it receives in that time.
 * @param session the browser's, not a page's: a download that a window starts while it opens belongs to no page yet
 */
export async function limitDownloadSize(session: CDPSession, maxBytes: number): Promise<void> {
  session.on('Browser.downloadProgress', ({ guid, receivedBytes, state }) => {
    if (state === 'inProgress' && receivedBytes > maxBytes) cancelDownload(session, guid).catch(() => {});
  });
  // Without a context the behaviour applies to the default one, which is not used; the events report all contexts.
  await session.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
}

/** Chromium does not report the context of a download, and cancels it only in that context; so this tries them all. */
async function cancelDownload(session: CDPSession, guid: string): Promise<void> {
  const { browserContextIds } = await session.send('Target.getBrowserContexts');
  const cancellations = browserContextIds.map(browserContextId =>
    session.send('Browser.cancelDownload', { guid, browserContextId }),
  );
  await Promise.allSettled(cancellations);
}
