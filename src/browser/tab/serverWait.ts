/** A connection of a page that waits for a server, instead of running, is closed after this silence. Milliseconds. */
const CONNECTION_SILENCE_MS = 1_000;
/** Number of times that silent connections are closed, before all new requests of the page fail and its busy connections are closed too. */
const MAX_CLOSED = 1;

/** Ends the wait of a page for its servers: closes its connections, and at last lets all its requests fail. */
export class ServerWait {
  readonly #setOffline: (isOffline: boolean) => void;
  readonly #mark: () => (all?: boolean) => void;
  #marked: { readonly since: number; readonly close: (all?: boolean) => void } | null = null;
  #closedCount = 0;

  /**
   * @param setOffline while true, every new request of the page fails at once
   * @param mark returns a function that closes the connections over which nothing has passed since the call, or all of them
   */
  constructor(setOffline: (isOffline: boolean) => void, mark: () => (all?: boolean) => void) {
    this.#setOffline = setOffline;
    this.#mark = mark;
  }

  /** True if it has closed connections. */
  get hasClosed(): boolean {
    return this.#closedCount > 0;
  }

  /**
   * Call it again and again until the page answers.
   * @param knowsWait true to let all requests fail as soon as connections are closed
   * @returns true if all requests fail now
   */
  end(knowsWait: boolean): boolean {
    const now = performance.now();
    if (this.#marked !== null && now - this.#marked.since < CONNECTION_SILENCE_MS) return false;
    // A script can send the next request as soon as the last one has failed, without an end that Chromium could notice.
    const isStubborn = this.#marked !== null && (knowsWait || this.#closedCount >= MAX_CLOSED);
    if (isStubborn) this.#setOffline(true);
    if (this.#marked !== null) {
      this.#marked.close(isStubborn && this.#closedCount > MAX_CLOSED);
      this.#closedCount++;
    }
    this.#marked = { since: now, close: this.#mark() };
    return isStubborn;
  }
}
