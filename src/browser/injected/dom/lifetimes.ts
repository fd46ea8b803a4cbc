/** The agent's memory of its document, by how long it holds: when a lifetime begins anew, all its values are new. */

class Lifetime {
  #slots = 0;
  #values: object[] = [];
  #isOpen = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns a function that returns a value of this lifetime, which is made when it is asked for first. */
  value<T extends object>(make: () => T): () => T {
    const slot = this.#slots++;
    return () => {
      const known = this.#values[slot];
      // Safe: only this function writes the slot.
      if (known !== undefined) return known as T;
      const made = make();
      this.#values[slot] = made;
      return made;
    };
  }

  /** Begins the lifetime anew: what was known does not hold any more. */
  begin(): void {
    this.#values = [];
    this.#isOpen = true;
  }

  /** Ends the lifetime until it begins again, and lets its values go. */
  end(): void {
    this.#values = [];
    this.#isOpen = false;
  }
}

/** Styles, boxes and counts: each is read once in a list of the document, or when one element is compared with what was listed. */
export const reading = new Lifetime();

/** The results of a list of the document: they hold until the next list. */
export const observation = new Lifetime();

/** While a list is made. No script of the page runs in this time, so that texts and labels cannot change. */
export const listing = new Lifetime();

/** The input and the effects of a step: they hold until the next step begins. */
export const step = new Lifetime();

export const documentState = new Lifetime();

/** A value of the last observation, and that of the observation with which it is compared. */
export class Compared<T> {
  now: T;
  before: T;

  /** @param none the value before the first observation */
  constructor(none: T) {
    this.now = none;
    this.before = none;
  }

  /** Begins an observation. @param repeats true to compare with the same observation as the last time */
  begin(repeats: boolean): void {
    if (!repeats) this.before = this.now;
  }
}

/** Returns the value that is known for the key, else computes it and keeps it. */
export function remembered<K, V extends NonNullable<unknown> | null>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  compute: (key: K) => V,
): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = compute(key);
  known.set(key, value);
  return value;
}
