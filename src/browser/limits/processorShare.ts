/** Pauses the pages of sessions that take more than their share of processor time while an operation of another session runs, and lowers the priority of browsers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { BrowserProcess } from './monitoredBrowser.ts';
import { processorMs, processRow } from './processTable.ts';
import { pauseRenderers } from './stopProcesses.ts';

/** Nice value of a browser's session with the smallest share: a fifth of the service's, as in a cgroup. */
const MAX_NICENESS = 7;
/** The share of a session becomes smaller by this factor with each step of its nice value (sched(7)). */
const SHARE_PER_STEP = 1.25;
/** Number of browsers that have the same share as the service. More of them share what these would have, so that the service keeps a third. */
const FULL_SHARES = 2;
/** Time until another attempt, in milliseconds: the system refuses writes of unprivileged processes that come within a tenth of a second. */
const RETRY_MS = 150;

/** @param goesFirst true for a service that must not wait for any browser, because it has a lease to renew */
export function browserNiceness(count: number, goesFirst: boolean): number {
  if (goesFirst) return MAX_NICENESS;
  const steps = Math.log(Math.max(1, count / FULL_SHARES)) / Math.log(SHARE_PER_STEP);
  return Math.min(MAX_NICENESS, Math.ceil(steps));
}

interface RunningBrowser {
  readonly pid: number | null;
  readonly isClosed: boolean;
}

export class BrowserPriorities {
  readonly #goesFirst: boolean;
  /** The nice value of each browser, by the process id of its main process. */
  #known = new Map<number, number>();
  #retry: NodeJS.Timeout | undefined;
  #hasEnded = false;

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

const groupOf = (text: string): string => text.split(' ', 1)[0] ?? '';

/** Time between two questions to a browser about its processes, in milliseconds. */
const LIST_MS = 1_000;

interface PacedSession {
  readonly resourceUsage: {
    knownRendererPids(): readonly number[];
    refreshRendererPids(): Promise<void>;
  };
}

/** A browser whose sessions share the processors with those of all other browsers of the node. */
interface PacedBrowser {
  readonly pid: number | null;
  readonly leases: ReadonlySet<PacedSession>;
  processes(): Promise<readonly BrowserProcess[]>;
}

/** A session, or the process id of a renderer whose session is unknown. */
type RendererOwner = PacedSession | number;

/** The renderers of one owner, and what they used since the last reading. */
interface OwnedRenderers {
  readonly group: number;
  readonly pids: number[];
  /** Processor time in milliseconds, with a part of what the browser's shared processes used. */
  usedMs: number;
  /** When the first of them was listed first. */
  readonly listedAt: number;
}

interface ProcessList {
  /** The process group of the browser; null while unknown. */
  group: number | null;
  askedAt: number;
  processes: readonly (BrowserProcess & { readonly listedAt: number })[];
}

/** Reads the processor times of the renderers of the node's browsers. */
class RendererTimes {
  readonly #lists = new WeakMap<PacedBrowser, ProcessList>();
  #totals = new Map<number, number>();

  /** Returns what each session, and each renderer whose session is unknown, used since the last call. */
  read(browsers: Iterable<PacedBrowser>): ReadonlyMap<RendererOwner, OwnedRenderers> {
    const totals = this.#totals;
    this.#totals = new Map();
    const owners = new Map<RendererOwner, OwnedRenderers>();
    for (const browser of browsers) this.#readBrowser(browser, totals, owners);
    return owners;
  }

  #readBrowser(
    browser: PacedBrowser,
    totals: ReadonlyMap<number, number>,
    owners: Map<RendererOwner, OwnedRenderers>,
  ): void {
    const { group, processes } = this.#listOf(browser);
    if (group === null) return;
    const sessions = new Map(
      [...browser.leases].flatMap(session =>
        session.resourceUsage.knownRendererPids().map(pid => [pid, session] as const),
      ),
    );
    const own: OwnedRenderers[] = [];
    let sharedMs = 0;
    for (const { pid, isRenderer, listedAt } of processes) {
      const total = processorMs(pid);
      const usedMs = Math.max(0, total - (totals.get(pid) ?? total));
      this.#totals.set(pid, total);
      if (!isRenderer) {
        sharedMs += usedMs;
        continue;
      }
      const owner = sessions.get(pid) ?? pid;
      const renderers = owners.get(owner) ?? { group, pids: [], usedMs: 0, listedAt };
      renderers.pids.push(pid);
      renderers.usedMs += usedMs;
      if (!owners.has(owner)) own.push(renderers);
      owners.set(owner, renderers);
    }
    // The GPU process draws for all pages, and the main process and the network process work for all: by how busy their pages are.
    const allMs = own.reduce((sum, { usedMs }) => sum + usedMs, 0);
    for (const renderers of own) renderers.usedMs += allMs === 0 ? 0 : (sharedMs * renderers.usedMs) / allMs;
  }

