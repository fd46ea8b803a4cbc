/** The service after its start: what `serve` prints, and how to stop it. */
export interface RunningApp {
  /** The URL of the service for programs on this machine. */
  readonly url: string;
  /** The address of the practice shop, which sessions may open; null if it is off. */
  readonly practiceShopUrl: string | null;
  /** The token of the one-time link to the dashboard; null where other machines can reach the service. */
  readonly dashboardToken: string | null;
  /** The first API key, if this start created it; null on later starts. */
  readonly firstKey: string | null;
  /** The file that keeps the first key for programs of this user; null where other machines can reach the service. */
  readonly keyFile: string | null;
  /**
   * Refuses new sessions, waits for the running ones for PAGESPACE_DRAIN_SECONDS, then closes the rest. `/ready` answers
   * 503 at once. @param signal ends the wait when it aborts
   */
  drain(signal: AbortSignal): Promise<void>;
  /** Stops the service: requests, sessions, browsers, streams, the store, in that order, within about `CLOSE_TIMEOUT_MS`. Idempotent. */
  close(): Promise<void>;
}

/** When the service stops, it cuts connections that are still open after this time. */
export const CLOSE_TIMEOUT_MS = 10_000;
