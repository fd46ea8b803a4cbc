/**
 * Estimates which session caused the growth of a browser's shared processes. Chromium does not report for which session
 * they hold memory. So each measurement distributes the growth since the last one over the renderers that worked in
 * that time, in proportion to their processor time. With one session in a browser the result is exact.
 */

/** The processor time of one renderer since its start, and its owner; null while the owner is unknown. */
export interface RendererWork<Owner> {
  readonly owner: Owner | null;
  readonly cpuSeconds: number;
}

/** Bytes attributed to an owner, or to the process id of a renderer without a known owner. */
export interface Attribution<Owner> {
  readonly target: Owner | number;
  readonly bytes: number;
}

/** The attributions of one browser. @typeParam Owner the object that represents a session */
export class MemoryAttribution<Owner extends object> {
  /** By process id: the processor time at the last measurement, and the attributed bytes. */
  #processes = new Map<number, RendererWork<Owner> & { readonly bytes: number }>();
  /** Bytes of processes that ended before their owners did. */
  readonly #endedProcesses = new Map<Owner, number>();
  #baseline = 0;
  #last: number | null = null;

  /** Bytes above the smallest measurement since the browser was last without sessions. */
  get bytes(): number {
    return this.#last === null ? 0 : this.#last - this.#baseline;
  }

  /** All attributions, the largest first. */
  attributions(): readonly Attribution<Owner>[] {
    const sums = new Map<Owner | number, number>(this.#endedProcesses);
    for (const [pid, { owner, bytes }] of this.#processes)
      sums.set(owner ?? pid, (sums.get(owner ?? pid) ?? 0) + bytes);
    return [...sums]
      .map(([target, bytes]) => ({ target, bytes }))
      .sort((one, other) => other.bytes - one.bytes);
  }

  /** Call when the browser has no sessions: its memory at the next measurement is the new baseline. */
  reset(): void {
    this.#processes.clear();
    this.#endedProcesses.clear();
    this.#last = null;
  }

  /**
   * Adds a measurement.
   * @param bytes current memory of the shared processes
   * @param owners the sessions that are in the browser now
   * @param work processor time of each running renderer, by its process id
   */
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
    this.#scaleDown();
  }

  #keepEndedProcesses(owners: ReadonlySet<Owner>, work: ReadonlyMap<number, RendererWork<Owner>>): void {
    for (const [pid, { owner, bytes }] of this.#processes)
      if (owner !== null && !work.has(pid))
        this.#endedProcesses.set(owner, (this.#endedProcesses.get(owner) ?? 0) + bytes);
    for (const owner of this.#endedProcesses.keys())
      if (!owners.has(owner)) this.#endedProcesses.delete(owner);
  }

  /** Freed memory has no known owner: reduces all attributions by the same factor, until their sum is what the processes hold. */
  #scaleDown(): void {
    const sum = this.attributions().reduce((total, { bytes }) => total + bytes, 0);
    if (sum <= this.bytes) return;
    const factor = this.bytes / sum;
    for (const [owner, bytes] of this.#endedProcesses) this.#endedProcesses.set(owner, bytes * factor);
    for (const [pid, renderer] of this.#processes)
      this.#processes.set(pid, { ...renderer, bytes: renderer.bytes * factor });
  }
}