  /** Returns the processes as listed last, and asks the browser again when that is old. */
  #listOf(browser: PacedBrowser): ProcessList {
    const now = performance.now();
    const list = this.#lists.get(browser) ?? {
      group: null,
      askedAt: Number.NEGATIVE_INFINITY,
      processes: [],
    };
    this.#lists.set(browser, list);
    if (browser.pid !== null) list.group ??= processRow(browser.pid)?.group ?? null;
    if (now - list.askedAt < LIST_MS) return list;
    list.askedAt = now;
    browser.processes().then(
      processes => {
        const listedAt = new Map(list.processes.map(one => [one.pid, one.listedAt]));
        list.processes = processes.map(one => ({
          ...one,
          listedAt: listedAt.get(one.pid) ?? performance.now(),
        }));
      },
      // The browser has closed.
      () => {},
    );
    return list;
  }
}

/** Number of operations that run at once for each processor. An operation waits for its page in between, so one alone does not fill a processor. */
const TURNS_PER_PROCESSOR = 4;
/**
 * Maximum time that an operation waits for its turn, and time after which a running operation is taken for one that waits for its page and does
 * not count, in milliseconds. Operations that wait for slow pages thus delay others by at most this time.
 */
const TURN_MS = 100;

export class OperationTurns<Session> {
  readonly #max: number;
  /** The sessions whose operations have a turn, in order of their beginning, and when it began. */
  readonly #running = new Map<Session, number>();
  /** Starts the operations that wait, in order of arrival. */
  readonly #waiting = new Set<() => void>();

  constructor(processors = availableParallelism()) {
    this.#max = TURNS_PER_PROCESSOR * processors;
  }

  /** Runs an operation of a session when it has a turn. An operation within another one of the same session needs none. */
  async run<T>(session: Session, work: () => Promise<T>): Promise<T> {
    if (this.#running.has(session)) return work();
    if (this.#waiting.size > 0 || !this.#hasTurn()) await this.#wait(session);
    else this.#running.set(session, performance.now());
    try {
      return await work();
    } finally {
      this.#running.delete(session);
      this.#startWaiting();
    }
  }

  #hasTurn(): boolean {
    if (this.#running.size < this.#max) return true;
    const since = performance.now() - TURN_MS;
    let recent = 0;
    for (const beganAt of this.#running.values()) if (beganAt > since) recent++;
    return recent < this.#max;
  }

  #wait(session: Session): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(start);
      this.#running.set(session, performance.now());
      resolve();
    };
    const timer = setTimeout(start, TURN_MS);
    this.#waiting.add(start);
    return promise;
  }

  #startWaiting(): void {
    for (const start of this.#waiting) {
      if (!this.#hasTurn()) return;
      start();
    }
  }
}

/** While an operation runs, the pages of sessions that have none share a part of the processors; the rest is for the operation. */

/** A session, or a renderer whose session is unknown, and what it used since the last settlement. */
interface ProcessorConsumer<Key> {
  readonly key: Key;
  readonly usedMs: number;
  readonly isOperating: boolean;
}

/** The part of all processors that the pages of sessions without an operation get together while another session has one. */
const IDLE_PART = 0.25;
/** Processor time that a session may use at once before its share counts, in milliseconds: the end of a page load. */
const BURST_MS = 500;
/** Maximum time until a session that used too much runs again, in milliseconds. */
const MAX_IDLE_WAIT_MS = 2_000;
/** Maximum time until a session with a running operation that used too much runs again, in milliseconds. */
const MAX_OPERATING_WAIT_MS = 500;
/** A session that used less than this part of a processor needs no share of its own. */
const DEMAND_PART = 0.02;

export class ProcessorBudget<Key> {
  readonly #processors: number;
  /** Milliseconds of processor time that each consumer may still use; negative for one that used too much. */
  #balances = new Map<Key, number>();

  /** @param processors number of processors that the node may use */
  constructor(processors: number) {
    this.#processors = processors;
  }

