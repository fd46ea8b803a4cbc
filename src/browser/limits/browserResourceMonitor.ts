/** Checks the sessions of one browser against their limits. */
import {
  limitExceeded,
  type SessionLimits,
  sharedMemoryLimitExceeded,
} from '../../domain/session/sessionLimits.ts';
import { endSession } from './endSession.ts';
import type { BrowserProcess, MonitoredBrowser, MonitoredSession } from './monitoredBrowser.ts';
import { anonymousBytes } from './processTable.ts';
import { SharedMemoryLimit } from './sharedMemoryLimit.ts';

/**
 * If a renderer holds more memory than this, and its session is unknown, the monitor asks every session for its
 * renderers. An empty page takes 30 MB.
 */
const PROBE_FROM_BYTES = 80_000_000;
/**
 * If a renderer has used more processor time than this, and its session is unknown, the monitor asks every session for
 * its renderers. The session can be unknown because a page that loads only its document sends no event that names its process.
 */
const PROBE_FROM_CPU_SECONDS = 10;

/** Memory and processor time of one renderer process at one measurement. */
interface RendererUsage {
  readonly pid: number;
  /** Memory that the end of the process would free; 0 when unknown. */
  readonly bytes: number;
  /** Processor time since the process started. */
  readonly cpuSeconds: number;
  /** The session whose pages the renderer runs; null while unknown. */
  readonly owner: MonitoredSession | null;
}

/** Measures the processes of one browser and ends the sessions that exceed a limit. */
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

  /**
   * Ends the sessions that exceed a limit of opened pages, requests or traffic. Then starts to measure memory and
   * processor time, unless a measurement is running.
   */
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

/** Milliseconds between two checks of the sessions' limits. */
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
