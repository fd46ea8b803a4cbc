import { endedAt, isActive, type Session } from './session.ts';

/** The milliseconds from the start of the session to its end, or to `now` while it is active, without jumps of the wall clock. */
export const durationMs = (session: Session, now: number): number =>
  Math.max(0, (endedAt(session) ?? asOf(session) ?? now) - session.createdAt - (session.clockShiftMs ?? 0));

const asOf = (session: Session): number | undefined => (isActive(session) ? session.asOf : undefined);

/** Formats a duration as a whole number with a unit: `0 seconds`, `1 second`, `12 seconds`, `5 minutes`, `2 hours`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return FORMATS.second.format(seconds);
  if (seconds < 3600) return FORMATS.minute.format(Math.floor(seconds / 60));
  return FORMATS.hour.format(Math.floor(seconds / 3600));
}

/** Formats a number of minutes, which can be a part of one: `1 minute`, `0.5 minutes`, `30 minutes`. */
export const minutesText = (minutes: number): string => MINUTES.format(minutes);

const unitFormat = (unit: 'second' | 'minute' | 'hour'): Intl.NumberFormat =>
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', useGrouping: false });

// Creating a formatter costs more time than a hundred uses of one.
const MINUTES = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'minute',
  unitDisplay: 'long',
  useGrouping: false,
  maximumFractionDigits: 3,
});
const FORMATS = { second: unitFormat('second'), minute: unitFormat('minute'), hour: unitFormat('hour') };

export type Operation = 'start' | 'observe' | 'step' | 'scrape' | 'close';

/** Returns true if the session ends after this operation: a new one unless `keepAlive` is true, an existing one only if it is false. */
export function endsAfterOperation(
  operation: Operation,
  createdByOperation: boolean,
  keepAlive: boolean | null | undefined,
): boolean {
  if (operation === 'start') return false;
  if (operation === 'close') return true;
  return createdByOperation ? keepAlive !== true : keepAlive === false;
}

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

export type SessionLimitUsage = Readonly<Record<keyof SessionLimits, number>>;

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

/** The reason to end a session that holds more than `max` bytes of a browser's shared memory, as sentences after "Session … has failed:". */
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
