import { killProcess } from './killProcess.ts';
import type { MonitoredSession } from './monitoredBrowser.ts';

/**
 * Ends a session and kills its renderers. Reports the limit before the kill, so that the crash is not reported too, and does
 * not wait in between, because the processes continue to grow.
 */
export function endSession(
  session: Pick<MonitoredSession, 'limitExceeded'>,
  reason: string,
  pids: readonly number[],
): void {
  session.limitExceeded(reason);
  for (const pid of pids) killProcess(pid);
}
