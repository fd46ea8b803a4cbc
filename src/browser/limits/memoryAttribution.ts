/**
 * How far the processes that all sessions of a browser share have grown, and whose doing it is likely to be. Chromium
 * tells nobody for whom they hold what they hold, so each look lays the growth since the last one to the pages that
 * worked in that time, in proportion to their processor time. With one session in a browser it is exact.
 */

/** What one process of pages has worked since it began, and who has it; null where nobody is known to. */
export interface RendererWork<Owner> {
  readonly owner: Owner | null;
  readonly cpuSeconds: number;
}

/** Bytes that are laid to one: to an owner, or to a process that is nobody's. */
export interface Attribution<Owner> {
  readonly target: Owner | number;
  readonly bytes: number;
}

export class MemoryAttribution<Owner extends object> {
  /** By processes, each with what it had worked at the last look. */
  #processes = new Map<number, RendererWork<Owner> & { readonly bytes: number }>();
  /** Of processes that ended before their owners did. */
  readonly #endedProcesses = new Map<Owner, number>();
  #baseline = 0;
  #last: number | null = null;

  /** Bytes above the least that was seen since the browser was last empty. */
  get bytes(): number {
    return this.#last === null ? 0 : this.#last - this.#baseline;
  }

  /** The most laden first. */
  attributions(): readonly Attribution<Owner>[] {
    const sums = new Map<Owner | number, number>(this.#endedProcesses);
    for (const [pid, { owner, bytes }] of this.#processes)
      sums.set(owner ?? pid, (sums.get(owner ?? pid) ?? 0) + bytes);
    return [...sums]
      .map(([target, bytes]) => ({ target, bytes }))
      .sort((one, other) => other.bytes - one.bytes);
  }

  /** The browser is empty: what it has now counts for nobody. */
  reset(): void {
    this.#processes.clear();
    this.#endedProcesses.clear();
    this.#last = null;
  }

  /**
   * @param bytes of the shared processes now
   * @param owners who is there
   * @param work of each process of pages that is there, by its number
   */
  update(bytes: number, owners: ReadonlySet<Owner>, work: ReadonlyMap<number, RendererWork<Owner>>): void {
    const growth = this.#last === null ? 0 : Math.max(0, bytes - this.#last);
    this.#baseline = this.#last === null ? bytes : Math.min(this.#baseline, bytes);
    this.#last = bytes;
    for (const [pid, { owner, bytes: attributed }] of this.#processes)
      if (owner !== null && !work.has(pid))
        this.#endedProcesses.set(owner, (this.#endedProcesses.get(owner) ?? 0) + attributed);
    for (const owner of this.#endedProcesses.keys())
      if (!owners.has(owner)) this.#endedProcesses.delete(owner);
    const worked = new Map(
      [...work].map(([pid, { cpuSeconds }]) => [
        pid,
        Math.max(0, cpuSeconds - (this.#processes.get(pid)?.cpuSeconds ?? 0)),
      ]),
    );
    const all = [...worked.values()].reduce((sum, seconds) => sum + seconds, 0) || 1;
    const shareOf = (pid: number): number => (growth * (worked.get(pid) ?? 0)) / all;
    this.#processes = new Map(
      [...work].map(([pid, one]) => [
        pid,
        { ...one, bytes: (this.#processes.get(pid)?.bytes ?? 0) + shareOf(pid) },
      ]),
    );
    this.#scale();
  }

  /** What was given back is nobody's: together they hold no more than there is. */
  #scale(): void {
    const sum = this.attributions().reduce((all, { bytes }) => all + bytes, 0);
    if (sum <= this.bytes) return;
    const factor = this.bytes / sum;
    for (const [owner, bytes] of this.#endedProcesses) this.#endedProcesses.set(owner, bytes * factor);
    for (const [pid, one] of this.#processes) this.#processes.set(pid, { ...one, bytes: one.bytes * factor });
  }
}
