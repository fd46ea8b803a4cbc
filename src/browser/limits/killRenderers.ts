import { killProcess } from './killProcess.ts';
import { isRendererOf } from './pauseRenderers.ts';
import { processRow } from './processTable.ts';

/**
 * Kills those of the processes that are renderers of a browser: ids may have been given to other processes since. Linux only:
 * elsewhere renderers cannot be told from other processes.
 * @param browserPid process id of the browser's main process; null when unknown
 */
export function killRenderers(pids: readonly number[], browserPid: number | null): void {
  const group = browserPid === null ? undefined : processRow(browserPid)?.group;
  if (group === undefined) return;
  for (const pid of pids) if (isRendererOf(group, pid)) killProcess(pid);
}
