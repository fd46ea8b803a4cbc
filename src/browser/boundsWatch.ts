/** Holds every session against its bounds: one timer for all, nothing in the way of an operation. */
import { passedBound, type SessionBounds } from '../domain/sessionBounds.ts';
import type { House } from './house.ts';
import { kill } from './kill.ts';
import type { Lease } from './lease.ts';
import { heldBytes } from './processTable.ts';

export const BOUNDS_EVERY_MS = 500;
/** A process that nobody is known to own is asked after from this size; an empty page takes 30 MB. */
const WORTH_ASKING_BYTES = 80_000_000;

export class BoundsWatch {
  readonly #bounds: SessionBounds;
  readonly #houses: () => Iterable<House>;
  readonly #timer: NodeJS.Timeout;
  readonly #weighing = new WeakSet<House>();

  /** @param houses the browsers as they are at each look */
  constructor(bounds: SessionBounds, houses: () => Iterable<House>, everyMs = BOUNDS_EVERY_MS) {
    this.#bounds = bounds;
    this.#houses = houses;
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const house of this.#houses()) {
      if (house.leases.size === 0 || house.isGone) continue;
      for (const lease of [...house.leases]) {
        const reason = passedBound(this.#bounds, lease.spending());
        if (reason !== null) lease.overran(reason);
      }
      if (this.#bounds.memoryBytes === null || this.#weighing.has(house)) continue;
      this.#weighing.add(house);
      // A browser that does not answer is the heartbeat's care.
      this.#weigh(house)
        .catch(() => {})
        .finally(() => this.#weighing.delete(house));
    }
  }

  async #weigh(house: House): Promise<void> {
    const sizes = new Map<number, number>();
    for (const pid of await house.renderers()) sizes.set(pid, heldBytes(pid) ?? 0);
    const unowned = new Map(sizes);
    for (const lease of [...house.leases]) {
      const own = lease.processesAmong(sizes);
      for (const pid of own) unowned.delete(pid);
      const memoryBytes = own.reduce((sum, pid) => sum + (sizes.get(pid) ?? 0), 0);
      const reason = passedBound(this.#bounds, { memoryBytes });
      if (reason !== null) end(lease, reason, own);
    }
    for (const [pid, memoryBytes] of unowned) {
      const reason = passedBound(this.#bounds, { memoryBytes });
      // No two sessions share a process: whose page crashes now, owned it.
      if (reason !== null) house.endRenderer(pid, reason);
    }
    if ([...unowned.values()].some(bytes => bytes > WORTH_ASKING_BYTES))
      await Promise.all([...house.leases].map(lease => lease.askProcesses()));
  }
}

/** Told first, so that the crash is no news; ended at once, for it goes on growing. */
function end(lease: Lease, reason: string, processes: readonly number[]): void {
  lease.overran(reason);
  for (const pid of processes) kill(pid);
}
