/** Stops and resumes processes of browsers, also those of a session that causes more events than its share. */
import { afterMs, onCall, waitUntil } from '../../async/race.ts';
import { commandLine, groupMembers, processRow, userTicks } from './processTable.ts';
import type { EventShareCounter } from './protocolRateLimiter.ts';

/** Kills a process immediately. Does nothing if it has already ended. @param pid a negative number kills a process group */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

const RENDERER_ARGUMENT = '--type=renderer';

const isRendererOf = (group: number, pid: number): boolean =>
  processRow(pid)?.group === group && commandLine(pid).includes(RENDERER_ARGUMENT);

/** Stops those of the processes that are renderers of the browser's group. Returns their number, and an idempotent function that lets them continue. */
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

/** Returns the renderer of a browser that has used the most processor time within `sampleMs`; null if none has used any. */
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

interface SuspectSession {
  readonly resourceUsage: { knownRendererPids(): readonly number[] };
}

/**
 * Samples for a short time. Returns the session that may block the browser, and its processes; `session` is null for a process whose session
 * is unknown. Null if no renderer works: then no session is to blame.
 */
export async function findFreezeSuspect<Session extends SuspectSession>(
  group: number,
  sessions: Iterable<Session>,
): Promise<{ readonly session: Session | null; readonly pids: readonly number[] } | null> {
  const pid = await busiestRenderer(group, [], SAMPLE_MS);
  if (pid === null) return null;
  for (const session of sessions) {
    const pids = session.resourceUsage.knownRendererPids();
    if (pids.includes(pid)) return { session, pids };
  }
  return { session: null, pids: [pid] };
}

/** Maximum length of one pause, in milliseconds: after it the session's own operations get a turn. */
const MAX_PAUSE_MS = 2_000;
/** Time in which the busiest process is found. The system counts processor time in steps of 10 ms. */
const PACE_SAMPLE_MS = 40;

interface SessionPacerDeps {
  readonly browserPid: () => number | null;
  /** The processes that are known to run the session's pages; some may have ended. */
  readonly rendererPids: () => readonly number[];
  /** The processes that are known to run pages of other sessions of the browser. */
  readonly otherRendererPids: () => readonly number[];
  /** Finds the processes that run the session's pages; never throws. */
  readonly refreshRendererPids: () => Promise<void>;
}

/** Pauses the page processes of a session that has used up its share of protocol events, until it has a share again. */
export class SessionPacer {
  readonly #deps: SessionPacerDeps;
  readonly #endListeners = new Set<() => void>();
  #isPausing = false;
  #hasEnded = false;
  pauseCount = 0;

  constructor(deps: SessionPacerDeps) {
    this.#deps = deps;
  }

  /** Pauses the session, unless it is paused already. Never throws. */
  pause(share: EventShareCounter): void {
    if (this.#isPausing || this.#hasEnded) return;
    this.#isPausing = true;
    void this.#pause(share).finally(() => {
      this.#isPausing = false;
    });
  }

  /** Lets the processes continue, and pauses them no more. */
  end(): void {
    this.#hasEnded = true;
    for (const listener of [...this.#endListeners]) listener();
  }

  async #pause(share: EventShareCounter): Promise<void> {
    const browserPid = this.#deps.browserPid();
    const group = browserPid === null ? undefined : processRow(browserPid)?.group;
    if (group === undefined) return;
    let paused = pauseRenderers(this.#deps.rendererPids(), group);
    if (paused.count === 0) {
      // The browser is busy with the events, so it takes long to tell which process it is: until then, the busiest one.
      void this.#deps.refreshRendererPids();
      const pid = await busiestRenderer(group, this.#deps.otherRendererPids(), PACE_SAMPLE_MS);
      paused = pauseRenderers(pid === null ? [] : [pid], group);
    }
    if (paused.count === 0) return;
    this.pauseCount++;
    const end = performance.now() + MAX_PAUSE_MS;
    // Messages that are on their way arrive during the pause and count too.
    for (let ms = share.pauseMs(); ms > 0 && !this.#hasEnded; ms = share.pauseMs()) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) break;
      await waitUntil(afterMs(Math.min(ms, leftMs)), onCall(this.#endListeners));
    }
    paused.resume();
  }
}
