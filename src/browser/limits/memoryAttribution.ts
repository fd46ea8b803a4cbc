/**
 * Estimates which session caused the growth of a browser's shared processes. Chromium does not report for which session
 * they hold memory. So each measurement distributes the growth since the last one over the renderers that worked in
 * that time, in proportion to their processor time. With one session in a browser the result is exact.
 */

/** The processor time of one renderer since its start, and the session whose pages it runs. */
export interface RendererWork<Owner> {
  /** The session whose pages the renderer runs; null while unknown. */
  readonly owner: Owner | null;
  readonly cpuSeconds: number;
}

/** Bytes of shared memory attributed to a session, or to the process id of a renderer whose session is unknown. */
export interface Attribution<Owner> {
  readonly target: Owner | number;
  readonly bytes: number;
}

/**
 * Estimates how many bytes of one browser's shared memory each session caused.
 * @typeParam Owner the object that represents a session
 */
export class MemoryAttribution<Owner extends object> {
  /** The renderers of the last measurement by process id: their processor time, and the bytes attributed to them. */
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

  /** Forgets all measurements. Call it when the browser has no sessions: the next measurement is the new baseline. */
  reset(): void {
    this.#processes.clear();
    this.#endedProcesses.clear();
    this.#last = null;
  }

  /**
   * Attributes the growth since the last measurement to the renderers that worked in that time.
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
    this.#scaleDown(this.bytes);
  }

  #keepEndedProcesses(owners: ReadonlySet<Owner>, work: ReadonlyMap<number, RendererWork<Owner>>): void {
    for (const [pid, { owner, bytes }] of this.#processes)
      if (owner !== null && !work.has(pid))
        this.#endedProcesses.set(owner, (this.#endedProcesses.get(owner) ?? 0) + bytes);
    for (const owner of this.#endedProcesses.keys())
      if (!owners.has(owner)) this.#endedProcesses.delete(owner);
  }

  /**
   * Reduces the attributions of all others to what is left when `target` holds `bytes`, as Chromium has counted. Without it,
   * the memory of a session that ends would be laid to those that worked harder, until Chromium has freed it.
   */
  reduceOthers(target: Owner | number, bytes: number): void {
    this.#scaleDown(Math.max(0, this.bytes - bytes), target);
  }

  /**
   * Reduces all attributions, or those of all but `kept`, by the same factor when their sum exceeds `maxBytes`: it is unknown
   * whose memory was freed.
   */
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
