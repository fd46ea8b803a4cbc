/** How much one socket may ask before it is answered. */

/** Messages that are worked on at once: an operation takes one while it runs, what ends it one more. */
const MAX_MESSAGES = 300;
/** What these messages hold together: a step's value may have a million characters. Bytes. */
const MAX_BYTES = 8_000_000;
/** What may come before the caller is known; a key needs a hundredth of it. Bytes. */
const MAX_UNAUTHENTICATED_BYTES = 64_000;

/**
 * Counts what a socket has asked and was not answered yet, whether it goes on asking because it is slow to read, or because
 * it does not read at all.
 */
export class InFlightLimiter {
  #messages = 0;
  #bytes = 0;
  #authenticated = false;

  /** The caller has signed in. */
  markAuthenticated(): void {
    this.#authenticated = true;
  }

  /** @param bytes what came over the socket in all @returns whether that is too much for somebody who is not known */
  exceedsUnauthenticatedLimit(bytes: number): boolean {
    return !this.#authenticated && bytes > MAX_UNAUTHENTICATED_BYTES;
  }

  /** Does a message's work, which counts until it is done; none is done for one that is too much. */
  async run(bytes: number, work: () => Promise<void>): Promise<'done' | 'too much'> {
    if (this.#messages >= MAX_MESSAGES || this.#bytes + bytes > MAX_BYTES) return 'too much';
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
