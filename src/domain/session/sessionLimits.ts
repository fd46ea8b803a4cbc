/** Resource limits of a session. A session that exceeds one ends with status `error`. */

/** Maximum of each resource that a session may use; null for no limit. A session that exceeds one ends with status `error`. */
export interface SessionLimits {
  /** Number of pages (tabs and windows) that the session opens in total, the first one and closed ones included. */
  readonly pages: number | null;
  /** HTTP requests, plus connections for HTTPS and WebSockets, as counted by the egress proxy. */
  readonly requests: number | null;
  /** Bytes that the pages of the session receive and send over the network. */
  readonly trafficBytes: number | null;
  /** Bytes of memory that the session's page processes hold now. The memory that shared browser processes hold for it has the same limit. */
  readonly memoryBytes: number | null;
  /** Processor time that the session's page processes have used in total. */
  readonly processorMs: number | null;
}

/** The amount that a session has used of each limited resource. */
export type SessionLimitUsage = Readonly<Record<keyof SessionLimits, number>>;

/** Session limits that limit no resource. */
export const NO_SESSION_LIMITS: SessionLimits = {
  pages: null,
  requests: null,
  trafficBytes: null,
  memoryBytes: null,
  processorMs: null,
};

const count = new Intl.NumberFormat('en');
const megabytes = (bytes: number): string => `${count.format(Math.ceil(bytes / 1_000_000))} MB`;

const LIMIT_MESSAGES: Readonly<Record<keyof SessionLimits, (max: number) => string>> = {
  pages: max => `It opened more than ${count.format(max)} pages. Use fewer tabs, or several sessions.`,
  requests: max =>
    `Its pages made more than ${count.format(max)} requests. Spread the work over several sessions.`,
  trafficBytes: max =>
    `Its pages transferred more than ${megabytes(max)} over the network. Spread the work over several sessions.`,
  memoryBytes: max =>
    `Its pages used more than ${megabytes(max)} of memory. Open fewer or smaller pages at once.`,
  processorMs: max =>
    `Its pages used more than ${count.format(max / 60_000)} minutes of processor time. Leave pages that keep the processor busy.`,
};

const SET_BY_SERVICE = 'The service sets this limit for each session.';

/**
 * Returns the reason why the service ends a session that holds too much of the memory that all sessions of a browser
 * share, as sentences that follow "Session … has failed:". @param max the limit in bytes
 */
export const sharedMemoryLimitExceeded = (max: number): string =>
  `Its pages hold more than ${megabytes(max)} of the memory that sessions share: storage, blobs, caches, history. Store less, or release it. ${SET_BY_SERVICE}`;

/** Returns which limit the session exceeded and what to do, as sentences that follow "Session … has failed:"; null if it exceeded none. */
export function limitExceeded(limits: SessionLimits, usage: Partial<SessionLimitUsage>): string | null {
  for (const name of Object.keys(LIMIT_MESSAGES) as (keyof SessionLimits)[]) {
    const max = limits[name];
    if (max !== null && (usage[name] ?? 0) > max) return `${LIMIT_MESSAGES[name](max)} ${SET_BY_SERVICE}`;
  }
  return null;
}
