/**
 * Lets the service go before its browsers when the processors are busy. Linux shares processors equally among the sessions of
 * processes that setsid(2) has made (sched(7), "The autogroup feature"), and each browser is such a session of its own: beside
 * twenty browsers the whole service would get a twentieth, and could not keep its lease of a cluster.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Nice value of a browser's session with the smallest share: a fifth of the service's, as in a cgroup. */
const MAX_NICENESS = 7;
/** The share of a session becomes smaller by this factor with each step of its nice value (sched(7)). */
const SHARE_PER_STEP = 1.25;
/** Number of browsers that have the same share as the service. More of them share what these would have, so that the service keeps a third. */
const FULL_SHARES = 2;
/** Time until another attempt, in milliseconds: the system refuses writes of unprivileged processes that come within a tenth of a second. */
const RETRY_MS = 150;

/**
 * Returns the nice value of each of several browsers.
 * @param goesFirst true for a service that must not wait for any browser, because it has a lease to renew
 */
export function browserNiceness(count: number, goesFirst: boolean): number {
  if (goesFirst) return MAX_NICENESS;
  const steps = Math.log(Math.max(1, count / FULL_SHARES)) / Math.log(SHARE_PER_STEP);
  return Math.min(MAX_NICENESS, Math.ceil(steps));
}

/** A browser, with the process id of its main process; null when unknown. */
export interface RunningBrowser {
  readonly pid: number | null;
  readonly isClosed: boolean;
}

/** Keeps the priorities of the running browsers of a service. */
export class BrowserPriorities {
  readonly #goesFirst: boolean;
  /** The nice value of each browser, by the process id of its main process. */
  #known = new Map<number, number>();
  #retry: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /** @param goesFirst see `browserNiceness` */
  constructor(goesFirst: boolean) {
    this.#goesFirst = goesFirst;
  }

  /** Divides the processors among the browsers that run now, by the process ids of their main processes. */
  share(browsers: readonly RunningBrowser[]): void {
    clearTimeout(this.#retry);
    if (this.#hasEnded) return;
    const pids = new Set(browsers.flatMap(({ pid, isClosed }) => (isClosed ? [] : (pid ?? []))));
    const niceness = browserNiceness(pids.size, this.#goesFirst);
    this.#known = new Map([...pids].map(pid => [pid, this.#known.get(pid) ?? 0]));
    for (const [pid, before] of this.#known)
      if (before !== niceness && setBrowserPriority(pid, niceness)) this.#known.set(pid, niceness);
    if (this.#known.values().some(value => value !== niceness))
      this.#retry = setTimeout(() => this.share(browsers), RETRY_MS).unref();
  }

  /** Changes no priority any more. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#retry);
  }
}

/**
 * Sets the priority of a browser as a whole. Does nothing where the system shares processors in another way: no autogroups,
 * a browser in the service's own session, or a browser of another user.
 * @param pid process id of the browser's main process
 * @returns false if the system refused the change for now
 */
function setBrowserPriority(pid: number, niceness: number): boolean {
  const file = `/proc/${pid}/autogroup`;
  try {
    const ownGroup = readFileSync('/proc/self/autogroup', 'utf8');
    if (groupOf(readFileSync(file, 'utf8')) !== groupOf(ownGroup)) writeFileSync(file, String(niceness));
    return true;
  } catch (error) {
    // Other systems have no such file.
    return !(error instanceof Error && 'code' in error && error.code === 'EAGAIN');
  }
}

/** Returns the name of a group: the file reads `/autogroup-25 nice 0`. */
const groupOf = (text: string): string => text.split(' ', 1)[0] ?? '';
