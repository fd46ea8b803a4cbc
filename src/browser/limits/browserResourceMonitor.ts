/** Checks the sessions of one browser against their limits, and attributes its memory to them. */
import { afterMs, race } from '../../async/race.ts';
import {
  limitExceeded,
  type SessionLimits,
  sharedMemoryLimitExceeded,
} from '../../domain/session/sessionLimits.ts';
import {
  type BrowserProcess,
  endSession,
  type MonitoredBrowser,
  type MonitoredSession,
} from './monitoredBrowser.ts';
import { anonymousBytes } from './processTable.ts';
import type { OpenInternalPage } from './sessionResourceUsage.ts';

/**
 * Estimates which session caused the growth of a browser's shared processes. Chromium does not report for which session
 * they hold memory. So each measurement distributes the growth since the last one over the renderers that worked in
 * that time, in proportion to their processor time. With one session in a browser the result is exact.
 */

export interface RendererWork<Owner> {
  /** The session whose pages the renderer runs; null while unknown. */
  readonly owner: Owner | null;
  readonly cpuSeconds: number;
}

/** Bytes of shared memory attributed to a session, or to the process id of a renderer whose session is unknown. */
interface Attribution<Owner> {
  readonly target: Owner | number;
  readonly bytes: number;
}

/** Estimates how many bytes of one browser's shared memory each session caused. `Owner`: the object that represents a session. */
export class MemoryAttribution<Owner extends object> {
  #processes = new Map<number, RendererWork<Owner> & { readonly bytes: number }>();
  /** Bytes attributed to renderers that ended before their sessions did, by session. */
  readonly #endedProcesses = new Map<Owner, number>();
  /** The smallest measurement, in bytes, since the browser was last without sessions. */
  #baseline = 0;
  /** The last measurement, in bytes; null when there is none. */
  #last: number | null = null;

  /** Growth of the shared memory in bytes: the last measurement less the smallest since the browser was last without sessions. */
  get bytes(): number {
    return this.#last === null ? 0 : this.#last - this.#baseline;
  }

