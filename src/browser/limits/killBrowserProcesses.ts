/** Kills single processes of a browser. */
import { killProcess } from './killProcess.ts';
import { commandLine, processRow } from './processTable.ts';

/** A kind of process, as Chromium writes it into the arguments. */
export type ProcessType = 'renderer' | 'gpu-process';

/**
 * Kills those of the processes that belong to a browser and have this type: ids may have been given to other processes since.
 * Where the system does not show arguments, it kills every process of the browser's group but the main one.
 * @param group the process group of a browser that runs; null when unknown
 */
export function killBrowserProcesses(pids: readonly number[], type: ProcessType, group: number | null): void {
  if (group === null) return;
  for (const pid of pids)
    if (pid !== group && processRow(pid)?.group === group && hasType(pid, type)) killProcess(pid);
}

function hasType(pid: number, type: ProcessType): boolean {
  const shown = commandLine(pid);
  return shown === '' || shown.includes(`--type=${type}`);
}
