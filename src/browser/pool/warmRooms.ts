/** Contexts held ready for whoever comes next, and made anew when one was taken. */
import type { House } from './house.ts';
import { rehearse } from './rehearse.ts';
import type { Room } from './room.ts';

/** They are made this long after the last start, so that they do not take the processor from it. */
const REFILL_DELAY_MS = 100;

export interface WarmRoomsOptions {
  /** Makes a context that any account may have. */
  readonly make: () => Promise<Room>;
  /** Gives up a context that nobody has. Never rejects. */
  readonly release: (room: Room) => Promise<void>;
  /** How many are to be ready now. */
  readonly wanted: () => number;
  readonly warn: (message: string, error?: unknown) => void;
}

export class WarmRooms {
  readonly #options: WarmRoomsOptions;
  readonly #rooms: Room[] = [];
  #timer: NodeJS.Timeout | null = null;
  #refilling = false;
  #stopped = false;

  constructor(options: WarmRoomsOptions) {
    this.#options = options;
  }

  /** Takes one that is well out of a browser that `may` allows; null when there is none. */
  take(may: (house: House) => boolean): Room | null {
    for (const room of this.#rooms.filter(({ house }) => may(house))) {
      this.#rooms.splice(this.#rooms.indexOf(room), 1);
      if (!room.house.isGone && !room.warm.tab.crashed) return room;
      void this.#options.release(room);
    }
    return null;
  }

  /** Gives up those of this browser. */
  drop(house: House): void {
    for (const room of this.#rooms.filter(one => one.house === house)) {
      this.#rooms.splice(this.#rooms.indexOf(room), 1);
      void this.#options.release(room);
    }
  }

  /** Makes one more, its page rehearsed: there is time for it, no caller waits. @throws Error when it cannot be made */
  async add(): Promise<void> {
    const { make, release } = this.#options;
    const room = await make();
    try {
      await room.house.whileUp(rehearse(room.warm.tab));
    } catch (error) {
      await release(room);
      throw error;
    }
    if (this.#stopped || room.house.retired) await release(room);
    else this.#rooms.push(room);
  }

  /** Makes those that are missing, in a moment. */
  refillSoon(): void {
    if (this.#stopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refill(), REFILL_DELAY_MS);
    this.#timer.unref();
  }

  /** Makes none any more. Those that are ready end with their browsers. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #refill(): Promise<void> {
    if (this.#refilling || this.#stopped) return;
    this.#refilling = true;
    try {
      while (this.#anybodys < this.#options.wanted() && !this.#stopped) await this.add();
    } catch (error) {
      if (!this.#stopped) this.#options.warn('A browser context could not be made ready', error);
    } finally {
      this.#refilling = false;
    }
  }

  /** How many whoever comes next may have. */
  get #anybodys(): number {
    return this.#rooms.filter(({ house }) => house.owner === null).length;
  }
}
