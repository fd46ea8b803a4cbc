/** Reads responses as CDP reports them: the names of headers can have capital letters. */
/** Returns the Content-Type header of a response, which may contain the charset; without a header, the type that Chromium detected. */
export function contentTypeOf({
  headers,
  mimeType,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly mimeType: string;
}): string {
  return headerOf(headers, 'content-type') || mimeType;
}

/** Returns the value of a header by its name in lower case; undefined without one. */
export function headerOf(
  headers: Readonly<Record<string, string>>,
  lowerCaseName: string,
): string | undefined {
  const name = Object.keys(headers).find(key => key.toLowerCase() === lowerCaseName);
  return name === undefined ? undefined : headers[name];
}

/** True for the status of a successful response that has a body; false for null, the status of no response. */
export const hasBody = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300 && status !== 204 && status !== 205;

/** A connection of a page that waits for a server, instead of running, is closed after this silence. Milliseconds. */
const CONNECTION_SILENCE_MS = 1_000;
/** Number of times that silent connections are closed, before all new requests of the page fail and its busy connections are closed too. */
const MAX_CLOSED = 1;
/** Number of times that connections are closed in vain, before the page counts as waiting for the process that draws. */
const DRAWS_AFTER_CLOSED = 3;

/**
 * Ends the wait of a page: closes its connections, lets all its requests fail, and at last ends the process that draws, which a WebGL
 * context keeps busy for as long as it likes.
 */
export class ServerWait {
  readonly #setOffline: (isOffline: boolean) => void;
  readonly #mark: () => (all?: boolean) => void;
  readonly #restartDrawing: () => void;
  #marked: { readonly since: number; readonly close: (all?: boolean) => void } | null = null;
  #closedCount = 0;

  /**
   * @param setOffline while true, every new request of the page fails at once
   * @param mark returns a function that closes the connections over which nothing has passed since the call, or all of them
   * @param restartDrawing ends the process that draws, of which Chromium starts another one
   */
  constructor(
    setOffline: (isOffline: boolean) => void,
    mark: () => (all?: boolean) => void,
    restartDrawing: () => void,
  ) {
    this.#restartDrawing = restartDrawing;
    this.#setOffline = setOffline;
    this.#mark = mark;
  }

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
      if (this.#closedCount === DRAWS_AFTER_CLOSED) this.#restartDrawing();
    }
    this.#marked = { since: now, close: this.#mark() };
    return isStubborn;
  }
}
