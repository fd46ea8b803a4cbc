/** Pauses the pages of sessions that take more than their share of processor time while an operation of another session runs. */
import { availableParallelism } from 'node:os';
import { pauseRenderers } from './pauseRenderers.ts';
import { ProcessorBudget } from './processorBudget.ts';
import {
  type OwnedRenderers,
  type PacedBrowser,
  type PacedSession,
  type RendererOwner,
  RendererTimes,
} from './rendererTimes.ts';

/** Time between two measurements while an operation runs, in milliseconds. The system counts processor time in steps of 10 ms. */
const MEASURE_MS = 100;
/** Minimum time between two measurements, in milliseconds. */
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

  /** @param browsers returns the browsers that are running now */
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
