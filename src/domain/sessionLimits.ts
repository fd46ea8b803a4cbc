/** How much one session may use of the node before it is ended. */

/** null sets no bound. */
export interface SessionLimits {
  /** Pages opened in all, by steps or by the pages themselves. */
  readonly pages: number | null;
  /** Requests of plain http, and connections of https and WebSockets: what the way out can count. */
  readonly requests: number | null;
  /** Bytes received and sent. */
  readonly trafficBytes: number | null;
  /** Memory of the processes that hold its pages, at one time; and again, of what the browser's shared processes hold for them. */
  readonly memoryBytes: number | null;
  /** Processor time of the processes that hold its pages, in all. */
  readonly processorMs: number | null;
}

/** What a session has used of each. */
export type SessionLimitUsage = Readonly<Record<keyof SessionLimits, number>>;

export const NO_SESSION_LIMITS: SessionLimits = {
  pages: null,
  requests: null,
  trafficBytes: null,
  memoryBytes: null,
  processorMs: null,
};

const count = new Intl.NumberFormat('en');
const megabytes = (bytes: number): string => `${count.format(Math.ceil(bytes / 1_000_000))} MB`;

const LIMIT_MESSAGES: Readonly<Record<keyof SessionLimits, (most: number) => string>> = {
  pages: most =>
    `It opened more than ${count.format(most)} pages. Work in fewer tabs, or in several sessions.`,
  requests: most =>
    `Its pages made more than ${count.format(most)} requests. Spread the work over several sessions.`,
  trafficBytes: most =>
    `Its pages moved more than ${megabytes(most)} over the network. Spread the work over several sessions.`,
  memoryBytes: most =>
    `Its pages took more than ${megabytes(most)} of memory. Open fewer, or lighter, pages at once.`,
  processorMs: most =>
    `Its pages worked for more than ${count.format(most / 60_000)} minutes of processor time. Leave pages that never rest.`,
};

const SET_BY_SERVICE = 'This is a bound that the service sets for a session.';

/** @returns why a session is ended that holds too much in what it shares with others, as `passedBound` says it */
export const sharedMemoryLimitExceeded = (max: number): string =>
  `Its pages hold more than ${megabytes(max)} of the memory that sessions share: storage, blobs, caches, history, textures. Store less, or release it. ${SET_BY_SERVICE}`;

/** @returns which bound was passed and what to do, in sentences that follow "the session has failed:"; null for none */
export function limitExceeded(limits: SessionLimits, usage: Partial<SessionLimitUsage>): string | null {
  for (const name of Object.keys(LIMIT_MESSAGES) as (keyof SessionLimits)[]) {
    const max = limits[name];
    if (max !== null && (usage[name] ?? 0) > max) return `${LIMIT_MESSAGES[name](max)} ${SET_BY_SERVICE}`;
  }
  return null;
}
