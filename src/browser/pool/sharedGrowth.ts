/**
 * How far the processes that all sessions of a browser share have grown, and whose doing it is likely to be. Chromium
 * tells nobody for whom they hold what they hold, so each look lays the growth since the last one to the pages that
 * worked in that time, in proportion to their processor time. With one session in a browser it is exact.
 */

/** What one process of pages has worked since it began, and who has it; null where nobody is known to. */
export interface Work<Owner> {
  readonly owner: Owner | null;
  readonly seconds: number;
}

/** Bytes that are laid to one: to an owner, or to a process that is nobody's. */
export interface Laid<Owner> {
  readonly to: Owner | number;
  readonly bytes: number;
}

export class SharedGrowth<Owner extends object> {
  /** By processes, each with what it had worked at the last look. */
  #processes = new Map<number, Work<Owner> & { readonly bytes: number }>();
  /** Of processes that ended before their owners did. */
  readonly #left = new Map<Owner, number>();
  #least = 0;
  #last: number | null = null;

  /** Bytes above the least that was seen since the browser was last empty. */
  get bytes(): number {
    return this.#last === null ? 0 : this.#last - this.#least;
  }

  /** The most laden first. */
  laid(): readonly Laid<Owner>[] {
    const sums = new Map<Owner | number, number>(this.#left);
    for (const [pid, { owner, bytes }] of this.#processes)
      sums.set(owner ?? pid, (sums.get(owner ?? pid) ?? 0) + bytes);
    return [...sums].map(([to, bytes]) => ({ to, bytes })).sort((one, other) => other.bytes - one.bytes);
  }

  /** The browser is empty: what it has now counts for nobody. */
  forget(): void {
    this.#processes.clear();
    this.#left.clear();
    this.#last = null;
  }

  /**
   * @param bytes of the shared processes now
   * @param owners who is there
   * @param work of each process of pages that is there, by its number
   */
  look(bytes: number, owners: ReadonlySet<Owner>, work: ReadonlyMap<number, Work<Owner>>): void {
    const grown = this.#last === null ? 0 : Math.max(0, bytes - this.#last);
    this.#least = this.#last === null ? bytes : Math.min(this.#least, bytes);
    this.#last = bytes;
    for (const [pid, { owner, bytes: had }] of this.#processes)
      if (owner !== null && !work.has(pid)) this.#left.set(owner, (this.#left.get(owner) ?? 0) + had);
    for (const owner of this.#left.keys()) if (!owners.has(owner)) this.#left.delete(owner);
    const worked = new Map(
      [...work].map(([pid, { seconds }]) => [
        pid,
        Math.max(0, seconds - (this.#processes.get(pid)?.seconds ?? 0)),
      ]),
    );
    const all = [...worked.values()].reduce((sum, seconds) => sum + seconds, 0) || 1;
    const sharing = (pid: number): number => (grown * (worked.get(pid) ?? 0)) / all;
    this.#processes = new Map(
      [...work].map(([pid, one]) => [
        pid,
        { ...one, bytes: (this.#processes.get(pid)?.bytes ?? 0) + sharing(pid) },
      ]),
    );
    this.#scale();
  }

  /** What was given back is nobody's: together they hold no more than there is. */
  #scale(): void {
    const sum = this.laid().reduce((all, { bytes }) => all + bytes, 0);
    if (sum <= this.bytes) return;
    const factor = this.bytes / sum;
    for (const [owner, bytes] of this.#left) this.#left.set(owner, bytes * factor);
    for (const [pid, one] of this.#processes) this.#processes.set(pid, { ...one, bytes: one.bytes * factor });
  }
}
