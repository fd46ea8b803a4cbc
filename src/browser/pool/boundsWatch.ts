/** Holds every session against its bounds: one timer for all, nothing in the way of an operation. */
import type { SessionBounds } from '../../domain/sessionBounds.ts';
import type { House } from './house.ts';
import { HouseWatch } from './houseWatch.ts';

export const BOUNDS_EVERY_MS = 500;

export class BoundsWatch {
  readonly #watches = new WeakMap<House, HouseWatch>();
  readonly #bounds: SessionBounds;
  readonly #timer: NodeJS.Timeout;

  /** @param houses the browsers as they are at each look */
  constructor(bounds: SessionBounds, houses: () => Iterable<House>, everyMs = BOUNDS_EVERY_MS) {
    this.#bounds = bounds;
    this.#timer = setInterval(() => {
      for (const house of houses()) if (!house.isGone) this.#watchOf(house).look();
    }, everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #watchOf(house: House): HouseWatch {
    const known = this.#watches.get(house);
    if (known !== undefined) return known;
    const fresh = new HouseWatch(house, this.#bounds);
    this.#watches.set(house, fresh);
    return fresh;
  }
}
