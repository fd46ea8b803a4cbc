/** Limits the rate of protocol events that the pages of each session cause: too many would delay the events of all other sessions. */

/**
 * The fair share of protocol events. Every event that a page causes takes time of Chromium's main process and of the
 * service, which all sessions share. A session that causes more than its share is paused, so that the others go on.
 */

interface EventShare {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * The share of one session. `logs`: log lines and exceptions, as CDP events: each line causes one for each CDP session of
 * the page. Chromium's main process needs about 50 µs for one. `frames`: frames that are created, navigate or are removed; it
 * needs milliseconds for each, and an advertisement takes about five of them. `others`: all other events; the load of a page with 500
 * resources causes about 10,000.
 */
interface EventShares {
  readonly logs: EventShare;
  readonly frames: EventShare;
  readonly others: EventShare;
}

const EVENT_SHARES: EventShares = {
  logs: { burst: 4_000, perSecond: 2_000 },
  frames: { burst: 900, perSecond: 120 },
  others: { burst: 30_000, perSecond: 5_000 },
};

/** A pause is not shorter than this: shorter ones would cost more than they spare. Milliseconds. */
const MIN_PAUSE_MS = 100;

interface Bucket {
  used: number;
  updatedAt: number;
}

/** Counts the events of one session, and tells when its pages must pause. */
export class EventShareCounter {
  readonly #shares: EventShares;
  readonly #now: () => number;
  readonly #buckets: Readonly<Record<keyof EventShares, Bucket>>;

  constructor(shares: EventShares = EVENT_SHARES, now: () => number = () => performance.now()) {
    this.#shares = shares;
    this.#now = now;
    const updatedAt = now();
    const bucket = (): Bucket => ({ used: 0, updatedAt });
    this.#buckets = { logs: bucket(), frames: bucket(), others: bucket() };
  }

  /** Counts one event. @returns true if the session has used its share up */
  record(kind: keyof EventShares): boolean {
    const bucket = this.#refill(kind);
    bucket.used++;
    return bucket.used > this.#shares[kind].burst;
  }

  /** Milliseconds until half of the share is free again; 0 if it is. */
  pauseMs(): number {
    const waits = (['logs', 'frames', 'others'] as const).map(kind => {
      const { burst, perSecond } = this.#shares[kind];
      return ((this.#refill(kind).used - burst / 2) / perSecond) * 1_000;
    });
    const longest = Math.max(...waits);
    return longest <= 0 ? 0 : Math.max(MIN_PAUSE_MS, longest);
  }

  #refill(kind: keyof EventShares): Bucket {
    const bucket = this.#buckets[kind];
    const now = this.#now();
    const gained = ((now - bucket.updatedAt) / 1_000) * this.#shares[kind].perSecond;
    bucket.used = Math.max(0, bucket.used - gained);
    bucket.updatedAt = now;
    return bucket;
  }
}

/** A token bucket that holds `burst` tokens and gains `perSecond` tokens each second. */
interface BurstRate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Limits of the protocol events of one browser context. `bytes` counts delivered and dropped events, `events` only
 * delivered ones. Loading a page with 500 resources causes about 10 MB in 10,000 events, a remote desktop over a
 * WebSocket 15 MB a second; log lines can reach 50 MB a second.
 */
export interface ProtocolRateLimits {
  readonly bytes: BurstRate;
  readonly events: BurstRate;
  readonly shares?: EventShares;
}

/** The bursts are thirty times what the load of a page with 500 resources needs. */
export const PROTOCOL_RATE_LIMITS: ProtocolRateLimits = {
  bytes: { burst: 300_000_000, perSecond: 30_000_000 },
  events: { burst: 300_000, perSecond: 10_000 },
};

interface ContextListener {
  readonly onExceeded: () => void;
  readonly onShareUsed: (share: EventShareCounter) => void;
  readonly share: EventShareCounter;
}

/** Log lines of the pages of a context that are delivered at once, and more of them each second: a page can write any number. */
const LOG_LINES: BurstRate = { burst: 1_000, perSecond: 200 };

interface ContextUsage {
  bytes: number;
  events: number;
  updatedAt: number;
}

/** Counts the protocol events of each browser context of one browser, and reports contexts that exceed the limits. */
export class ProtocolRateLimiter {
  readonly #limits: ProtocolRateLimits;
  readonly #now: () => number;
  /** CDP session of a page, frame or worker → its browser context. */
  readonly #contexts = new Map<string, string>();
  readonly #usage = new Map<string, ContextUsage>();
  readonly #listeners = new Map<string, ContextListener>();

