/**
 * The fair share of protocol events. Every event that a page causes takes time of Chromium's main process and of the
 * service, which all sessions share. A session that causes more than its share is paused, so that the others go on.
 */

/** A token bucket that holds `burst` events and gains `perSecond` events each second. */
export interface EventShare {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * The share of one session. `logs`: log lines and exceptions, as CDP events: each line causes one for each CDP session of
 * the page. Chromium's main process needs about 50 µs for one. `frames`: frames that are created, navigate or are removed; it
 * needs milliseconds for each, and an advertisement takes about five of them. `others`: all other events; the load of a page with 500
 * resources causes about 10,000.
 */
export interface EventShares {
  readonly logs: EventShare;
  readonly frames: EventShare;
  readonly others: EventShare;
}

export const EVENT_SHARES: EventShares = {
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
