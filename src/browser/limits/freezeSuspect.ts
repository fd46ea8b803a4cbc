/** Finds the session that probably blocks the main process of a browser: the one whose pages work most. Linux only. */
import { busiestRenderer } from './pauseRenderers.ts';

/** Time in which the busiest process is found. The system counts processor time in steps of 10 ms. */
const SAMPLE_MS = 300;

/** A session of the frozen browser. */
interface SuspectSession {
  readonly resourceUsage: { knownRendererPids(): readonly number[] };
}

/** A possible cause of a blocked browser: a session and its processes, or a process whose session is unknown. */
export type FreezeSuspect<Session> =
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