  /** Records what consumers used within `elapsedMs`, and forgets those not listed. @returns those that must pause now */
  settle(consumers: readonly ProcessorConsumer<Key>[], elapsedMs: number): ReadonlySet<Key> {
    const before = this.#balances;
    const isDemanding = ({ key, usedMs }: ProcessorConsumer<Key>): boolean =>
      usedMs > DEMAND_PART * elapsedMs || (before.get(key) ?? 0) < 0;
    const idle = consumers.filter(one => !one.isOperating && isDemanding(one)).length;
    const operating = consumers.filter(one => one.isOperating).length;
    const idleRate = (this.#processors * IDLE_PART) / Math.max(1, idle);
    // One processor is what the script of one page uses: only threads beside it are taken from other operations.
    const operatingRate = Math.max(1, this.#processors / Math.max(1, operating));
    this.#balances = new Map();
    const paused = new Set<Key>();
    for (const { key, usedMs, isOperating } of consumers) {
      const rate = isOperating ? operatingRate : idleRate;
      const maxWaitMs = isOperating ? MAX_OPERATING_WAIT_MS : MAX_IDLE_WAIT_MS;
      const balance = (before.get(key) ?? BURST_MS) + rate * elapsedMs - usedMs;
      const bounded = Math.min(BURST_MS, Math.max(-rate * maxWaitMs, balance));
      this.#balances.set(key, bounded);
      if (bounded < 0) paused.add(key);
    }
    return paused;
  }

  /** Forgives what a consumer used too much: its operation begins. */
  forgive(key: Key): void {
    const balance = this.#balances.get(key);
    if (balance !== undefined) this.#balances.set(key, Math.max(0, balance));
  }
}

/** Time between two measurements while an operation runs, in milliseconds. The system counts processor time in steps of 10 ms. */
const MEASURE_MS = 100;
const MIN_MEASURE_MS = 40;
/** Processor time that pages used longer ago than this does not count, in milliseconds. */
const MAX_ELAPSED_MS = 10_000;

/** Measures the renderers of all browsers of a node while operations run, and pauses those that use more than their share. */
export class ProcessorShare {
  readonly #browsers: () => readonly PacedBrowser[];
  readonly #budget: ProcessorBudget<RendererOwner>;
  readonly #times = new RendererTimes();
  /** The sessions that have operations running: how many, and when the first one began. */
  readonly #operating = new Map<PacedSession, { count: number; readonly since: number }>();
  readonly #paused = new Map<RendererOwner, { resume(): void }>();
  #measuredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #hasEnded = false;

  constructor(browsers: () => readonly PacedBrowser[], processors = availableParallelism()) {
    this.#browsers = browsers;
    this.#budget = new ProcessorBudget(processors);
  }

  /** Runs an operation of a session. Meanwhile its pages continue, and pages of other sessions keep to their share. */
  async whileOperating<T>(session: PacedSession, work: () => Promise<T>): Promise<T> {
    this.#begin(session);
    try {
      return await work();
    } finally {
      this.#ended(session);
    }
  }

  /** Lets the pages of a session continue, which is about to close. */
  release(session: PacedSession): void {
    this.#operating.delete(session);
    this.#resume(session);
    if (this.#operating.size === 0) this.#stop();
  }

  /** Lets all pages continue, and pauses none any more. */
  end(): void {
    this.#hasEnded = true;
    this.#stop();
  }

  #begin(session: PacedSession): void {
    const operation = this.#operating.get(session);
    if (operation !== undefined) {
      operation.count++;
      return;
    }
    this.#operating.set(session, { count: 1, since: performance.now() });
    this.#budget.forgive(session);
    this.#resume(session);
    if (this.#hasEnded || this.#timer !== null) return;
    this.#timer = setInterval(() => this.#measure(), MEASURE_MS).unref();
    // Pages that were busy before the first operation are paused at its beginning.
    this.#measure();
  }

  #ended(session: PacedSession): void {
    const operation = this.#operating.get(session);
    if (operation === undefined || --operation.count > 0) return;
    this.#operating.delete(session);
    if (this.#operating.size === 0) this.#stop();
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const owner of [...this.#paused.keys()]) this.#resume(owner);
  }

  #resume(owner: RendererOwner): void {
    this.#paused.get(owner)?.resume();
    this.#paused.delete(owner);
  }

  #measure(): void {
    const browsers = this.#browsers();
    const now = performance.now();
    const elapsedMs = Math.min(MAX_ELAPSED_MS, now - this.#measuredAt);
    const sessions = browsers.reduce((sum, { leases }) => sum + leases.size, 0);
    if (elapsedMs < MIN_MEASURE_MS || sessions < 2) return;
    this.#measuredAt = now;
    const renderers = this.#times.read(browsers);
    const consumers = [...renderers].map(([key, { usedMs, listedAt }]) => ({
      key,
      usedMs,
      isOperating: typeof key === 'number' ? this.#mayOperate(listedAt, renderers) : this.#operating.has(key),
    }));
    this.#pause(this.#budget.settle(consumers, elapsedMs), renderers);
  }

  /** Returns true if a renderer whose session is unknown can belong to a session that has an operation running. */
  #mayOperate(listedAt: number, renderers: ReadonlyMap<RendererOwner, OwnedRenderers>): boolean {
    const unknown = [...this.#operating.keys()].filter(session => !renderers.has(session));
    for (const { resourceUsage } of unknown) void resourceUsage.refreshRendererPids();
    return unknown.length > 0 || this.#operating.values().some(({ since }) => since < listedAt);
  }

  #pause(owners: ReadonlySet<RendererOwner>, renderers: ReadonlyMap<RendererOwner, OwnedRenderers>): void {
    for (const owner of [...this.#paused.keys()]) if (!owners.has(owner)) this.#resume(owner);
    for (const owner of owners) {
      const found = renderers.get(owner);
      if (found === undefined || this.#paused.has(owner)) continue;
      this.#paused.set(owner, pauseRenderers(found.pids, found.group));
    }
  }
}
