import type { MonitoredBrowser, MonitoredSession } from './monitoredBrowser.ts';

/**
 * Ends a session and kills its renderers. Reports the limit before the kill, so that the crash is not reported too, and does
 * not wait in between, because the processes continue to grow.
 */
export function endSession(
  browser: Pick<MonitoredBrowser, 'killRenderers'>,
  session: Pick<MonitoredSession, 'limitExceeded'>,
  reason: string,
  pids: readonly number[],
): void {
  session.limitExceeded(reason);
  browser.killRenderers(pids);
}
