/** Pauses the page processes of a session for a while. Linux only: elsewhere processes cannot be identified. */
import { afterMs, waitUntil } from '../../async/race.ts';
import { commandLine, groupMembers, processRow, userTicks } from './processTable.ts';

const RENDERER_ARGUMENT = '--type=renderer';

/** Returns true if a process is a renderer of the browser with this process group. */
const isRendererOf = (group: number, pid: number): boolean =>
  processRow(pid)?.group === group && commandLine(pid).includes(RENDERER_ARGUMENT);

/**
 * Stops those of the processes that are renderers of the browser.
 * @param group the process group of the browser: ids may have been given to other processes since
 * @returns how many were stopped, and a function that lets them continue; idempotent
 */
export function pauseRenderers(
  pids: readonly number[],
  group: number,
): { readonly count: number; resume(): void } {
  const stopped = pids.filter(pid => isRendererOf(group, pid) && signal(pid, 'SIGSTOP'));
  return {
    count: stopped.length,
    resume() {
      for (const pid of stopped.splice(0)) signal(pid, 'SIGCONT');
    },
  };
}

/**
 * Returns the renderer of a browser that has used the most processor time within `sampleMs`; null if none has used any.
 * @param exceptPids renderers that are not considered
 */
export async function busiestRenderer(
  group: number,
  exceptPids: readonly number[],
  sampleMs: number,
): Promise<number | null> {
  const before = groupMembers(group)
    .filter(({ pid }) => !exceptPids.includes(pid) && commandLine(pid).includes(RENDERER_ARGUMENT))
    .map(({ pid }) => ({ pid, ticks: userTicks(pid) }));
  await waitUntil(afterMs(sampleMs));
  const used = before.map(({ pid, ticks }) => ({ pid, ticks: userTicks(pid) - ticks }));
  const [first] = used.filter(({ ticks }) => ticks > 0).toSorted((one, other) => other.ticks - one.ticks);
  return first?.pid ?? null;
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // The process has ended.
    return false;
  }
}