  /** Returns the bytes attributed to each session and to each renderer without a known session, largest first. */
  attributions(): readonly Attribution<Owner>[] {
    const sums = new Map<Owner | number, number>(this.#endedProcesses);
    for (const [pid, { owner, bytes }] of this.#processes)
      sums.set(owner ?? pid, (sums.get(owner ?? pid) ?? 0) + bytes);
    return [...sums]
      .map(([target, bytes]) => ({ target, bytes }))
      .sort((one, other) => other.bytes - one.bytes);
  }

  reset(): void {
    this.#processes.clear();
    this.#endedProcesses.clear();
    this.#last = null;
  }

  /** Attributes the growth since the last measurement to the renderers that worked (`work`: processor time by process id) in that time. */
  update(bytes: number, owners: ReadonlySet<Owner>, work: ReadonlyMap<number, RendererWork<Owner>>): void {
    const growth = this.#last === null ? 0 : Math.max(0, bytes - this.#last);
    this.#baseline = this.#last === null ? bytes : Math.min(this.#baseline, bytes);
    this.#last = bytes;
    this.#keepEndedProcesses(owners, work);
    const worked = new Map(
      [...work].map(([pid, { cpuSeconds }]) => [
        pid,
        Math.max(0, cpuSeconds - (this.#processes.get(pid)?.cpuSeconds ?? 0)),
      ]),
    );
    const total = [...worked.values()].reduce((sum, seconds) => sum + seconds, 0) || 1;
    const shareOf = (pid: number): number => (growth * (worked.get(pid) ?? 0)) / total;
    this.#processes = new Map(
      [...work].map(([pid, renderer]) => [
        pid,
        { ...renderer, bytes: (this.#processes.get(pid)?.bytes ?? 0) + shareOf(pid) },
      ]),
    );
    this.#scaleDown(this.bytes);
  }

  #keepEndedProcesses(owners: ReadonlySet<Owner>, work: ReadonlyMap<number, RendererWork<Owner>>): void {
    for (const [pid, { owner, bytes }] of this.#processes)
      if (owner !== null && !work.has(pid))
        this.#endedProcesses.set(owner, (this.#endedProcesses.get(owner) ?? 0) + bytes);
    for (const owner of this.#endedProcesses.keys())
      if (!owners.has(owner)) this.#endedProcesses.delete(owner);
  }

  /** Cuts the attributions of all others to what is left when `target` holds `bytes`: else memory of an ended session would be laid to those that worked. */
  reduceOthers(target: Owner | number, bytes: number): void {
    this.#scaleDown(Math.max(0, this.bytes - bytes), target);
  }

  /** Reduces all attributions, or all but `kept`, by one factor when their sum exceeds `maxBytes`: whose memory was freed is unknown. */
  #scaleDown(maxBytes: number, kept: Owner | number | null = null): void {
    const sum = this.attributions().reduce(
      (total, { target, bytes }) => total + (target === kept ? 0 : bytes),
      0,
    );
    if (sum <= maxBytes) return;
    const factor = maxBytes / sum;
    for (const [owner, bytes] of this.#endedProcesses)
      if (owner !== kept) this.#endedProcesses.set(owner, bytes * factor);
    for (const [pid, renderer] of this.#processes)
      if ((renderer.owner ?? pid) !== kept)
        this.#processes.set(pid, { ...renderer, bytes: renderer.bytes * factor });
  }
}

/** Growth of the shared processes that is always allowed, in bytes for each session. A page with images needs 20 MB. */
const ORDINARY_BYTES_PER_SESSION = 50_000_000;
/** An attribution of this share of the limit to a renderer without a known session is considerable. */
const CONSIDERABLE_SHARE = 0.1;
/** Maximum number of suspects whose storage is counted: counting opens a page in the context of each. */
const MAX_SUSPECTS = 5;
/** Maximum wait of one check for the counts. The counting goes on after it, and a later check takes the result. */
const COUNT_TIMEOUT_MS = 500;
const COUNTING = 'counting';
/** After these repeats the attribution by processor time decides, because the memory goes on growing. */
const MAX_REPEATED_COUNTS = 1;
/** Chromium frees the memory of an ended session within this time. Until then no further session is ended for memory. */
const MEMORY_RELEASE_TIMEOUT_MS = 2_000;
/** Within this time the memory may still be that of an ended session, so that one with a small attribution is not ended. */
const SLOW_MEMORY_RELEASE_TIMEOUT_MS = 10_000;
/** A machine that counts slowly frees memory late: by this factor later. A count takes 0.1 s on a quiet machine. */
const RELEASE_TIME_PER_COUNT_TIME = 30;
/** The latest of these times, in milliseconds. */
const MAX_MEMORY_RELEASE_TIMEOUT_MS = 120_000;
/** Maximum wait until the session that exceeded the limit has ended. Until then no further session is ended for memory. */
const SESSION_END_TIMEOUT_MS = 10_000;

/** Checks the memory that the sessions of one browser cause in its shared processes, and finds the session to end. */
export class SharedMemoryLimit {
  readonly #browser: MonitoredBrowser;
  /** Maximum growth of the shared processes in bytes, above the growth that is always allowed. */
  readonly maxBytes: number;
  readonly #attribution = new MemoryAttribution<MonitoredSession>();
  /** The search for the session to end, while Chromium counts. */
  #search: Promise<Attribution<MonitoredSession> | null> | null = null;
  #repeatedCounts = 0;
  #searchMs = 0;
  #lastEnded: { readonly culprit: MonitoredSession | number; readonly at: number } | null = null;

  constructor(browser: MonitoredBrowser, maxBytes: number) {
    this.#browser = browser;
    this.maxBytes = maxBytes;
  }

  reset(): void {
    this.#attribution.reset();
    this.#search = null;
    this.#lastEnded = null;
  }

  /** True if the growth exceeds half of the limit, and much of it is attributed to a renderer whose session is unknown. */
  get needsOwners(): boolean {
    return (
      this.#attribution.bytes > this.maxBytes / 2 &&
      this.#attribution
        .attributions()
        .some(({ target, bytes }) => typeof target === 'number' && bytes > this.maxBytes * CONSIDERABLE_SHARE)
    );
  }

  /**
   * Attributes the growth of the shared processes, and finds the session that caused most of it if the limit is exceeded.
   * @param work processor time of each renderer, by its process id
   * @returns the session to end, or the process id of a renderer whose session is unknown; null when the limit is not
   * exceeded or the memory of the last ended session may not be free yet
   */
  async check(
    bytes: number,
    work: ReadonlyMap<number, RendererWork<MonitoredSession>>,
  ): Promise<MonitoredSession | number | null> {
    this.#attribution.update(bytes, this.#browser.leases, work);
    if (this.#attribution.bytes <= this.maxBytesOf(this.#browser.leases.size) || this.#isReleasing())
      return null;
    this.#search ??= this.#timedSearch();
    const culprit = await race(
      this.#search,
      afterMs<typeof COUNTING>(COUNT_TIMEOUT_MS, () => COUNTING),
    );
    if (culprit === COUNTING) return null;
    this.#search = null;
    if (culprit === null || this.#hasLeft(culprit) || this.#mayBeUnreleased(culprit)) return null;
    this.#lastEnded = { culprit: culprit.target, at: performance.now() };
    return culprit.target;
  }

  maxBytesOf(sessions: number): number {
    return this.maxBytes + ORDINARY_BYTES_PER_SESSION * sessions;
  }

  /** Returns true for a session that ended while Chromium counted. */
  #hasLeft({ target }: Attribution<MonitoredSession>): boolean {
    return typeof target === 'object' && !this.#browser.leases.has(target);
  }

  /** Returns true if the memory is more likely that of the session that was ended last than that of this culprit. */
  #mayBeUnreleased({ bytes }: Attribution<MonitoredSession>): boolean {
    if (this.#lastEnded === null) return false;
    const elapsedMs = performance.now() - this.#lastEnded.at;
    const slowMs = Math.min(this.#searchMs * RELEASE_TIME_PER_COUNT_TIME, MAX_MEMORY_RELEASE_TIMEOUT_MS);
    return elapsedMs < Math.max(SLOW_MEMORY_RELEASE_TIMEOUT_MS, slowMs) && bytes < this.maxBytes / 2;
  }

  /** Returns true while Chromium may still free the memory of the session that was ended last. */
  #isReleasing(): boolean {
    if (this.#lastEnded === null) return false;
    const { culprit, at } = this.#lastEnded;
    const isStillOpen = typeof culprit === 'object' && this.#browser.leases.has(culprit);
    return performance.now() - at < (isStillOpen ? SESSION_END_TIMEOUT_MS : MEMORY_RELEASE_TIMEOUT_MS);
  }

  async #timedSearch(): Promise<Attribution<MonitoredSession> | null> {
    const startedAt = performance.now();
    try {
      return await this.#findCulprit();
    } finally {
      this.#searchMs = performance.now() - startedAt;
    }
  }

  async #findCulprit(): Promise<Attribution<MonitoredSession> | null> {
    const attributions = this.#attribution.attributions();
    const [largest] = attributions;
    // The only session has caused all, unless another one was ended whose memory may not be free yet.
    if (largest === undefined || (attributions.length === 1 && this.#lastEnded === null))
      return largest ?? null;
    // Storage is filled with little work, so a small attribution says nothing.
    const suspects = attributions.slice(0, MAX_SUSPECTS);
    const counts = await Promise.all(suspects.map(suspect => this.#count(suspect)));
    const counted = counts.filter(count => count !== null).sort((one, other) => other.bytes - one.bytes);
    const [most] = counted;
    if (most !== undefined && most.bytes >= this.maxBytes / 2) {
      this.#repeatedCounts = 0;
      this.#attribution.reduceOthers(most.target, most.bytes);
      return most;
    }
    if (counted.length < suspects.length && this.#repeatedCounts < MAX_REPEATED_COUNTS) {
      this.#repeatedCounts++;
      return null;
    }
    this.#repeatedCounts = 0;
    // Chromium counts less than half of the maximum: most of the memory is of a kind that it does not count (history).
    return largest;
  }

  /** Returns the bytes that Chromium counts for a suspect, 0 for a renderer without a known session; null when it does not respond in time. */
  async #count({ target }: Attribution<MonitoredSession>): Promise<Attribution<MonitoredSession> | null> {
    if (typeof target === 'number') return { target, bytes: 0 };
    const open: OpenInternalPage = (url, contextId) => this.#browser.openInternalPage(url, contextId);
    const bytes = await target.resourceUsage.storedBytes(open);
    return bytes === null ? null : { target, bytes };
  }
}

/** The monitor asks every session for its renderers if an unknown one holds more than this. An empty page takes 30 MB. */
const PROBE_FROM_BYTES = 80_000_000;
/**
 * If a renderer has used more processor time than this, and its session is unknown, the monitor asks every session for
 * its renderers. The session can be unknown because a page that loads only its document sends no event that names its process.
 */
const PROBE_FROM_CPU_SECONDS = 10;

interface RendererUsage {
  readonly pid: number;
  readonly bytes: number;
  readonly cpuSeconds: number;
  readonly owner: MonitoredSession | null;
}

export class BrowserResourceMonitor {
  readonly #browser: MonitoredBrowser;
  readonly #limits: SessionLimits;
  readonly #sharedMemory: SharedMemoryLimit | null;
  #isMeasuring = false;

  constructor(browser: MonitoredBrowser, limits: SessionLimits) {
    this.#browser = browser;
    this.#limits = limits;
    this.#sharedMemory =
      limits.memoryBytes === null ? null : new SharedMemoryLimit(browser, limits.memoryBytes);
  }

  /** Ends the sessions above a limit of pages, requests or traffic, and starts to measure memory and processor time. */
  check(): void {
    if (this.#browser.leases.size === 0) {
      this.#sharedMemory?.reset();
      return;
    }
    for (const session of [...this.#browser.leases]) {
      const reason = limitExceeded(this.#limits, session.resourceUsage.countedUsage());
      if (reason !== null) session.limitExceeded(reason);
    }
    const { memoryBytes, processorMs } = this.#limits;
    if ((memoryBytes === null && processorMs === null) || this.#isMeasuring) return;
    this.#isMeasuring = true;
    // Ignore the error: the health check handles a browser that does not respond.
    this.#measure()
      .catch(() => {})
      .finally(() => {
        this.#isMeasuring = false;
      });
  }

  async #measure(): Promise<void> {
    const processes = await this.#browser.processes();
    const renderers = this.#withOwners(processes.filter(({ isRenderer }) => isRenderer));
    for (const session of [...this.#browser.leases]) {
      const own = renderers.filter(({ owner }) => owner === session);
      const reason = limitExceeded(this.#limits, {
        memoryBytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
        processorMs: session.resourceUsage.addCpuSeconds(own) * 1_000,
      });
      if (reason !== null) endSession(this.#browser, session, reason, pidsOf(own));
    }
    const unowned = renderers.filter(({ owner }) => owner === null);
    for (const { pid, bytes, cpuSeconds } of unowned) {
      const reason = limitExceeded(this.#limits, { memoryBytes: bytes, processorMs: cpuSeconds * 1_000 });
      // Two sessions never share a renderer: the session whose page crashes now is the one that used it.
      if (reason !== null) this.#browser.killRenderer(pid, reason);
    }
    if (this.#sharedMemory !== null) await this.#checkSharedMemory(this.#sharedMemory, processes, renderers);
    const isHeavy = ({ bytes, cpuSeconds }: RendererUsage): boolean =>
      bytes > PROBE_FROM_BYTES || cpuSeconds > PROBE_FROM_CPU_SECONDS;
    if (unowned.some(isHeavy) || this.#sharedMemory?.needsOwners)
      await Promise.all(
        [...this.#browser.leases].map(({ resourceUsage }) => resourceUsage.refreshRendererPids()),
      );
  }

  #withOwners(renderers: readonly BrowserProcess[]): readonly RendererUsage[] {
    const livingPids = new Set(renderers.map(({ pid }) => pid));
    const owners = new Map(
      [...this.#browser.leases].flatMap(session =>
        session.resourceUsage.rendererPidsAmong(livingPids).map(pid => [pid, session] as const),
      ),
    );
    return renderers.map(({ pid, cpuSeconds }) => ({
      pid,
      cpuSeconds,
      bytes: anonymousBytes(pid) ?? 0,
      owner: owners.get(pid) ?? null,
    }));
  }

  async #checkSharedMemory(
    limit: SharedMemoryLimit,
    processes: readonly BrowserProcess[],
    renderers: readonly RendererUsage[],
  ): Promise<void> {
    endTooLargeGpuProcess(this.#browser, processes, limit.maxBytesOf(this.#browser.leases.size));
    const bytes = processes
      .filter(({ isRenderer, isGpu }) => !isRenderer && !isGpu)
      .reduce((sum, { pid }) => sum + (anonymousBytes(pid) ?? 0), 0);
    const culprit = await limit.check(bytes, new Map(renderers.map(renderer => [renderer.pid, renderer])));
    const reason = sharedMemoryLimitExceeded(limit.maxBytes);
    if (typeof culprit === 'number') this.#browser.killRenderer(culprit, reason);
    else if (culprit !== null)
      endSession(this.#browser, culprit, reason, pidsOf(renderers.filter(({ owner }) => owner === culprit)));
  }
}

/**
 * Kills the GPU process if it holds more than `maxBytes`: Chromium starts another one, and pages lose their WebGL contexts. No session
 * ends, because nothing tells whose textures they are: a page that fills the process waits for it and uses no processor time.
 */
function endTooLargeGpuProcess(
  browser: MonitoredBrowser,
  processes: readonly BrowserProcess[],
  maxBytes: number,
): void {
  const tooLarge = processes.filter(({ pid, isGpu }) => isGpu && (anonymousBytes(pid) ?? 0) > maxBytes);
  browser.killGpu(pidsOf(tooLarge));
}

const pidsOf = (renderers: readonly { readonly pid: number }[]): readonly number[] =>
  renderers.map(({ pid }) => pid);

const LIMIT_CHECK_INTERVAL_MS = 500;

/** Checks the limits of all sessions at intervals, from its creation until `stop`, and ends sessions that exceed one. */
export class SessionLimitMonitor {
  readonly #monitors = new WeakMap<MonitoredBrowser, BrowserResourceMonitor>();
  readonly #limits: SessionLimits;
  readonly #timer: NodeJS.Timeout;

  /** @param browsers returns the browsers that are running at the time of a check */
  constructor(
    limits: SessionLimits,
    browsers: () => Iterable<MonitoredBrowser>,
    intervalMs = LIMIT_CHECK_INTERVAL_MS,
  ) {
    this.#limits = limits;
    this.#timer = setInterval(() => {
      for (const browser of browsers()) if (!browser.isClosed) this.#monitorOf(browser).check();
    }, intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #monitorOf(browser: MonitoredBrowser): BrowserResourceMonitor {
    const known = this.#monitors.get(browser);
    if (known !== undefined) return known;
    const monitor = new BrowserResourceMonitor(browser, this.#limits);
    this.#monitors.set(browser, monitor);
    return monitor;
  }
}
