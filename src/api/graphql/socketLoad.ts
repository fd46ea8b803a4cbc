/** How much one socket may ask before it is answered. */

/** Messages that are worked on at once: an operation takes one while it runs, what ends it one more. */
const MOST_MESSAGES = 300;
/** What these messages hold together: a step's value may have a million characters. Bytes. */
const MOST_BYTES = 8_000_000;
/** What may come before the caller is known; a key needs a hundredth of it. Bytes. */
const MOST_OF_STRANGER = 64_000;

/**
 * Counts what a socket has asked and was not answered yet, whether it goes on asking because it is slow to read, or because
 * it does not read at all.
 */
export class SocketLoad {
  #messages = 0;
  #bytes = 0;
  #known = false;

  /** The caller has signed in. */
  known(): void {
    this.#known = true;
  }

  /** @param bytes what came over the socket in all @returns whether that is too much for somebody who is not known */
  isTooMuchOfStranger(bytes: number): boolean {
    return !this.#known && bytes > MOST_OF_STRANGER;
  }

  /** Does a message's work, which counts until it is done; none is done for one that is too much. */
  async take(bytes: number, work: () => Promise<void>): Promise<'done' | 'too much'> {
    if (this.#messages >= MOST_MESSAGES || this.#bytes + bytes > MOST_BYTES) return 'too much';
    this.#messages += 1;
    this.#bytes += bytes;
    try {
      await work();
      return 'done';
    } finally {
      this.#messages -= 1;
      this.#bytes -= bytes;
    }
  }
}
