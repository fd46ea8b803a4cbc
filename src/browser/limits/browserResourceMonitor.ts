/** Holds the sessions of one browser against their bounds. */
import { limitExceeded, type SessionLimits, sharedMemoryLimitExceeded } from '../../domain/sessionLimits.ts';
import type { Lease } from '../lease/lease.ts';
import type { BrowserInstance } from '../pool/browserInstance.ts';
import { killProcess } from './killProcess.ts';
import { anonymousBytes } from './processTable.ts';
import { SharedMemoryLimit } from './sharedMemoryLimit.ts';

/** A process that nobody is known to own is asked after from this size; an empty page takes 30 MB. */
const PROBE_FROM_BYTES = 80_000_000;
/** Or from this much work: a page that loads nothing beside its document tells nothing of its process. Seconds. */
const PROBE_FROM_CPU_SECONDS = 10;

/** A process of pages at one look. */
interface RendererUsage {
  readonly pid: number;
  readonly bytes: number;
  /** Of processor time since it began. */
  readonly cpuSeconds: number;
  readonly owner: Lease | null;
}

export class BrowserResourceMonitor {
  readonly #browser: BrowserInstance;
  readonly #limits: SessionLimits;
  readonly #sharedMemory: SharedMemoryLimit | null;
  #isMeasuring = false;

  constructor(house: BrowserInstance, bounds: SessionLimits) {
    this.#browser = house;
    this.#limits = bounds;
    this.#sharedMemory =
      bounds.memoryBytes === null ? null : new SharedMemoryLimit(house, bounds.memoryBytes);
  }

  check(): void {
    if (this.#browser.leases.size === 0) {
      this.#sharedMemory?.reset();
      return;
    }
    for (const lease of [...this.#browser.leases]) {
      const reason = limitExceeded(this.#limits, lease.resourceUsage.countedUsage());
      if (reason !== null) lease.limitExceeded(reason);
    }
    const { memoryBytes, processorMs } = this.#limits;
    if ((memoryBytes === null && processorMs === null) || this.#isMeasuring) return;
    this.#isMeasuring = true;
    // A browser that does not answer is the heartbeat's care.
    this.#measure()
      .catch(() => {})
      .finally(() => {
        this.#isMeasuring = false;
      });
  }

  async #measure(): Promise<void> {
    const processes = await this.#browser.processes();
    const renderers = this.#withOwners(processes.filter(({ isRenderer }) => isRenderer));
    for (const lease of [...this.#browser.leases]) {
      const own = renderers.filter(({ owner }) => owner === lease);
      const reason = limitExceeded(this.#limits, {
        memoryBytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
        processorMs: lease.resourceUsage.addCpuSeconds(own) * 1_000,
      });
      if (reason !== null) endSession(lease, reason, own);
    }
    const unowned = renderers.filter(({ owner }) => owner === null);
    for (const { pid, bytes, cpuSeconds } of unowned) {
      const reason = limitExceeded(this.#limits, { memoryBytes: bytes, processorMs: cpuSeconds * 1_000 });
      // No two sessions share a process: whose page crashes now, owned it.
      if (reason !== null) this.#browser.killRenderer(pid, reason);
    }
    if (this.#sharedMemory !== null) await this.#checkSharedMemory(this.#sharedMemory, processes, renderers);
    const isHeavy = ({ bytes, cpuSeconds }: RendererUsage): boolean =>
      bytes > PROBE_FROM_BYTES || cpuSeconds > PROBE_FROM_CPU_SECONDS;
    if (unowned.some(isHeavy) || this.#sharedMemory?.needsOwners)
      await Promise.all([...this.#browser.leases].map(lease => lease.resourceUsage.refreshRendererPids()));
  }

  #withOwners(
    processes: readonly { readonly pid: number; readonly cpuSeconds: number }[],
  ): readonly RendererUsage[] {
    const living = new Map(processes.map(({ pid, cpuSeconds }) => [pid, cpuSeconds]));
    const owners = new Map(
      [...this.#browser.leases].flatMap(lease =>
        lease.resourceUsage.rendererPidsAmong(living).map(pid => [pid, lease] as const),
      ),
    );
    return processes.map(({ pid, cpuSeconds }) => ({
      pid,
      cpuSeconds,
      bytes: anonymousBytes(pid) ?? 0,
      owner: owners.get(pid) ?? null,
    }));
  }

  async #checkSharedMemory(
    shared: SharedMemoryLimit,
    processes: readonly { readonly pid: number; readonly isRenderer: boolean }[],
    renderers: readonly RendererUsage[],
  ): Promise<void> {
    const bytes = processes
      .filter(({ isRenderer }) => !isRenderer)
      .reduce((sum, { pid }) => sum + (anonymousBytes(pid) ?? 0), 0);
    const culprit = await shared.check(bytes, new Map(renderers.map(one => [one.pid, one])));
    const reason = sharedMemoryLimitExceeded(shared.maxBytes);
    if (typeof culprit === 'number') this.#browser.killRenderer(culprit, reason);
    else if (culprit !== null)
      endSession(
        culprit,
        reason,
        renderers.filter(({ owner }) => owner === culprit),
      );
  }
}

/** Told first, so that the crash is no news; ended at once, for it goes on growing. */
function endSession(lease: Lease, reason: string, processes: readonly { readonly pid: number }[]): void {
  lease.limitExceeded(reason);
  for (const { pid } of processes) killProcess(pid);
}
