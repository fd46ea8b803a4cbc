/**
 * Cancels a download when it becomes larger than all files of a session may be. No other code of the service knows the
 * size of a running download.
 */
import type { CDPSession } from 'playwright';

/**
 * Limits the size of each download of a browser. Chromium reports sizes twice a second, so a download can exceed the
 * limit by the bytes of half a second.
 * @param session the CDP session of the browser, not of a page: a download that a window starts while it opens belongs
 * to no page yet
 * @param maxBytes maximum size of one download
 */
export async function limitDownloadSize(session: CDPSession, maxBytes: number): Promise<void> {
  session.on('Browser.downloadProgress', ({ guid, receivedBytes, state }) => {
    if (state === 'inProgress' && receivedBytes > maxBytes) cancelDownload(session, guid).catch(() => {});
  });
  // Without a context id, `deny` applies only to the default context, which the service does not use. The events report
  // the downloads of all contexts.
  await session.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
}

/** Cancels a download in every context: the call must name its context, which Chromium does not report. */
async function cancelDownload(session: CDPSession, guid: string): Promise<void> {
  const { browserContextIds } = await session.send('Target.getBrowserContexts');
  const cancellations = browserContextIds.map(browserContextId =>
    session.send('Browser.cancelDownload', { guid, browserContextId }),
  );
  await Promise.allSettled(cancellations);
}
