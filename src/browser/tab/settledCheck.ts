/**
 * A reading of a step's page that counts once the page has settled. It is sent together with the last question whether the page has
 * settled, so that it takes no round trip of its own; it counts only if the answer is yes.
 */
export class SettledCheck {
  readonly #read: () => Promise<void>;
  /** True for a document without scripts and listeners: it settles at once. */
  readonly isStatic: boolean;
  #latest: Promise<void> | null = null;

  /** @param read reads the page, in one round trip; it changes nothing */
  constructor(read: () => Promise<void>, isStatic: boolean) {
    this.#read = read;
    this.isStatic = isStatic;
  }

  /** Starts to read the page. Does not wait for it. */
  start(): void {
    this.#latest = this.#read();
    this.#latest.catch(() => {});
  }

  /** Discards what was read: the page goes on. */
  discard(): void {
    this.#latest = null;
  }

  /** Returns what was read of the settled page; reads it now if that was not started. */
  result(): Promise<void> {
    return this.#latest ?? this.#read();
  }
}
