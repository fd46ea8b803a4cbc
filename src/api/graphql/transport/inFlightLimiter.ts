/** Limits how much one socket can send before it has received the responses. */

/** Maximum number of messages in progress. A running operation is one; the message that ends it is another. */
const MAX_MESSAGES = 300;
/** Maximum bytes of these messages together; the value of a step can have a million characters. */
const MAX_BYTES = 8_000_000;
/** Maximum bytes from a caller that is not authenticated; a key needs a hundredth of that. */
const MAX_UNAUTHENTICATED_BYTES = 64_000;

/**
 * Counts the messages of a socket that are in progress. A socket that reads slowly, or not at all, reaches the limit, because a
 * message counts until its response is written.
 */
export class InFlightLimiter {
  #messages = 0;
  #bytes = 0;
  #authenticated = false;

  /** Removes the limit for callers that are not authenticated. */
  markAuthenticated(): void {
    this.#authenticated = true;
  }

  /** Returns true if a caller that is not authenticated has sent too much. @param bytes received on the socket so far */
  exceedsUnauthenticatedLimit(bytes: number): boolean {
    return !this.#authenticated && bytes > MAX_UNAUTHENTICATED_BYTES;
  }

  /** Runs `work`, and counts its message until it ends. Does not run it if the message would exceed a limit. */
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