  /** The contexts whose log lines are delivered, and how many of them may be now. */
  readonly #logs = new Map<string, { lines: number; updatedAt: number }>();

  constructor(limits = PROTOCOL_RATE_LIMITS, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Calls `onExceeded` once when the events of a browser context exceed the limits.
   * @param onShareUsed called for each event while the context has used its share up
   * @returns a function that stops counting for the context
   */
  watch(
    context: string,
    onExceeded: () => void,
    onShareUsed: (share: EventShareCounter) => void = () => {},
  ): () => void {
    const share = new EventShareCounter(this.#limits.shares, this.#now);
    this.#listeners.set(context, { onExceeded, onShareUsed, share });
    return () => {
      this.#listeners.delete(context);
      this.#usage.delete(context);
      this.#logs.delete(context);
    };
  }

  /** Delivers the log lines of a context from now on, until its watch ends. */
  deliverLogs(context: string): void {
    this.#logs.set(context, { lines: LOG_LINES.burst, updatedAt: this.#now() });
  }

  get deliversLogs(): boolean {
    return this.#logs.size > 0;
  }

  /** Returns true if a log line of a CDP session is to be delivered. Call it once for each. */
  takesLog(session: string): boolean {
    const log = this.#logs.get(this.#contexts.get(session) ?? '');
    if (log === undefined) return false;
    const now = this.#now();
    const gained = ((now - log.updatedAt) / 1_000) * LOG_LINES.perSecond;
    log.lines = Math.min(LOG_LINES.burst, log.lines + gained);
    log.updatedAt = now;
    if (log.lines < 1) return false;
    log.lines--;
    return true;
  }

  /** Records the browser context of a CDP session. Call it when the session starts. */
  attached(session: string, context: string): void {
    this.#contexts.set(session, context);
  }

  detached(session: string): void {
    this.#contexts.delete(session);
  }

  contextOf(session: string): string | null {
    return this.#contexts.get(session) ?? null;
  }

  /**
   * Counts an event of a CDP session.
   * @param isDelivered false for a dropped event
   * @param kind `logs` for a log line or an exception of a page, which counts also if it is dropped
   */
  record(session: string, bytes: number, isDelivered: boolean, kind: keyof EventShares = 'others'): void {
    const context = this.#contexts.get(session);
    const listener = context === undefined ? undefined : this.#listeners.get(context);
    if (context === undefined || listener === undefined) return;
    const { share, onExceeded, onShareUsed } = listener;
    if ((kind === 'logs' || isDelivered) && share.record(kind)) onShareUsed(share);
    const now = this.#now();
    const usage = this.#usage.get(context) ?? { bytes: 0, events: 0, updatedAt: now };
    this.#usage.set(context, usage);
    const seconds = (now - usage.updatedAt) / 1_000;
    usage.updatedAt = now;
    usage.bytes = Math.max(0, usage.bytes - seconds * this.#limits.bytes.perSecond) + bytes;
    usage.events =
      Math.max(0, usage.events - seconds * this.#limits.events.perSecond) + (isDelivered ? 1 : 0);
    if (usage.bytes <= this.#limits.bytes.burst && usage.events <= this.#limits.events.burst) return;
    this.#listeners.delete(context);
    onExceeded();
  }
}
