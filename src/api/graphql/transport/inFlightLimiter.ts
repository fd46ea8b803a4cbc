/** Limits how much one socket can send before it has received the responses. */

/** Maximum number of messages of one socket that are in progress. A running operation is one; the message that ends it is another. */
const MAX_MESSAGES = 300;
/** Maximum total length of the messages of one socket that are in progress; the value of a step can have a million characters. */
const MAX_BYTES = 8_000_000;
/** Maximum bytes that a caller may send on a socket before it is authenticated; the message with the key needs a hundredth. */
const MAX_UNAUTHENTICATED_BYTES = 64_000;

/**
 * Limits the messages of one socket that are in progress. A message counts until its response is written, so a client that reads
 * slowly, or not at all, reaches the limit.
 */
export class InFlightLimiter {
  #messages = 0;
  #bytes = 0;
  #authenticated = false;

  /** Call it when the caller is authenticated: the limit for callers without authentication ends. */
  markAuthenticated(): void {
    this.#authenticated = true;
  }

  /** Returns true if the caller has sent too much without authentication. @param bytes number received on the socket so far */
  exceedsUnauthenticatedLimit(bytes: number): boolean {
    return !this.#authenticated && bytes > MAX_UNAUTHENTICATED_BYTES;
  }

  /**
   * Runs `work`, and counts its message until it ends. Returns `too much`, without running it, if the message exceeds a limit.
   * @param bytes length of the message
   */
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
