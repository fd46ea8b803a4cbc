import { afterMs, waitUntil } from '../../async/race.ts';
import { commandLine, groupMembers, processRow, userTicks } from './processTable.ts';

/** Kills a process immediately. Does nothing if it has already ended. @param pid a negative number kills a process group */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

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

/** Time in which the busiest process is found. The system counts processor time in steps of 10 ms. */
const SAMPLE_MS = 300;

/** A session of the frozen browser. */
interface SuspectSession {
  readonly resourceUsage: { knownRendererPids(): readonly number[] };
}

/** A possible cause of a blocked browser: a session and its processes, or a process whose session is unknown. */
type FreezeSuspect<Session> =
  | { readonly session: Session; readonly pids: readonly number[] }
  | { readonly session: null; readonly pids: readonly [number] };

/**
 * Finds the renderer of a browser that has worked most in a short sample, and its session.
 * @param group process group of the browser
 * @returns null if no renderer works: then no session is to blame
 */
export async function findFreezeSuspect<Session extends SuspectSession>(
  group: number,
  sessions: Iterable<Session>,
): Promise<FreezeSuspect<Session> | null> {
  const pid = await busiestRenderer(group, [], SAMPLE_MS);
  return pid === null ? null : suspectOf(pid, sessions);
}

/** Returns the session that a process belongs to, with all its processes. */
function suspectOf<Session extends SuspectSession>(
  pid: number,
  sessions: Iterable<Session>,
): FreezeSuspect<Session> {
  for (const session of sessions) {
    const pids = session.resourceUsage.knownRendererPids();
    if (pids.includes(pid)) return { session, pids };
  }
  return { session: null, pids: [pid] };
}
